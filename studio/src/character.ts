// SPDX-License-Identifier: Apache-2.0

// A character: what a file held, the pose it is in, and what holds it there. Its state is read freely and
// changed by its methods alone, each of which tells what has changed.
import type { Clip, Diagnostic, Document, Engine, Mesh, PaintOptions, Pose, Quat, Skeleton } from "@ulna/engine";
import type { Pole, Stage, Vec3, Weights } from "@ulna/engine";
import type { Tell } from "./bus.js";
import { itemAt, must, sameNumbers, vec3At } from "./lists.js";
import type { SourceFile } from "./retarget_job.js";
import type { Draft, LimitsMode, Pin, Snapshot } from "./snapshot.js";

export type PlaneKind = "chain" | "tree";

/** What a character is made of; `rest` where it is another pose than the skeleton's own. */
export type Parts = Omit<Document, "free"> & {
  readonly rest?: Pose;
  readonly stage?: Stage; // the usual one, where it is made already
  readonly source: SourceFile | PlaneKind;
};

/** A surface that was tied to a character: its file, and the pose it is bound in. */
export interface TiedFile {
  readonly file: SourceFile;
  readonly pose: Pose;
}

const USUAL_FRAME = 1 / 30; // seconds, of clips that have no frames

export class Character {
  readonly name: string;
  readonly format: string;
  readonly engine: Engine; // of all that it is made of
  readonly skeleton: Skeleton;
  readonly warnings: readonly Diagnostic[];
  readonly originals: readonly Clip[];
  readonly rest: Pose;
  readonly planar: boolean;
  readonly size: number; // a length, by which things are drawn and pulled
  readonly source: SourceFile | PlaneKind; // what it was made of

  readonly #pose: Pose;
  readonly #surfaces: Set<Mesh>; // every mesh it ever had: undo may bring one back
  readonly #tied = new Map<Mesh, TiedFile>();
  readonly #firstWeights: ReadonlyMap<Mesh, Weights>; // of the file's meshes
  #meshes: readonly Mesh[];
  #weights: readonly Weights[];
  #pins: ReadonlyMap<number, Pin> = new Map();
  #poles: ReadonlyMap<number, Pole> = new Map();
  #locked: ReadonlySet<number> = new Set();
  #gaze: Vec3 | null = null;
  #clips: readonly Clip[];
  #clipIndex: number;
  #time = 0;
  #limits: LimitsMode = "own";
  #stage: Stage;
  #edited = false;
  #drafts: readonly Draft[] = [];
  #pinsStale = false;
  #tell: Tell = () => {};

  constructor({
    name,
    format,
    engine,
    skeleton,
    clips,
    meshes,
    size,
    usualClip,
    warnings,
    rest,
    stage,
    source,
  }: Parts) {
    this.name = name;
    this.source = source;
    this.format = format;
    this.engine = engine;
    this.skeleton = skeleton;
    this.size = size;
    this.warnings = warnings;
    this.planar = skeleton.planar;
    this.originals = clips;
    this.rest = rest ?? skeleton.restPose();
    this.#pose = this.rest.slice();
    this.#surfaces = new Set(meshes);
    this.#meshes = meshes;
    this.#weights = meshes.map((mesh) => mesh.weights());
    this.#firstWeights = new Map(meshes.map((mesh, i) => [mesh, itemAt(this.#weights, i)]));
    this.#clips = clips;
    this.#clipIndex = usualClip;
    this.#stage = stage ?? must(skeleton.stage("own", { meshes }));
    if (stage) this.#limits = limitsOf(stage);
  }

  /** Whom it tells what has changed. */
  listen(tell: Tell) {
    this.#tell = tell;
  }

  // ---- what it is in

  /** The pose that is shown. To be read; `editPose` and `solvePose` change it. */
  get pose(): Pose {
    return this.#pose;
  }
  get pins(): ReadonlyMap<number, Pin> {
    return this.#pins;
  }
  /** Whether pins have to be moved to their joints before they hold: the pose came from elsewhere. */
  get pinsStale(): boolean {
    return this.#pinsStale;
  }
  get poles(): ReadonlyMap<number, Pole> {
    return this.#poles;
  }
  get locked(): ReadonlySet<number> {
    return this.#locked;
  }
  /** The point that it looks at, in the model; null where it looks wherever its pose has it. */
  get gaze(): Vec3 | null {
    return this.#gaze;
  }
  get clips(): readonly Clip[] {
    return this.#clips;
  }
  get clipIndex(): number {
    return this.#clipIndex;
  }
  get clip(): Clip | null {
    return this.#clips[this.#clipIndex] ?? null;
  }
  /** The clip shown, as the file has it; null for one that was made here. */
  get original(): Clip | null {
    return this.originals[this.#clipIndex] ?? null;
  }
  get clipEdited(): boolean {
    return this.clip !== null && this.original !== null && this.clip !== this.original;
  }
  get time(): number {
    return this.#time;
  }
  /** Whether the pose is one that the clip does not have at this time: edited, and not keyed. */
  get edited(): boolean {
    return this.#edited;
  }
  /** Poses that were edited at other moments, or at this one, and not keyed. */
  get drafts(): readonly Draft[] {
    return this.#drafts;
  }
  /** Seconds from frame to frame of the clip shown. */
  get frameTime(): number {
    const frame = this.clip?.frameTime ?? 0;
    return frame > 0 ? frame : USUAL_FRAME;
  }
  get limits(): LimitsMode {
    return this.#limits;
  }
  get stage(): Stage {
    return this.#stage;
  }
  get meshes(): readonly Mesh[] {
    return this.#meshes;
  }
  /** Of each mesh. */
  get weights(): readonly Weights[] {
    return this.#weights;
  }

  /** Every mesh that it has or that undo may bring back, those of the file first. */
  get surfaces(): readonly Mesh[] {
    return [...this.#surfaces];
  }
  /** Where a surface comes from that was tied here; null for one of the file. */
  tiedFile(mesh: Mesh): TiedFile | null {
    return this.#tied.get(mesh) ?? null;
  }
  /** The weights that a mesh of the file has there, or that a tied one has now. */
  weightsOf(mesh: Mesh): Weights {
    return this.#firstWeights.get(mesh) ?? mesh.weights();
  }
  /** Whether weights are those that the file has for a mesh. */
  asInFile(mesh: Mesh, weights: Weights): boolean {
    return this.#firstWeights.get(mesh) === weights;
  }

  /** Where a joint is in the model. */
  position(joint: number): Vec3 {
    return vec3At(this.skeleton.modelPositions(this.#pose), joint);
  }

  // ---- undo

  snapshot(): Snapshot {
    return {
      pose: this.#pose.slice(),
      drafts: this.#drafts,
      pins: this.#pins,
      pinsStale: this.#pinsStale,
      poles: this.#poles,
      locked: this.#locked,
      gaze: this.#gaze,
      clips: this.#clips,
      clipIndex: this.#clipIndex,
      time: this.#time,
      meshes: this.#meshes,
      weights: this.#weights,
      limits: this.#limits,
    };
  }

  restore(state: Snapshot) {
    this.#pose.set(state.pose);
    this.#drafts = state.drafts;
    this.#pins = state.pins;
    this.#pinsStale = state.pinsStale;
    this.#poles = state.poles;
    this.#locked = state.locked;
    this.#gaze = state.gaze;
    this.#clips = state.clips;
    this.#clipIndex = state.clipIndex;
    this.#time = state.time;
    const known = new Map(this.#meshes.map((mesh, i) => [mesh, this.#weights[i]]));
    state.meshes.forEach((mesh, i) => {
      const weights = itemAt(state.weights, i);
      if (weights !== known.get(mesh)) mesh.setWeights(weights);
    });
    this.#meshes = state.meshes;
    this.#weights = state.weights;
    if (state.limits !== this.#limits) this.setLimits(state.limits);
    this.#edited = this.clip === null || !sameNumbers(this.clip.sample(this.#time), this.#pose);
    this.#tell("pose", "goals", "clip", "time", "meshes", "weights");
  }

  // ---- the pose

  /** Changes the pose by hand; pins follow it. */
  editPose<T>(change: (pose: Pose) => T): T {
    this.#pinsStale = true;
    return this.solvePose(change);
  }

  /** Changes the pose as a solver does, which holds pins where they are. */
  solvePose<T>(change: (pose: Pose) => T): T {
    const answer = change(this.#pose);
    this.#edited = true;
    this.#tell("pose");
    return answer;
  }

  /** Gives one degree of freedom a value, within its limits. */
  setDof(dof: number, value: number) {
    this.editPose((pose) => this.#stage.setDof(pose, dof, value, { near: this.#stage.dofs(pose) }));
  }

  // ---- what holds it

  /** Pins a joint where it is, and as it is oriented. */
  pin(joint: number, withOrientation: boolean) {
    const target = this.position(joint);
    const orientation = withOrientation ? this.#orientation(joint) : null;
    this.setPin(joint, { target, orientation, reached: true });
  }

  setPin(joint: number, pin: Pin) {
    this.#pins = new Map(this.#pins).set(joint, pin);
    this.#tell("goals");
  }

  unpin(joint: number) {
    this.#pins = without(this.#pins, joint);
    this.#tell("goals");
  }

  /** Pins hold their joints where these are now, after the pose came from somewhere else. */
  refreshPins() {
    if (!this.#pinsStale) return;
    this.#pinsStale = false;
    for (const [joint, { orientation }] of this.#pins) this.pin(joint, orientation !== null);
  }

  setPole(joint: number, pole: Pole) {
    this.#poles = new Map(this.#poles).set(joint, pole);
    this.#tell("goals");
  }

  removePole(joint: number) {
    this.#poles = without(this.#poles, joint);
    this.#tell("goals");
  }

  setLocked(joint: number, locked: boolean) {
    const others = [...this.#locked].filter((each) => each !== joint);
    this.#locked = new Set(locked ? [...others, joint] : others);
    this.#tell("goals");
  }

  setGaze(gaze: Vec3 | null) {
    this.#gaze = gaze;
    this.#tell("goals");
  }

  /** Works with other limits; where that cannot be, says why and keeps those it has. */
  setLimits(limits: LimitsMode): Diagnostic | null {
    const made = this.skeleton.stage(limits, { meshes: this.#meshes });
    if (!made.ok) return made.error;
    this.#setStage(made.value, limits);
    return null;
  }

  /**
   * Gets a body ready to be dragged: with the limits that are usual for it, standing, and its feet held. `staged` where it
   * was made with its usual stage.
   */
  prepare({ staged = false } = {}) {
    const stage = staged ? null : must(this.skeleton.stage("usual", { meshes: this.#meshes }));
    if (stage) this.#setStage(stage, limitsOf(stage));
    if (this.clip) this.sample(0);
    for (const joint of this.#stage.feet) this.pin(joint, true);
    this.#pinsStale = false;
  }

  #setStage(stage: Stage, limits: LimitsMode) {
    this.#stage.free();
    this.#stage = stage;
    this.#limits = limits;
    this.#tell("goals", "pose");
  }

  #orientation(joint: number): Quat {
    const all = this.skeleton.orientations(this.#pose);
    return [itemAt(all, 4 * joint), itemAt(all, 4 * joint + 1), itemAt(all, 4 * joint + 2), itemAt(all, 4 * joint + 3)];
  }

  // ---- motion

  /**
   * Shows the clip as it is at a time; what was edited there is gone. Without a clip, remembers the time for a key to
   * come.
   */
  sample(time: number) {
    this.#drafts = this.#drafts.filter((draft) => draft !== this.#draftAt(time));
    this.#edited = false;
    this.visit(time);
  }

  /**
   * Goes to another moment. What was edited at this one and not keyed is kept, and is there again when one comes back;
   * while the clip plays, it is left out.
   */
  visit(time: number, { playing = false } = {}) {
    this.#keepDraft();
    const draft = playing ? null : this.#draftAt(time);
    this.#time = draft?.time ?? time;
    if (this.clip) {
      if (draft) this.#pose.set(draft.pose);
      else this.clip.sample(time, this.#pose);
      this.#edited = draft !== null;
      this.#pinsStale = true;
      this.#tell("pose");
    }
    this.#tell("time");
  }

  /** The time of the frame that is nearest to a time, where the clip has it. */
  frameAt(time: number): number {
    return Math.max(0, Math.round(time / this.frameTime) * this.frameTime);
  }

  #keepDraft() {
    const { clip } = this;
    if (!this.#edited || !clip) return;
    const others = this.#drafts.filter((draft) => draft !== this.#draftAt(this.#time));
    const same = sameNumbers(clip.sample(this.#time), this.#pose);
    this.#drafts = same ? others : [...others, { clip, time: this.#time, pose: this.#pose.slice() }];
  }

  #draftAt(time: number): Draft | null {
    const reach = this.frameTime / 2;
    return this.#drafts.find((each) => each.clip === this.clip && Math.abs(each.time - time) < reach) ?? null;
  }

  /** Shows another clip from its start. */
  chooseClip(index: number) {
    this.#keepDraft();
    this.#edited = false;
    this.#clipIndex = index;
    this.#tell("clip");
    this.visit(0);
  }

  /** A clip more, which is shown. */
  addClip(clip: Clip) {
    this.#keepDraft();
    this.#clips = [...this.#clips, clip];
    this.#clipIndex = this.#clips.length - 1;
    this.#tell("clip");
  }

  replaceClip(clip: Clip, by: Clip) {
    this.#clips = this.#clips.map((each) => (each === clip ? by : each));
    this.#drafts = this.#drafts.map((draft) => (draft.clip === clip ? { ...draft, clip: by } : draft));
    this.#tell("clip");
  }

  /** Changes keys of the clip shown, which must be one that no step of the history holds: see commands/keys. */
  editKeys(edit: (clip: Clip) => void) {
    if (!this.clip) return;
    edit(this.clip);
    this.#tell("clip");
  }

  // ---- skins

  /** A surface that has weights for this skeleton; where it comes from. */
  addMesh(mesh: Mesh, tied: TiedFile) {
    this.#surfaces.add(mesh);
    this.#tied.set(mesh, tied);
    this.#meshes = [...this.#meshes, mesh];
    this.#weights = [...this.#weights, mesh.weights()];
    this.#tell("meshes", "weights", "pose");
  }

  /** One touch of the brush. `keepWeights` has to follow the last one. */
  paint(mesh: number, joint: number, centre: Vec3, options: PaintOptions) {
    itemAt(this.#meshes, mesh).paint(joint, centre, options);
    this.#tell("weights", "pose");
  }

  /** Each vertex's weights a step towards its neighbours'. */
  smoothWeights() {
    this.#meshes.forEach((mesh, i) => {
      if (!mesh.hasWeights) return;
      mesh.smoothWeights({ amount: 0.5, rounds: 1 });
      this.keepWeights(i);
    });
  }

  /** Takes the weights of the engine's mesh as the value that undo knows. */
  keepWeights(mesh: number) {
    const weights = itemAt(this.#meshes, mesh).weights();
    this.#weights = this.#weights.map((each, i) => (i === mesh ? weights : each));
    this.#tell("weights", "pose");
  }

  free() {
    this.#stage.free();
    for (const each of [...this.#surfaces, ...new Set([...this.#clips, ...this.originals])]) each.free();
    this.#drafts = [];
    this.skeleton.free();
  }
}

const limitsOf = (usual: Stage): LimitsMode => (usual.limits === "anatomical" ? "anatomical" : "own");

function without<V>(map: ReadonlyMap<number, V>, key: number): ReadonlyMap<number, V> {
  return new Map([...map].filter(([each]) => each !== key));
}

const PLANE_BONES = { chain: 7, tree: 4 }; // of the chain, or of each arm of the tree; one unit long each

/** Characters of the plane, to try solvers on. */
export function makePlaneCharacter(engine: Engine, kind: PlaneKind): Character {
  const bones = PLANE_BONES[kind];
  const skeleton = kind === "chain" ? engine.makePlanarChain({ bones }) : engine.makePlanarTree({ bones });
  const size = kind === "chain" ? bones : 2 * bones; // two arms, one to each side
  // A straight chain is a singular start: every method but a few has no way to begin bending.
  const stage = must(skeleton.stage("own"));
  const rest = skeleton.restPose();
  stage.applyDofs(rest, stage.dofs(rest).fill(kind === "chain" ? 0.25 : 0.12));
  stage.free();
  const name = `planar ${kind}`;
  return new Character({
    name,
    format: "rig",
    engine,
    skeleton,
    clips: [],
    meshes: [],
    size,
    usualClip: -1,
    warnings: [],
    rest,
    source: kind,
  });
}
