// SPDX-License-Identifier: Apache-2.0

// From a dragged joint, pins and poles to a solver that lives as long as the drag.
import type { Goal, Numbers, Pose, Report, Solver, SolverOptions, Trace, Vec3 } from "@ulna/engine";
import type { Character } from "./character.js";
import { itemAt } from "./lists.js";
import type { Studio } from "./studio.js";

export interface Grab {
  readonly joint: number;
  readonly point: Vec3; // in the joint's coordinates: what of it is held
  readonly start: Vec3; // where that is in the model
}

/** Methods that follow one chain and know only places. */
const CHAIN_METHODS = new Set(["two-bone", "ccd", "fabrik"]);
// Pins outweigh the hand, and the hand the wish to stay near the pose the drag began in. So little a
// wish moves no goal by its tolerance, and yet a hand that comes back finds the body as it was.
const HAND_WEIGHT = 1e-3;
const POSTURE_WEIGHT = 1e-10;
// People reach with an arm before they bend their back: what carries more of the body is moved less willingly.
const TRUNK_FACTOR = 100;
const COLLAR_FACTOR = 30;
// What is pulled beyond reach pulls at the pins in proportion, and so does a leap of the pointer until
// the body has followed: this much of a body moves them by fractions of a millimetre.
const LONGEST_PULL = 0.05;
// A leap is followed in so many such pulls a frame, for as long as the hand moves by a part of each.
const PULLS_PER_FRAME = 4;
const LEAST_WAY = 0.05;
// A frame of a drag goes on where the last one ended, so each may end early.
const ITERATIONS_PER_FRAME = 6;
const TRACE_ITERATIONS = 120;

export class DragSolver {
  readonly #solver: Solver;
  readonly note: string;

  private constructor(
    private readonly character: Character,
    solver: Solver,
    note: string,
  ) {
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

  /** One frame of the drag, and whether another would go on: `place` is where a pose has the grabbed point. */
  solve(target: Numbers, place: () => Numbers): { report: Report; more: boolean } {
    const longest = LONGEST_PULL * this.character.size;
    for (let pull = 1; ; ++pull) {
      const held = place();
      const away = distance(target, held);
      const share = Math.min(1, longest / Math.max(away, 1e-12));
      this.#solver.setTarget(
        0,
        [0, 1, 2].map((i) => itemAt(held, i) + (itemAt(target, i) - itemAt(held, i)) * share),
      );
      const report = this.character.solvePose((pose) => this.#solver.solve(pose));
      const more =
        share === 1 ? report.status === "max_iterations" : away - distance(target, place()) > LEAST_WAY * longest;
      if (!more || share === 1 || pull === PULLS_PER_FRAME) return { report, more };
    }
  }

  trace(from: Pose, target: Numbers, iterations: number): Trace {
    this.#solver.setTarget(0, target);
    return this.#solver.trace(from, iterations > 0 ? iterations : TRACE_ITERATIONS);
  }

  free() {
    this.#solver.free();
  }
}

function distance(a: Numbers, b: Numbers): number {
  return Math.hypot(itemAt(a, 0) - itemAt(b, 0), itemAt(a, 1) - itemAt(b, 1), itemAt(a, 2) - itemAt(b, 2));
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
    kind: "position",
    joint: grab.joint,
    target: grab.start,
    point: grab.point,
    weight: method === "auto" && others.length > 0 ? HAND_WEIGHT : 1,
  };
  const root = itemAt(joints, grab.joint).parent < 0;
  const settings: SolverOptions = {
    method,
    pose: character.pose,
    continuity: method === "auto",
    history: true,
    freeRoot: others.length > 0 || root,
    locked: [...character.locked],
    ...(iterations > 0
      ? { maxIterations: iterations }
      : method === "auto"
        ? { maxIterations: ITERATIONS_PER_FRAME }
        : {}),
  };
  const pins = pinGoals(character, grab.joint, !chained, method);
  const posture =
    method === "auto" ? postureGoals(character, [grab.joint, ...character.pins.keys(), ...character.poles.keys()]) : [];
  if (!chained) yield { goals: [hand, ...pins, ...poleGoals(character), ...posture], settings, note: "" };
  const turns = [...character.pins.values()].some(({ orientation }) => orientation !== null);
  const partly =
    turns || character.poles.size > 0 ? `${method} takes places alone: orientations and poles are left out` : "";
  // FABRIK leaves a free root where it is, so that pins below it would only hold the hand back.
  const placed = method === "fabrik" && joints.some(({ parent, kind }) => parent < 0 && kind === "free");
  if (method !== "two-bone" && !placed)
    yield { goals: [hand, ...pins.filter(({ kind }) => kind === "position")], settings, note: partly };
  const alone = others.length > 0 ? `${method} follows one chain: the pins are left out` : "";
  const chain = chainStart(character, grab.joint, method === "two-bone" ? 2 : Infinity);
  yield { goals: [{ ...hand, weight: 1 }], settings: { ...settings, freeRoot: root, chain }, note: alone };
}

function pinGoals(character: Character, dragged: number, turns: boolean, method: string): Goal[] {
  const goals: Goal[] = [];
  for (const [joint, pin] of character.pins) {
    const weight = method === "auto" ? (pin.reached ? 1 : HAND_WEIGHT) : 20;
    if (joint !== dragged) goals.push({ kind: "position", joint, target: pin.target, weight });
    if (turns && pin.orientation) goals.push({ kind: "orientation", joint, target: pin.orientation, weight });
  }
  return goals;
}

/** Of the joints above those that goals hold: no others move. */
function postureGoals(character: Character, held: readonly number[]): Goal[] {
  const pose = character.pose.slice();
  const { joints, parents } = character.stage.skeleton;
  const carried = new Array<number>(parents.length).fill(1);
  for (let joint = parents.length - 1; joint > 0; --joint) {
    const parent = itemAt(parents, joint);
    if (parent >= 0) carried[parent] = itemAt(carried, parent) + itemAt(carried, joint);
  }
  const collars = new Set(
    character.stage.recognised.filter(({ part }) => /collarbone/.test(part)).map(({ joint }) => joint),
  );
  const above = new Set<number>();
  for (const joint of held) for (let j = joint; j >= 0 && !above.has(j); j = itemAt(parents, j)) above.add(j);
  const moving = joints.filter(({ index, dofCount }) => dofCount > 0 && above.has(index)).map(({ index }) => index);
  const trunk = moving.filter(
    (joint) =>
      itemAt(carried, joint) > parents.length / 2 && itemAt(joints, joint).children.length > 0 && !character.planar,
  );
  const collar = moving.filter((joint) => collars.has(joint));
  const rest = moving.filter((joint) => !trunk.includes(joint) && !collars.has(joint));
  const groups: [number[], number][] = [
    [trunk, TRUNK_FACTOR],
    [collar, COLLAR_FACTOR],
    [rest, 1],
  ];
  return groups
    .filter(([list]) => list.length > 0)
    .map(([list, factor]) => ({ kind: "posture", pose, joints: list, weight: POSTURE_WEIGHT * factor }));
}

function poleGoals(character: Character): Goal[] {
  return [...character.poles].map(([mid, { start, end, target }]) => ({
    kind: "pole",
    start,
    mid,
    end,
    target,
    weight: HAND_WEIGHT,
  }));
}

/** The first joint of the chain to a joint: its root's child on the way, or so many joints up. */
function chainStart(character: Character, joint: number, most: number): number {
  const { parents } = character.skeleton;
  let start = joint;
  for (let up = 0; up < most && itemAt(parents, start) >= 0; ++up) {
    if (most === Infinity && itemAt(parents, itemAt(parents, start)) < 0 && !character.planar) break;
    start = itemAt(parents, start);
  }
  return start;
}
