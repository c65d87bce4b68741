// SPDX-License-Identifier: Apache-2.0

// From a dragged joint, pins and poles to a solver that lives as long as the drag.
import type { Goal, Numbers, Pose, Report, Solver, SolverOptions, Trace, Vec3 } from "@ulna/engine";
import type { Character } from "./character.js";
import type { Studio } from "./studio.js";

export interface Grab {
  readonly joint: number;
  readonly point: Vec3; // in the joint's coordinates: what of it is held
  readonly start: Vec3; // where that is in the model
}

/** Methods that follow one chain and know only places. */
const CHAIN_METHODS = new Set(["two-bone", "ccd", "fabrik"]);
// Goals give way to a posture in proportion to its weight; this little is below their tolerance.
const POSTURE_WEIGHT = 1e-5;
const TRACE_ITERATIONS = 120;

export class DragSolver {
  readonly #solver: Solver;
  readonly note: string;

  private constructor(private readonly character: Character, solver: Solver, note: string) {
    this.#solver = solver;
    this.note = note;
  }

  /** The solver of a drag, or the engine's word on why the method cannot do it. */
  static make(studio: Studio, character: Character, grab: Grab, options: SolverOptions = {}): DragSolver | string {
    character.refreshPins();
    let why = "";
    for (const { goals, settings, note } of attempts(studio, character, grab)) {
      const made = character.stage.makeSolver(goals, { ...settings, ...options });
      if (made.ok) return new DragSolver(character, made.value, note);
      why = why || made.error.message;
    }
    return why;
  }

  solve(target: Numbers): Report {
    this.#solver.setTarget(0, target);
    return this.#solver.solve(this.character.pose);
  }

  trace(from: Pose, target: Numbers, iterations: number): Trace {
    this.#solver.setTarget(0, target);
    return this.#solver.trace(from, iterations > 0 ? iterations : TRACE_ITERATIONS);
  }

  free() {
    this.#solver.free();
  }
}

interface Attempt {
  readonly goals: Goal[];
  readonly settings: SolverOptions;
  readonly note: string;
}

/** All goals at first; where a method cannot do them, fewer, with a word on what was left out. */
function* attempts(studio: Studio, character: Character, grab: Grab): Generator<Attempt> {
  const { method, iterations } = studio.solver;
  const { joints } = character.skeleton;
  const chained = CHAIN_METHODS.has(method);
  const others = [...character.pins.keys()].filter((joint) => joint !== grab.joint);
  const hand: Goal = {
    kind: "position", joint: grab.joint, target: grab.start, point: grab.point,
    level: method === "auto" && others.length > 0 ? 2 : 1,
  };
  const root = joints[grab.joint]!.parent < 0;
  const settings: SolverOptions = {
    method, pose: character.pose, continuity: method === "auto", history: true,
    freeRoot: others.length > 0 || root,
    locked: [...character.locked].filter((joint) => joint !== grab.joint),
    ...(iterations > 0 ? { maxIterations: iterations } : {}),
  };
  const pins = pinGoals(character, grab.joint, !chained, method);
  const posture: Goal = { kind: "posture", pose: character.pose.slice(), weight: POSTURE_WEIGHT };
  if (!chained) yield { goals: [hand, ...pins, ...poleGoals(character, pins.length > 0), posture], settings, note: "" };
  const turns = [...character.pins.values()].some(({ turn }) => turn !== null);
  const partly = turns || character.poles.size > 0 ? `${method} takes places alone: orientations and poles are left out` : "";
  if (method !== "two-bone") yield { goals: [hand, ...pins.filter(({ kind }) => kind === "position")], settings, note: partly };
  const alone = others.length > 0 ? `${method} follows one chain: the pins are left out` : "";
  const chain = chainStart(character, grab.joint, method === "two-bone" ? 2 : Infinity);
  yield { goals: [{ ...hand, level: 1 }], settings: { ...settings, freeRoot: root, chain }, note: alone };
}

function pinGoals(character: Character, dragged: number, turns: boolean, method: string): Goal[] {
  const goals: Goal[] = [];
  // Only auto has levels: elsewhere pins are heavy instead.
  const heavy = method === "auto" ? {} : { weight: 20 };
  for (const [joint, pin] of character.pins) {
    if (joint !== dragged) goals.push({ kind: "position", joint, target: pin.target, level: pin.level, ...heavy });
    if (turns && pin.turn) goals.push({ kind: "orientation", joint, target: pin.turn, level: pin.level, ...heavy });
  }
  return goals;
}

function poleGoals(character: Character, hasLevelOne: boolean): Goal[] {
  return [...character.poles].map(([mid, { start, end, target }]) => ({
    kind: "pole", start, mid, end, target, weight: 0.3, level: hasLevelOne ? 2 : 1,
  }));
}

/** The first joint of the chain to a joint: its root's child on the way, or so many joints up. */
function chainStart(character: Character, joint: number, most: number): number {
  const { parents } = character.skeleton;
  let start = joint;
  for (let up = 0; up < most && parents[start]! >= 0; ++up) {
    if (most === Infinity && parents[parents[start]!]! < 0 && !character.planar) break;
    start = parents[start]!;
  }
  return start;
}
