// SPDX-License-Identifier: Apache-2.0

// A character on the stage: what a file held, the pose it is in, and what holds it there.
import type {
  Clip,
  Diagnostic,
  Document,
  Engine,
  Mesh,
  Pose,
  Quat,
  Skeleton,
  Stage,
  Vec3,
  Weights,
} from "@ulna/engine";

export type LimitsMode = "own" | "anatomical" | "none";

/** A joint that stays at a place, and in its orientation where `turn` is given. */
export interface Pin {
  target: Vec3;
  turn: Quat | null;
  reached: boolean; // not for a place that was out of reach when the pin was put there: others come first
}

/** A limb that bends towards a place; kept by its middle joint. */
export interface Pole {
  start: number;
  end: number;
  target: Vec3;
}

/** Everything about a character that can be undone. Nothing in it is ever changed in place. */
export interface Snapshot {
  readonly pose: Pose;
  readonly pins: ReadonlyMap<number, Pin>;
  readonly pinsStale: boolean;
  readonly poles: ReadonlyMap<number, Pole>;
  readonly locked: ReadonlySet<number>;
  readonly clips: readonly Clip[];
  readonly clipIndex: number;
  readonly time: number;
  readonly meshes: readonly Mesh[];
  readonly weights: readonly Weights[];
  readonly limits: LimitsMode;
}

export class Character {
  readonly name: string;
  readonly format: string;
  readonly skeleton: Skeleton;
  readonly warnings: readonly Diagnostic[];
  readonly originals: readonly Clip[];
  readonly rest: Pose;
  readonly planar: boolean;

  meshes: readonly Mesh[];
  pose: Pose;
  pins = new Map<number, Pin>();
  poles = new Map<number, Pole>();
  locked = new Set<number>();
  clips: Clip[];
  clipIndex: number;
  time = 0;
  limits: LimitsMode = "own";
  stage: Stage;
  recognised = 0; // joints of a body that anatomical limits know
  weights: Weights[]; // of each mesh

  /** Every mesh it ever had: undo may bring one back. */
  readonly #surfaces: Set<Mesh>;

  /** Whether the pose is one the clip does not have at this time: edited, and not keyed. */
  edited = false;
  /** Whether pins have to be put where their joints are before they hold: the pose came from elsewhere. */
  pinsStale = false;

  /** The largest extent at rest or at the start of the first clip, for the size of handles. */
  readonly size: number;

  constructor(document: Pick<Document, "name" | "format" | "skeleton" | "clips" | "meshes" | "warnings">) {
    this.name = document.name;
    this.format = document.format;
    this.skeleton = document.skeleton;
    this.meshes = document.meshes;
    this.#surfaces = new Set(document.meshes);
    this.warnings = document.warnings;
    this.planar = document.skeleton.planar;
    this.originals = document.clips;
    this.clips = [...document.clips];
    this.clipIndex = document.clips.length > 0 ? 0 : -1;
    this.rest = document.skeleton.restPose();
    this.pose = this.rest.slice();
    this.weights = document.meshes.map((mesh) => mesh.weights());
    this.size = extentOf(this.skeleton, this.rest, this.clips[0] ?? null, this.meshes);
    this.stage = must(this.skeleton.stage("own"));
  }

  get clip(): Clip | null {
    return this.clips[this.clipIndex] ?? null;
  }
  get original(): Clip | null {
    return this.originals[this.clipIndex] ?? null;
  }
  get clipEdited(): boolean {
    return this.clip !== null && this.original !== null && this.clip !== this.original;
  }

  snapshot(): Snapshot {
    return {
      pose: this.pose.slice(),
      pins: new Map(this.pins),
      pinsStale: this.pinsStale,
      poles: new Map(this.poles),
      locked: new Set(this.locked),
      clips: [...this.clips],
      clipIndex: this.clipIndex,
      time: this.time,
      meshes: this.meshes,
      weights: [...this.weights],
      limits: this.limits,
    };
  }

  restore(state: Snapshot) {
    this.pose.set(state.pose);
    this.pins = new Map(state.pins);
    this.pinsStale = state.pinsStale;
    this.poles = new Map(state.poles);
    this.locked = new Set(state.locked);
    this.clips = [...state.clips];
    this.clipIndex = state.clipIndex;
    this.time = state.time;
    const known = new Map(this.meshes.map((mesh, i) => [mesh, this.weights[i]]));
    state.meshes.forEach((mesh, i) => {
      if (state.weights[i] !== known.get(mesh)) mesh.setWeights(state.weights[i]!);
    });
    this.meshes = state.meshes;
    this.weights = [...state.weights];
    if (state.limits !== this.limits) this.setLimits(state.limits);
    this.edited = this.clip === null || !sameNumbers(this.clip.sample(this.time), this.pose);
  }

  /** Shows the clip at a time. */
  sample(time: number) {
    this.time = time;
    if (this.clip === null) return;
    this.clip.sample(time, this.pose);
    this.edited = false;
    this.pinsStale = true;
  }

  setLimits(limits: LimitsMode): Diagnostic | null {
    const made = this.skeleton.stage(limits);
    if (!made.ok) return made.error;
    this.stage.free();
    this.stage = made.value;
    this.limits = limits;
    if (limits === "anatomical") this.recognised = made.value.recognised.length;
    return null;
  }

  /** Human limits where most of a body is recognised, the file's own elsewhere. */
  chooseLimits() {
    if (this.planar || this.setLimits("anatomical") !== null) return;
    const parts = new Set(this.stage.recognised.map(({ part }) => part));
    const ownLimits = this.skeleton.dofs.some(({ min, max }) => Number.isFinite(min) || Number.isFinite(max));
    const cones = this.skeleton.joints.some(({ cone }) => cone !== null);
    if (parts.size < 8 || ownLimits || cones) this.setLimits("own");
  }

  addClip(clip: Clip) {
    this.clips = [...this.clips, clip];
    this.clipIndex = this.clips.length - 1;
  }

  /** A surface that has weights for this skeleton. */
  addMesh(mesh: Mesh) {
    this.#surfaces.add(mesh);
    this.meshes = [...this.meshes, mesh];
    this.weights = [...this.weights, mesh.weights()];
  }

  pin(joint: number, withTurn: boolean) {
    const target = this.place(joint);
    const turn = withTurn
      ? (Array.from(this.skeleton.orientations(this.pose).subarray(4 * joint, 4 * joint + 4)) as unknown as Quat)
      : null;
    this.pins.set(joint, { target, turn, reached: true });
  }

  /** Pins hold their joints where they are now, after the pose came from somewhere else. */
  refreshPins() {
    if (!this.pinsStale) return;
    this.pinsStale = false;
    for (const [joint, { turn }] of this.pins) this.pin(joint, turn !== null);
  }

  /** Pins the feet of a body, so that a dragged hand takes the body along and not the ground. */
  pinFeet() {
    for (const joint of feetOf(this)) this.pin(joint, true);
  }

  place(joint: number): Vec3 {
    const all = this.skeleton.modelPositions(this.pose);
    return [all[3 * joint]!, all[3 * joint + 1]!, all[3 * joint + 2]!];
  }

  free() {
    this.stage.free();
    for (const each of [...this.#surfaces, ...new Set([...this.clips, ...this.originals])]) each.free();
    this.skeleton.free();
  }
}

/** The ankles, by what the engine recognised of the body. */
function feetOf(character: Character): number[] {
  return character.stage.recognised.filter(({ part }) => /\b(foot|ankle)\b/i.test(part)).map(({ joint }) => joint);
}

function extentOf(skeleton: Skeleton, rest: Pose, clip: Clip | null, meshes: readonly Mesh[]): number {
  const places = [skeleton.modelPositions(rest)];
  if (clip) places.push(skeleton.modelPositions(clip.sample(0)));
  let extent = 0;
  for (const all of places) {
    for (let axis = 0; axis < 3; ++axis) {
      let [low, high] = [Infinity, -Infinity];
      for (let i = axis; i < all.length; i += 3) [low, high] = [Math.min(low, all[i]!), Math.max(high, all[i]!)];
      extent = Math.max(extent, high - low);
    }
  }
  if (extent > 1e-9) return extent;
  // One joint alone: its mesh tells how large things are.
  for (const mesh of meshes) for (const number of mesh.positions) extent = Math.max(extent, Math.abs(number));
  return extent > 1e-9 ? extent : 1;
}

export function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => Math.abs(value - b[i]!) < 1e-9);
}

export function must<T>(result: { ok: true; value: T } | { ok: false; error: Diagnostic }): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** Characters of the plane to play with. */
export function makePlaneCharacter(engine: Engine, kind: "chain" | "tree"): Character {
  const skeleton = kind === "chain" ? engine.makePlanarChain({ bones: 7 }) : engine.makePlanarTree({ bones: 4 });
  const name = kind === "chain" ? "planar chain" : "planar tree";
  const character = new Character({ name, format: "rig", skeleton, clips: [], meshes: [], warnings: [] });
  // A straight chain is a singular start: every method but a few has no way to begin bending.
  character.stage.applyDofs(character.pose, character.stage.dofs(character.pose).fill(kind === "chain" ? 0.25 : 0.12));
  character.rest.set(character.pose);
  return character;
}
