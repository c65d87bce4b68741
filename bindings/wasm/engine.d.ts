// SPDX-License-Identifier: Apache-2.0

// @ulna/engine: skeletons, motion, inverse kinematics and skins, in node and in browsers.
//
//   const ulna = await createEngine();
//   const opened = ulna.open(bytes, "walk.bvh");
//   if (!opened.ok) return show(opened.error);          // what, where, the text, what to do
//   const { skeleton, clips } = opened.value;
//   const pose = clips[0].sample(0.5);                  // a plain Float64Array: copy, keep, compare
//   const matrices = skeleton.modelMatrices(pose);      // 16 numbers a joint, as three.js has them
//
// **Values and objects.** Poses, matrices, vertices and weights are plain typed arrays that belong
// to you; the engine copies into and out of them, so none ever dies under your hands. Skeletons,
// clips, meshes, stages, solvers and drags live in the engine's memory: free() gives it back at once, the
// garbage collector later. Using one after free() throws.
//
// **Failure.** What comes from outside (files, what a user asks for) gives a `Result`. A mistake in the
// calling code (a joint that is not there, an array too short) throws a RangeError or TypeError
// with a sentence. An unreachable target is neither: it is a report.
//
// **Conventions.** Right-handed, radians, seconds, quaternions x y z w, matrices by columns. Nothing
// is rescaled and no axis changed. `out` arguments are filled and returned; without one, a new array
// is made. Arrays handed to `out` may be longer than needed.

/** Makes an engine. It needs the bytes of engine.wasm: by default they are found beside engine.js. */
export function createEngine(options?: EngineOptions): Promise<Engine>;

export interface EngineOptions {
  /** The bytes of engine.wasm, a compiled module, a response to a fetch, or where to fetch it. */
  wasm?: BufferSource | WebAssembly.Module | Response | Promise<Response> | URL | string;
}

// ------------------------------------------------------------------------------------ values

/** A value, or the diagnostic that says why there is none. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Diagnostic };

// <protocol diagnostics> made from protocol.mjs
/** One error or warning about something that came from outside. */
export interface Diagnostic {
  readonly what: string; // a sentence without its full stop
  readonly file: string; // as it was named; "" when there was no name
  readonly line: number; // from 1; 0 when unknown
  readonly column: number; // in bytes, from 1; 0 when unknown
  readonly path: string; // inside JSON, such as `joints[3].limits`; "" elsewhere
  readonly text: string; // the offending text; may be ""
  readonly advice: string; // what to do; may be ""
  readonly message: string; // all of it on one line: `location: what: 'text' (advice)`
}
// </protocol>

export type Vec3 = readonly [number, number, number];
export type Quat = readonly [number, number, number, number]; // x y z w
/** Three or four numbers, in an array of any kind. */
export type Numbers = ArrayLike<number>;

/**
 * The transforms of all joints relative to their parents, ten numbers a joint: translation x y z,
 * rotation x y z w, scale x y z. A plain value: `pose.slice()` is a copy, which is all that undo needs.
 */
export type Pose = Float64Array;
export const POSE_STRIDE: 10;

/** One coordinate per degree of freedom; all zero is the rest pose. Angles may go beyond 2 pi. */
export type Dofs = Float64Array;

/** A joint by its index or its name. */
export type JointRef = number | string;

// ------------------------------------------------------------------------------------ engine

export interface Engine {
  readonly version: string; // such as "0.1.0"
  /** The bytes of memory in use by the engine at present; grows, and never shrinks. */
  readonly memory: number;
  /** The compiled engine.wasm: posted to a worker, it starts an engine there at once. */
  readonly module: WebAssembly.Module;

  /**
   * Opens a file by its bytes: BVH, GLB or glTF, rig JSON. Which of them is told by the ending of the
   * name, or by the bytes where it says nothing. The same values as the `ulna` tool has.
   */
  open(bytes: BufferSource | string, name?: string, options?: OpenOptions): Result<Document>;
  /**
   * Opens a file for another thread, whose engine receives it. What is moved is all of this engine's memory: make an
   * engine for it, and let it go afterwards. Transfer the pieces. What `prepare` does with the document is done there,
   * too, such as a mesh's first deformation, which takes longer than the next ones.
   */
  openToMove(
    bytes: BufferSource | string,
    name?: string,
    options?: OpenOptions,
    prepare?: (document: Document) => void,
  ): Result<MovedDocument>;
  /**
   * What an engine of this one's `module` has opened in another thread, to the bit, in an engine of its own. Nothing
   * is read again: memory is copied, a few megabytes at a time, and `pause` is awaited after each.
   */
  receive(
    moved: MovedDocument,
    options?: { pause?: (fraction: number) => Promise<void> },
  ): Promise<Document & { readonly stage: Stage }>; // with its usual stage

  /**
   * Reads a surface from OBJ or PLY, for a skeleton it is not tied to yet: see Mesh.makeWeights.
   */
  readMesh(skeleton: Skeleton, bytes: BufferSource | string, name?: string): Result<MeshFile>;

  /** Builds a skeleton from joints as rig files have them (docs/rig-format.md; angles in degrees). */
  makeSkeleton(joints: readonly RigJoint[], options?: { planar?: boolean }): Result<Skeleton>;

  /** A skeleton of the plane: hinges in a row along x, the first one at the origin, then an end. */
  makePlanarChain(options?: { bones?: number; length?: number }): Skeleton;
  /**
   * A skeleton of the plane: a trunk upwards that parts into arms at its top, each in the same
   * number of bones. What two goals on one tree are tried on.
   */
  makePlanarTree(options?: {
    trunk?: number; // bones; 2
    arms?: number; // 2
    bones?: number; // an arm; 3
    length?: number; // a bone; 1
  }): Skeleton;

  /** A clip without keys, to be filled with Clip.setKey and Clip.keyPose. Its base is `pose` or rest. */
  makeClip(skeleton: Skeleton, options?: { name?: string; pose?: Pose }): Clip;

  /** A clip from Clip.bytes(). */
  readClip(skeleton: Skeleton, bytes: Uint8Array): Result<Clip>;

  /** A clip in the form of frames, one for each pose. */
  makeFrames(skeleton: Skeleton, poses: readonly Pose[], options?: { frameTime?: number; name?: string }): Clip;

  /** Reads the shapes of a PC2 file, to fit a skin to: see Stage.makeFitter. */
  readPointCache(bytes: BufferSource, name?: string): Result<PointCache>;

  /**
   * Plays a clip of one body on another: limbs point as they did, feet that stood stand. Errors say which body is not
   * recognised and what is missing, and that `progress` cancelled.
   */
  retarget(clip: Clip, source: RetargetBody, target: RetargetBody, options?: RetargetOptions): Result<Retargeted>;
  /** Finds when heels and balls of the feet rest on the ground. The error is a body without legs. */
  findContacts(clip: Clip, body: RetargetBody, options?: ContactOptions): Result<Contacts>;
  /** The lowest points of the left and the right foot, of the vertices that the feet carry; empty without meshes. */
  findSoles(body: RetargetBody): Soles;

  /** Writes BVH. A keyed clip is sampled at `fps`, by default at a rate that has all its keys. */
  writeBvh(skeleton: Skeleton, clip: Clip | null, options?: BvhOptions): Result<Written>;
  /** Writes .glb, or .gltf with its buffer inside. */
  writeGltf(content: GltfContent, options?: { text?: boolean }): Result<Written>;
  /** Writes a rig file: kinds, limits and clips as coordinates per degree of freedom. */
  writeRig(skeleton: Skeleton, clips?: readonly Clip[], options?: { name?: string; fps?: number }): Result<Written>;
  /** Writes a surface without a skeleton: OBJ, or PLY in binary. In a pose where one is given. */
  writeMesh(
    mesh: Mesh,
    format: "obj" | "ply",
    options?: { pose?: Pose; blend?: Blend; twist?: Twist },
  ): Result<Written>;

  /** Names of the methods of inverse kinematics, "auto" first. */
  readonly methods: readonly Method[];
  /** Names of the ways from key to key. */
  readonly interpolations: readonly Interpolation[];
}

// <protocol documents> made from protocol.mjs
export interface OpenOptions {
  /** Files beside a .gltf that hold its buffers and images, by the names the file has for them. */
  files?: Readonly<Record<string, BufferSource>>;
  strict?: boolean; // every warning is an error; default false
  lenient?: boolean; // of BVH: rows of the wrong length are dropped with a warning; default false
  positionChannels?: "replace" | "add"; // of BVH: what position channels mean; default replace
}

export interface BvhOptions {
  fps?: number; // frames per second of keyed clips; by default a rate that has all keys
  order?: string; // of the rotation channels, such as "zxy"; by default each joint's own
  /** position channels on the roots alone: the stretch of other joints is lost, with a warning; default false */
  rootOnlyPositions?: boolean;
}
// </protocol>

/** What a file holds. */
export interface Document {
  readonly format: "bvh" | "gltf" | "rig";
  readonly name: string;
  readonly engine: Engine; // of all that is in it: objects of different engines do not meet
  readonly skeleton: Skeleton;
  readonly clips: readonly Clip[];
  readonly meshes: readonly Mesh[];
  /** How large the character is: the largest extent of its bones at rest or at the start of its first clip. */
  readonly size: number;
  /** The clip to show first: one in which the character stands, by its name, else the first; -1 without clips. */
  readonly usualClip: number;
  readonly warnings: readonly Diagnostic[];
  /** Frees the skeleton, the clips and the meshes. */
  free(): void;
}

/** A document on its way to another thread. */
export interface MovedDocument {
  readonly name: string;
  readonly version: string; // of the engine that opened it
  readonly reply: Uint8Array;
  readonly stage: unknown;
  readonly pieces: readonly ArrayBuffer[];
}

/** A surface from a file that holds nothing else. */
export interface MeshFile {
  readonly mesh: Mesh;
  readonly positionCount: number; // of the file: vertices behind these are copies at seams
  readonly warnings: readonly Diagnostic[];
}

/** The bytes of a file, and what the format cannot hold. */
export interface Written {
  readonly bytes: Uint8Array;
  readonly warnings: readonly Diagnostic[];
}

export interface GltfContent {
  skeleton: Skeleton;
  clips?: readonly Clip[];
  meshes?: readonly Mesh[];
}

/** A joint of a rig file. */
export interface RigJoint {
  name: string;
  parent?: string;
  kind?: JointKind;
  offset?: Vec3;
  rotation?: Quat;
  scale?: Vec3;
  roll?: number;
  axis?: Vec3;
  axes?: readonly [Vec3, Vec3];
  order?: string;
  limits?: readonly (readonly [number | null, number | null] | null)[];
  cone?: { axis?: Vec3; swing?: number; twist?: readonly [number, number] };
  tip?: Vec3;
  radius?: number;
  end_site?: boolean;
  locked?: boolean;
  stiffness?: number;
}

// ------------------------------------------------------------------------------------ skeletons

// <protocol joints> made from protocol.mjs
export type JointKind = "fixed" | "hinge" | "universal" | "ball" | "free" | "prismatic";

/**
 * How much a body is posed by a joint: by the ends of its limbs, by its major joints, by minor ones when somebody
 * looks closer, and never by hidden ones, such as eyes.
 */
export type HandleRank = "hidden" | "minor" | "major" | "end";

/** What a degree of freedom does, whatever a file calls it; a root twists about the vertical. */
export type Movement = "bend" | "side" | "twist" | "slide";

export type HandShape = "flat" | "relaxed" | "open" | "grip" | "fist" | "point" | "pinch";

/** Bounds of a rotation split as swing * twist about `axis`, in the joint's rest frame. */
export interface Cone {
  readonly axis: Vec3;
  readonly swingMax: number; // half the opening angle
  readonly twistMin: number;
  readonly twistMax: number;
}

/** What there is to know about a joint. Plain data. */
export interface Joint {
  readonly index: number;
  readonly name: string;
  readonly parent: number; // -1 for a root
  readonly children: readonly number[];
  readonly kind: JointKind;
  readonly rest: { readonly translation: Vec3; readonly rotation: Quat; readonly scale: Vec3 };
  readonly axes: readonly [Vec3, Vec3]; // of hinges, universal and sliding joints, in the rest frame
  readonly order: string; // of balls and free joints: "xyz", ..., or "rotation-vector"
  readonly tip: Vec3; // far end of the bone, in the joint's frame; zero when there is no bone
  readonly radius: number; // of the bone; 0 when not known
  readonly endSite: boolean; // marks a bone's tip, moves nothing
  readonly locked: boolean; // inverse kinematics leaves it as it is
  readonly stiffness: number;
  readonly firstDof: number; // its first coordinate in Dofs
  readonly dofCount: number;
  readonly cone: Cone | null; // instead of limits on the angles
  readonly rank: HandleRank;
}

/** One degree of freedom: a numeric field. */
export interface Dof {
  readonly name: string; // "LeftKnee", "Hips.tx", "Hips.rz"
  readonly joint: number;
  readonly isAngle: boolean; // otherwise a length
  readonly movement: Movement;
  readonly min: number; // -Infinity without a bound
  readonly max: number;
}

/** How a hand is held. */
export interface HandState {
  readonly shape: HandShape | null; // null where it is in none of them
  readonly curl: number; // of the fingers, on average: 0 is straight, 1 a fist
  readonly spread: number; // -1 together, 1 apart
  readonly oppose: number; // of the thumb: 0 beside the hand, 1 opposite the index finger
  readonly joints: readonly number[]; // of its fingers
}
// </protocol>

/** An immutable tree of joints, parents before children. */
export interface Skeleton {
  readonly jointCount: number;
  readonly dofCount: number;
  readonly planar: boolean;
  readonly names: readonly string[];
  readonly parents: Int32Array; // -1 for roots
  readonly joints: readonly Joint[];
  readonly dofs: readonly Dof[];
  /** How tall the body is at rest: the extent of its joints and bones along the up axis. */
  readonly height: number;
  /** Which axis is up: glTF says y, of others it is guessed from the rest pose. */
  readonly up: "y" | "z";
  /** The level direction that the body faces at rest, a unit vector; z, or -y where z is up, of what is no body. */
  readonly facing: Vec3;
  /** The joint of that name, or -1. */
  find(name: string): number;

  /** Every joint at rest. */
  restPose(out?: Pose): Pose;

  /** model_from_joint of every joint: 16 numbers each, by columns. In double or rounded to float. */
  modelMatrices(pose: Pose): Float64Array;
  modelMatrices<T extends Float32Array | Float64Array>(pose: Pose, out: T): T;
  /** Where joints are in the model: three numbers each. */
  modelPositions(pose: Pose): Float64Array;
  modelPositions<T extends Float32Array | Float64Array>(pose: Pose, out: T): T;
  /** How joints are oriented in the model, scale left out: x y z w each. */
  orientations(pose: Pose): Float64Array;

  /** Rotates a joint by an angle about an axis of the model, as a rotation ring does. Changes `pose`. */
  turnJoint(pose: Pose, joint: JointRef, axis: Numbers, angle: number): void;
  /** Euler angles of a joint's rotation beyond its rest, of all that stand for it those nearest to `near`. */
  eulerAngles(pose: Pose, joint: JointRef, order: string, near?: Numbers): Float64Array;
  /** The inverse: gives a joint a rotation. Changes `pose`. */
  setEulerAngles(pose: Pose, joint: JointRef, order: string, angles: Numbers): void;

  /** The pose in a mirror, each side doing what the other did; left and right are read from names. */
  mirrored(pose: Pose): Result<Pose>;
  /**
   * The other arm, or leg, does what that of the joint does, as in a mirror; the rest stays, and all of it for a joint
   * of the middle. Changes `pose` and returns it.
   */
  mirrorPart(pose: Pose, joint: JointRef): Result<Pose>;
  /**
   * The joints of the part of the body that a joint belongs to: an arm with its collarbone and fingers, a leg, or the
   * middle. In a body whose names have no sides, all that hangs from the joint.
   */
  part(joint: JointRef): number[];

  /** How a hand of a human body is held in a pose. An error says why there is none, or no fingers. */
  hand(pose: Pose, side: "left" | "right"): Result<HandState>;
  /**
   * Curls and spreads the fingers of a hand, and opposes its thumb, inside the skeleton's own limits: a shape by its
   * word, or all fingers alike, the thumb half as much. Changes `pose`, and says how the hand is then held.
   */
  poseHand(
    pose: Pose,
    side: "left" | "right",
    how: HandShape | { curl?: number; spread?: number; oppose?: number },
  ): Result<HandState>;

  /**
   * A pole for the limb whose middle is a joint, in front of where it bends in `pose`; null where the joint is in
   * the middle of none.
   */
  pole(pose: Pose, joint: JointRef): Pole | null;

  /** A mixture: 0 is `a`, 1 is `b`. Rotations by the shorter arc. */
  blend(a: Pose, b: Pose, amount: number, out?: Pose): Pose;

  /**
   * Whether a pose, such as the first one of a clip, is a rest pose to retarget from, where the skeleton's own is none:
   * legs straight down, arms straight and beside the body.
   */
  replacesRest(pose: Pose): boolean;

  /**
   * The skeleton with the limits one wants to work with:
   *   "usual"       those of people where most of a body is recognised and the file states none; else its own
   *   "own"         as the file has them
   *   "none"        none
   *   "anatomical"  those of people, joints recognised by their names. `tPose` is the pose they are
   *                 measured from, standing with the arms straight out: the rest pose by default
   *   a Skeleton    that one's kinds and limits, for the joints whose names and rest axes agree
   * `meshes` are skins of this skeleton: on them the bulk is measured that a natural drag keeps. Without
   * any it is that of a usual person.
   */
  stage(
    limits?: "usual" | "own" | "none" | "anatomical" | Skeleton,
    options?: { tPose?: Pose; meshes?: readonly Mesh[] },
  ): Result<Stage>;

  free(): void;
}

/**
 * A skeleton with the limits one works with: degrees of freedom, handles to draw, solvers and drags.
 *
 * Every pose that goes in or out is one of the skeleton that the stage was made of, so that stages
 * can be exchanged under a pose. Only `stage.skeleton` tells of the stage's own kinds and axes.
 */
export interface Stage {
  /** The same joints in the same order, with the stage's kinds, axes and limits. */
  readonly skeleton: Skeleton;
  /** Where its limits are from; "borrowed" from another skeleton. */
  readonly limits: "own" | "none" | "anatomical" | "borrowed";
  /** The joints of the feet, which a body stands on; for "anatomical". */
  readonly feet: readonly number[];
  /** Which joints of a body were recognised ("left knee"); for "anatomical". */
  readonly recognised: readonly { readonly joint: number; readonly part: string }[];
  readonly warnings: readonly Diagnostic[];

  /** The coordinates nearest to a pose; of those equally near, the ones nearest to `near`. */
  dofs(pose: Pose, near?: Dofs): Dofs;
  /** Writes into `pose` what the coordinates govern and keeps its stretch and scale. */
  applyDofs(pose: Pose, dofs: Dofs): void;
  /**
   * Gives one degree of freedom a value, within its limits unless `free`; changes `pose` at one joint.
   * Returns the value it got. The joint's other coordinates stay as `near` has them, or as they are.
   */
  setDof(pose: Pose, dof: number, value: number, options?: { free?: boolean; near?: Dofs }): number;
  /** Brings joints inside their limits and returns those that were outside. Changes `pose`. */
  clamp(pose: Pose): number[];
  /** How far a pose is outside its limits, in radians or units of length. */
  excess(pose: Pose): number;

  /** What to draw at a joint for its angles and their limits, in model space: arcs and a cone. */
  handles(pose: Pose, joint: JointRef): JointHandles;

  /**
   * Sets up inverse kinematics for these goals. Errors name the goal or joint: a goal that makes no
   * sense, a method that cannot do such goals, a chain that holds no goal.
   */
  makeSolver(goals: readonly Goal[], options?: SolverOptions): Result<Solver>;

  /**
   * Sets up a drag: a hand that pulls one joint while pins hold others. Arms move before the back bends, far leaps of
   * the hand are followed in small pulls, and a hand that comes back finds the body as it was. The error is the
   * solver's where the method cannot do it at all; Drag.note says what it left out.
   */
  makeDrag(pose: Pose, grab: DragGrab, options?: DragOptions): Result<Drag>;
  /**
   * The pins without which such a drag, begun in `pose`, would come at least twice as near to `target`; none where it
   * comes within a hundredth of the body's size. Costs several drags.
   */
  hinderingPins(pose: Pose, grab: DragGrab, target: Numbers, options?: DragOptions): number[];

  /**
   * Sets up the fit of skins to shapes of theirs, within the stage's limits. The meshes are those of
   * the skeleton that the stage was made from. Errors: no weights, or bound in different poses.
   */
  makeFitter(meshes: readonly Mesh[], options?: FitOptions): Result<Fitter>;

  free(): void;
}

// <protocol handles> made from protocol.mjs
/** A degree of freedom: rotate `zero` about `axis` by `value` to be where the joint is now. */
export interface Arc {
  readonly dof: number;
  readonly isAngle: boolean; // otherwise a slide along `axis`
  readonly axis: Vec3; // a unit vector
  readonly zero: Vec3; // a unit vector perpendicular to axis: where the value is 0
  readonly value: number;
  readonly min: number; // -Infinity without a bound
  readonly max: number;
}

export interface ConeHandle {
  readonly axis: Vec3; // of the cone, a unit vector: where the twist axis points at rest
  readonly pointer: Vec3; // where it points now; inside the cone while within swingMax of `axis`
  readonly swing: number; // the angle between them
  readonly swingMax: number;
  readonly zero: Vec3; // a unit vector perpendicular to pointer: where the twist is 0
  readonly twist: number;
  readonly twistMin: number;
  readonly twistMax: number;
}

/** The degrees of freedom of a joint as they lie in the model. */
export interface JointHandles {
  readonly origin: Vec3;
  readonly arcs: readonly Arc[]; // one per degree of freedom of the joint
  readonly cone: ConeHandle | null;
}
// </protocol>

// ------------------------------------------------------------------------------------ goals, solvers

// <protocol goals> made from protocol.mjs
export type Method =
  | "auto"
  | "two-bone"
  | "ccd"
  | "fabrik"
  | "transpose"
  | "gradient"
  | "projected-gradient"
  | "pinv"
  | "dls";

export interface GoalBase {
  weight?: number; // of the squared error; of a pin 1000, of others 1
  level?: 1 | 2; // 2 moves only as level 1 allows, whatever its weight; default 1
  enabled?: boolean; // default true
}

/** A point fixed to a joint reaches a position. */
export interface PositionGoal extends GoalBase {
  kind: "position";
  joint: JointRef;
  target: Numbers;
  point?: Numbers; // in the joint's coordinates; the joint itself by default
}

/**
 * A position that holds the joint where it is in SolverOptions.pose, unless `target` says where. It weighs a thousand
 * times as much as other goals: whoever pulls, it gives way by a thousandth.
 */
export interface PinGoal extends GoalBase {
  kind: "pin";
  joint: JointRef;
  target?: Numbers;
  point?: Numbers;
}

/** A joint's orientation in the model; by default the one it has in SolverOptions.pose. */
export interface OrientationGoal extends GoalBase {
  kind: "orientation";
  joint: JointRef;
  target?: Numbers; // x y z w
}

/** A direction fixed to a joint points at a position. */
export interface AimGoal extends GoalBase {
  kind: "aim";
  joint: JointRef;
  target: Numbers;
  axis?: Numbers; // in the joint's coordinates; z by default
  eye?: Numbers; // where the axis starts, in the joint's coordinates; the joint itself by default
}

/** A limb bends towards a point. */
export interface PoleGoal extends GoalBase {
  kind: "pole";
  start: JointRef;
  mid: JointRef;
  end: JointRef;
  target: Numbers;
}

/** A point on a plane, or not below it: normal . x = offset. */
export interface PlaneGoal extends GoalBase {
  kind: "plane";
  joint: JointRef;
  normal?: Numbers; // y by default
  offset?: number; // default 0
  side?: "on" | "above"; // default above
  point?: Numbers; // in the joint's coordinates; the joint itself by default
}

/** Two points keep a distance. */
export interface DistanceGoal extends GoalBase {
  kind: "distance";
  jointA: JointRef;
  jointB: JointRef;
  distance: number;
  bound?: "exactly" | "at-least" | "at-most"; // default exactly
  pointA?: Numbers; // in the coordinates of its joint; the joint itself by default
  pointB?: Numbers; // likewise
}

/** A point fixed to a joint reaches a position that moves with another joint. */
export interface RelativePositionGoal extends GoalBase {
  kind: "relative_position";
  joint: JointRef;
  base: JointRef; // what the target is fixed to
  target: Numbers; // in the coordinates of `base`
  point?: Numbers; // in the joint's coordinates; the joint itself by default
}

/** A joint's orientation as seen from another joint. */
export interface RelativeOrientationGoal extends GoalBase {
  kind: "relative_orientation";
  joint: JointRef;
  base: JointRef; // what the target is relative to
  target: Numbers; // x y z w
}

/** Two capsules, each fixed to a joint, keep their surfaces apart. */
export interface KeepApartGoal extends GoalBase {
  kind: "keep_apart";
  jointA: JointRef;
  jointB: JointRef;
  startA?: Numbers; // of a capsule's segment, in the coordinates of its joint
  endA?: Numbers; // likewise
  radiusA?: number; // default 0
  startB?: Numbers; // likewise
  endB?: Numbers; // likewise
  radiusB?: number; // default 0
  margin?: number; // at least this much between the surfaces; default 0
}

/** A point fixed to a joint, which rests on the ground. */
export interface ContactPoint {
  joint: JointRef;
  point?: Numbers; // in the joint's coordinates; the joint itself by default
}

/** A mass that moves with a joint. */
export interface JointMass {
  joint: JointRef;
  mass: number; // in any unit
  centre?: Numbers; // in the joint's coordinates; the joint itself by default
}

/** The centre of mass stays over the contact points. */
export interface BalanceGoal extends GoalBase {
  kind: "balance";
  contacts: readonly ContactPoint[]; // 1 to 32
  masses?: readonly JointMass[]; // those of a human body by default
  up?: Numbers; // a unit vector; default 0,1,0
  margin?: number; // how far inside the contacts; default 0
}

/** Stay near a pose: what a body does with the freedom that the other goals leave it. */
export interface PostureGoal extends GoalBase {
  kind: "posture";
  pose?: Pose; // to be near to; the rest pose by default
  joints?: readonly JointRef[]; // all by default
}

export interface SolverOptions {
  method?: Method; // default auto
  pose?: Pose; // where pins hold; the rest pose by default
  /** Whether free and sliding roots may move. By default they do where something is pinned. */
  freeRoot?: boolean;
  /**
   * For dragging: never leave the neighbourhood of the start. With maxIterations of 20 or so every solve is quick,
   * out of reach too: the next one goes on from there. By default false.
   */
  continuity?: boolean;
  positionTolerance?: number; // 1e-4 of the skeleton's height by default
  angleTolerance?: number; // default 0.0001
  maxIterations?: number; // by default what suits the method
  restarts?: number; // of auto alone; default 0
  seed?: number; // of the restarts; default 1
  history?: boolean; // keep Report.history; default false
  fabrikFirst?: boolean; // auto may hand a free chain to FABRIK first; default true
  chain?: JointRef; // only this joint and those below it move
  step?: number; // this and what follows is used by some methods alone; docs/ik says which; default 1
  damping?: number; // default 0.1
  jointDamping?: number; // default 0
  lineSearch?: boolean; // default true
  ccdDirection?: "end-to-root" | "root-to-end"; // default end-to-root
  locked?: readonly JointRef[]; // these stay as they are
  stiffness?: Readonly<Record<string, number>>; // by joint name: moved 1 / (1 + stiffness) as willingly
}

export type Goal =
  | PositionGoal
  | PinGoal
  | OrientationGoal
  | AimGoal
  | PoleGoal
  | PlaneGoal
  | DistanceGoal
  | RelativePositionGoal
  | RelativeOrientationGoal
  | KeepApartGoal
  | BalanceGoal
  | PostureGoal;
// </protocol>

// <protocol reports> made from protocol.mjs
export type SolverStatus = "reached" | "out_of_reach" | "stalled" | "max_iterations" | "bad_goal";

/** What became of a solve. The solver's own object: it changes with the next solve. */
export interface Report {
  readonly status: SolverStatus;
  readonly iterations: number;
  readonly attempts: number;
  readonly cost: number; // half the weighted sum of squared errors
  readonly gradient: number; // how far from stationary the answer is
  readonly errors: Float64Array; // one per goal: a length or an angle
  /** The largest error at the start and after every iteration, in units of its tolerance. */
  readonly history: Float64Array;
}

/** The way of a method, iteration by iteration. */
export interface Trace {
  readonly poses: readonly Pose[]; // the start, then the pose after each iteration
  readonly costs: Float64Array; // after each iteration: one fewer than poses
  readonly errors: Float64Array; // of each pose the largest, in units of its tolerance
  readonly status: SolverStatus; // of the last
}
// </protocol>

/** A problem set up once and solved many times; after its first solve it allocates nothing. */
export interface Solver {
  readonly goalCount: number;
  readonly positionTolerance: number;
  readonly reach: number; // the longest way from a root to a goal's body

  /** Moves a goal: a position, x y z w of an orientation, the pole of a limb. */
  setTarget(goal: number, target: Numbers): void;
  setWeight(goal: number, weight: number): void;
  setEnabled(goal: number, enabled: boolean): void;

  /** Solves from `pose` and leaves the answer there. Same input, same answer. */
  solve(pose: Pose): Report;

  /**
   * The first iterations from `pose`, which stays: a student watches CCD curl. Ends early where the
   * method does. Each pose is what a solve with so many iterations gives.
   */
  trace(pose: Pose, iterations: number): Trace;

  free(): void;
}

// ------------------------------------------------------------------------------------ drags

// <protocol drags> made from protocol.mjs
/** What the hand of a drag holds. */
export interface DragGrab {
  joint: JointRef;
  start: Numbers; // where the held point is when the drag begins, in model space
  point?: Numbers; // the held point in the joint's coordinates; the joint itself by default
}

/** A joint that stays where it is. */
export interface DragPin {
  joint: JointRef;
  target: Numbers; // in model space
  orientation?: Numbers; // x y z w in model space; without it the joint may rotate
  /**
   * whether the target could be reached when the pin was put there: others come before one that could not; default
   * true
   */
  reached?: boolean;
}

/** A limb that bends towards a point. */
export interface DragPole {
  start: JointRef;
  mid: JointRef;
  end: JointRef;
  target: Numbers; // in model space
}

/** What a human body keeps beside its pins, as far as it does when the drag begins. */
export interface NaturalRules {
  balance?: boolean; // its weight over the feet that stand; default true
  floor?: boolean; // nothing below the floor, and standing feet flat; default true
  bulk?: boolean; // limbs out of each other; default true
  pairs?: boolean; // angles of limbs together as people's; default true
}

export interface DragOptions {
  pins?: readonly DragPin[];
  poles?: readonly DragPole[];
  method?: Method; // default auto
  maxIterations?: number; // of a solve; by default what suits the method in a drag
  /** each frame goes on where the last one ended; false for a drag that is only traced; default true */
  continuity?: boolean;
  natural?: boolean; // a human body moves as people do, and the same target gives the same pose; default true
  rules?: NaturalRules; // of a natural drag; by default it keeps all
  locked?: readonly JointRef[]; // these stay as they are
  size?: number; // of the character; by default the skeleton's
}

/** What became of one frame of a drag. The drag's own object: it changes with the next solve. */
export interface DragStep {
  readonly report: Report; // of the last pull
  readonly more: boolean; // another solve with the same target would go on
  /** the report's, but out_of_reach where iterations ended and further ones would come no nearer */
  readonly status: SolverStatus;
}

/** A limb, and the point that it is to bend towards. */
export interface Pole {
  readonly start: number;
  readonly mid: number;
  readonly end: number;
  readonly target: Vec3;
}
// </protocol>

/** A drag set up when the hand takes hold, and solved once for every frame of it. */
export interface Drag {
  /** What the method left out, as a sentence; "" where it does everything. */
  readonly note: string;

  /** One frame: pulls the held point towards `target`, in model space, and leaves the answer in `pose`. */
  solve(target: Numbers, pose: Pose): DragStep;
  /** The way of the solver to `target` without pulls in between; `pose` stays. By default 120 iterations at most. */
  trace(pose: Pose, target: Numbers, iterations?: number): Trace;
  /** Where a pose has the held point, in model space. */
  heldPoint(pose: Pose): Vec3;

  /**
   * The pin of the grabbed joint after the hand let go at `target`: at the joint where the held point came there,
   * otherwise moved as the hand was, and not reached.
   */
  movedPin<P extends DragPin>(pin: P, target: Numbers, pose: Pose): P & { target: Vec3; reached: boolean };

  free(): void;
}

// ------------------------------------------------------------------------------------ motion

// <protocol keys> made from protocol.mjs
export type Interpolation = "step" | "linear" | "catmull-rom" | "uniform-catmull-rom" | "hermite";

/**
 * What a track moves: the three coordinates of a translation or scale, the rotation as a quaternion, or one angle of
 * a joint whose rotation is keyed by angles ("angle0", "angle1", "angle2").
 */
export type Part = "translation" | "rotation" | "scale" | "angle0" | "angle1" | "angle2";

export interface ReduceOptions {
  /** Called now and then with the part that is done, from 0 to 1; false cancels. It must not use the engine. */
  progress?: (fraction: number) => boolean | void;
  tolerance?: number; // a thousandth of the skeleton's height by default
  interpolation?: "linear" | "catmull-rom"; // default linear
}

export interface ReduceReport {
  readonly keys: number;
  readonly ratio: number; // numbers stored plainly at 30 frames a second to numbers kept
  readonly worstError: number; // never above the tolerance
  readonly worstJoint: number;
  readonly worstTime: number;
}

/** A key. Tangents (per second) are used by "hermite" alone. */
export interface Key {
  readonly time: number;
  readonly value: readonly number[]; // 3, 4 or 1 coordinates, as the part has
  readonly in?: readonly number[];
  readonly out?: readonly number[];
}

export interface Track {
  readonly joint: number;
  readonly part: Part;
  readonly interpolation: Interpolation;
  readonly keys: readonly Key[];
}
// </protocol>

/**
 * A clip in one of two forms: "frames" has a pose for every frame of a steady rate (BVH, rig files),
 * "keys" has tracks of keys (glTF, and whatever is edited). Keys can be set in the second only; see
 * keyed() and reduced().
 */
export interface Clip {
  readonly form: "frames" | "keys";
  name: string;
  readonly duration: number; // seconds, from 0 to the last frame or key
  readonly frameTime: number; // of frames; of keys as setFrameRate said, or at a rate that has them all, or 0
  readonly frameCount: number; // of frames; of keys 0
  readonly keyCount: number;
  /** Whether there are so many frames or keys that one key more would be a jerk: such a clip is changed by layers. */
  readonly dense: boolean;
  /** Layers on the clip, in the order in which they apply, and the clip below them; none and null for other clips. */
  readonly layers: readonly Layer[];
  readonly base: Clip | null;

  /** Frames per second in which a clip of keys is counted from now on, also by clips made of it. */
  setFrameRate(fps: number): void;

  /** The pose at a time; before the start the first one, after the end the last. */
  sample(time: number, out?: Pose): Pose;
  /** Where a joint is in the model at `count` times from `from` to `to`: three numbers each. */
  trail(joint: JointRef, from: number, to: number, count: number, out?: Float32Array): Float32Array;
  /**
   * The degrees of freedom of a joint at `count` times from `from` to `to`, without jumps: curves to
   * draw. Time by time, one number per degree of freedom. Of the stage's, or the skeleton's own.
   */
  dofCurves(joint: JointRef, from: number, to: number, count: number, stage?: Stage): Float64Array;

  /** A copy: what undo keeps. */
  clone(): Clip;
  /** A key for every frame. The same clip, sampled to the same poses. */
  keyed(): Clip;
  /** The clip as keys that people can edit one by one: a copy where they are few, else reduced. */
  editable(): Clip;
  /** Few keys, nowhere farther than `tolerance` from the clip, in units of length. */
  reduced(options?: ReduceOptions): Result<{ clip: Clip; report: ReduceReport }>;
  /**
   * The clip with layers on it; on a clip that has layers, these are instead of those. What they change is made when it
   * is asked for. Outside the frames that they change, the clip is the same to the bit.
   */
  layered(layers: readonly LayerOptions[]): Clip;
  /**
   * The keys of a layer, with one more such that the clip has `pose` at that time as far as that layer goes. The layer
   * must have a weight. Pins that it has are those of the layer.
   */
  layerKeys(layer: number, time: number, pose: Pose): readonly LayerKey[];
  /** Makes up to so many frames of those that layers change and that are not made yet; returns how many are left. */
  compose(frames: number): number;
  /** The clip and its layers as frames without layers. */
  merged(): Clip;
  /** The clip to the bit, for Engine.readClip with the same skeleton: no file format. Of a clip with layers, merged. */
  bytes(): Uint8Array;

  /** Frames at a steady rate. */
  sampled(fps: number): Result<Clip>;
  /** The part between two times, beginning at 0; as frames. */
  trimmed(from: number, to: number): Result<Clip>;

  // The rest is for clips of keys; the others throw.

  /** The tracks that have keys, of one joint or of all. */
  tracks(joint?: JointRef): readonly Track[];
  /** The times of all keys, each once, in order; of one joint or of all. */
  keyTimes(joint?: JointRef): Float64Array;
  /** A track's value at `count` times from `from` to `to`: as many numbers each as the part has. */
  sampleTrack(joint: JointRef, part: Part, from: number, to: number, count: number): Float64Array;
  /** Gives the key of exactly this time another value, or adds one; returns its index. */
  setKey(joint: JointRef, part: Part, time: number, value: Numbers, tangents?: { in?: Numbers; out?: Numbers }): number;
  /**
   * Keys what a pose has: the rotation of each joint given (all by default), the translation of
   * roots, sliding joints and those that have a translation track or differ from the base; likewise
   * scale.
   */
  keyPose(time: number, pose: Pose, joints?: readonly JointRef[]): void;
  /** Moves a key in time and returns its new index. */
  moveKey(joint: JointRef, part: Part, key: number, time: number): number;
  eraseKey(joint: JointRef, part: Part, key: number): void;
  /** Moves, or erases, every key within `epsilon` of a time; returns how many. A column of the timeline. */
  moveKeysAt(time: number, to: number, options?: KeysAt): number;
  eraseKeysAt(time: number, options?: KeysAt): number;
  /** Of one part, of a joint, or of all tracks. New tracks follow the one that was set for all. */
  setInterpolation(interpolation: Interpolation, joint?: JointRef, part?: Part): void;

  free(): void;
}

/** The layers of a clip, and what keys amount to: see Clip.layered. */
// <protocol layers> made from protocol.mjs
/** A joint that a layer keeps on the path that it has below the layer, between keys too. */
export interface LayerPin {
  joint: JointRef;
  orientation?: boolean; // whether its orientation is kept as well; default false
}

/** What is added to a clip around a few keys. */
export interface LayerOptions {
  name?: string; // for people
  weight?: number; // of what it adds; default 1
  muted?: boolean; // default false
  in?: number; // seconds before the first key in which it fades in; default 0.5
  out?: number; // seconds behind the last key in which it fades out; default 0.5
  pins?: readonly LayerPin[];
  keys?: readonly LayerKey[]; // by time
}

/** How much a pose differs from the clip at a moment: three numbers for each joint, relative to its parent. */
export interface LayerKey {
  readonly time: number;
  readonly rotations: Float64Array; // rotation vectors, in the joints' frames
  readonly translations: Float64Array;
}
// </protocol>

export type Layer = Required<LayerOptions>;

export interface KeysAt {
  joint?: JointRef; // all
  epsilon?: number; // 1e-6 s
}

// ------------------------------------------------------------------------------------ skins

// <protocol meshes> made from protocol.mjs
export type Blend = "linear" | "dual-quaternion";

/**
 * Where the arms and legs of a human body twist: at a joint, as the weights and glTF say ("joint"), or evenly over
 * the limb, so that no skin wrings ("limb").
 */
export type Twist = "joint" | "limb";

/** A picture as its file has it, for `new Blob([bytes], { type: mime })`. Its colours are sRGB. */
export interface Image {
  readonly name: string;
  readonly mime: string; // image/png or image/jpeg
  readonly bytes: Uint8Array;
}

/** An image spread over a surface by Mesh.texcoords, moved first: offset + rotated(scale * texcoord). */
export interface Texture {
  readonly image: Image; // one object for all that share it
  readonly wrapS: "repeat" | "clamp" | "mirror";
  readonly wrapT: "repeat" | "clamp" | "mirror";
  readonly magFilter: number; // as glTF numbers them; 0 where it is left to the viewer
  readonly minFilter: number;
  readonly offset: readonly [number, number];
  readonly rotation: number; // (1, 0) becomes (cos, -sin)
  readonly scale: readonly [number, number];
}

/** How a surface looks. Plain data; writeGltf keeps it with the mesh. */
export interface Material {
  readonly name: string;
  readonly baseColor: readonly [number, number, number, number]; // red, green, blue as light (linear), alpha
  readonly texture: Texture | null; // times the base colour
  readonly metallic: number;
  readonly roughness: number;
  readonly alphaMode: "opaque" | "mask" | "blend";
  readonly alphaCutoff: number; // of "mask": nothing is seen below
  readonly doubleSided: boolean;
  readonly unlit: boolean; // shown in its colour, whatever the light
}

/** Triangles in a row that look alike. */
export interface MeshPart {
  readonly first: number; // triangle
  readonly triangles: number;
  readonly material: Material | null;
}
// </protocol>

/** A surface tied to a skeleton. Everything but weights, and the pose it is bound in, is fixed. */
export interface Mesh {
  readonly name: string;
  readonly vertexCount: number;
  readonly triangleCount: number;
  readonly hasWeights: boolean;
  /** At bind: copies. Normals are computed where the file has none; others are null there. */
  readonly positions: Float32Array; // 3 a vertex
  readonly normals: Float32Array; // 3 a vertex
  readonly texcoords: Float32Array | null; // 2 a vertex
  readonly colors: Uint8Array | null; // 4 a vertex, sRGB
  readonly indices: Uint32Array; // 3 a triangle
  /** All triangles in their order, by what they look like; none where the file has no materials. */
  readonly parts: readonly MeshPart[];

  /**
   * Where vertices are in a pose, in model space: written straight into your arrays, such as those
   * of three.js attributes. Allocates nothing.
   */
  deform(
    pose: Pose,
    out: { positions: Float32Array; normals?: Float32Array },
    options?: { blend?: Blend; twist?: Twist },
  ): void;

  /**
   * Says in which pose the skeleton fits the surface, where that is not the rest pose: a BVH file's
   * has its hips at the origin, a body stands on the ground. For weights made afterwards too.
   */
  bind(pose: Pose): void;

  /** The weight of a joint at every vertex: what weight colours show. */
  weightsOf(joint: JointRef, out?: Float32Array): Float32Array;
  /** All weights as a plain value, and back: what undo keeps. */
  weights(): Weights;
  setWeights(weights: Weights): void;

  /**
   * Ties a surface to the skeleton: finds the pose that has the skeleton inside the surface, binds the mesh in it and
   * makes weights. A mesh that has weights is left as it is. Errors, each with advice: a surface far larger or smaller
   * than the skeleton, and one with no joint inside; the mesh is then as it was.
   */
  tie(options?: TieOptions): Result<TieReport>;

  /**
   * Weights made anew: by bone heat, or by distance from the bones alone. The error is a skeleton
   * without bones or a mesh without triangles.
   */
  makeWeights(options?: HeatOptions): Result<HeatReport>;

  /**
   * Paints a joint's weights within `radius` of a position, in the space of `positions`; spreads over
   * the surface, so that a brush on one finger leaves the next alone. Rows stay normalised. Returns
   * how many vertices were under the brush.
   */
  paint(joint: JointRef, centre: Numbers, options: PaintOptions): number;
  /** The position on a triangle, in the space of `positions`: where a ray's hit is at bind. */
  pointOn(triangle: number, barycentric: Numbers): Vec3;
  /** Each vertex's weights moved towards its neighbours'. Of the whole mesh. */
  smoothWeights(options?: { amount?: number; rounds?: number }): void;
  /** At most so many influences a vertex, none below `least`. Returns the largest weight lost. */
  pruneWeights(options?: { most?: number; least?: number }): number;
  /** One side's weights from the other's, joints exchanged by their names. */
  mirrorWeights(from: "left" | "right", options?: { tolerance?: number }): Result<{ unmatched: number }>;

  free(): void;
}

/** A row per vertex: influences `first[v]` to `first[v + 1]`. */
export interface Weights {
  readonly first: Uint32Array; // one more than vertices; empty without weights
  readonly joints: Int32Array;
  readonly weights: Float32Array;
}

// <protocol weights> made from protocol.mjs
export interface HeatOptions {
  method?: "heat" | "distance"; // default heat
  stiffness?: number; // of the heat: larger keeps weights closer to their bone; default 1
  most?: number; // influences a vertex keeps; default 4
}

export interface TieOptions extends HeatOptions {
  pose?: Pose; // that the character is in: the surface may be made for it, or for the rest pose
}

export interface PaintOptions {
  radius: number;
  mode?: "add" | "subtract" | "replace" | "smooth"; // default add
  strength?: number; // at the centre, from 0 to 1; default 1
  value?: number; // of replace; default 1
  locked?: readonly JointRef[]; // these keep their weights
}

export interface HeatReport {
  readonly hidden: number; // vertices that see no bone: weighted by their neighbours
  readonly loose: number; // vertices of parts that see none at all: they go with the nearest bone
  readonly idle: readonly number[]; // joints with bones that got no vertex
}

/** How a surface was tied to the skeleton. */
export interface TieReport {
  readonly how: "rest" | "present" | "raised"; // which pose has the skeleton inside the surface
  readonly pose: Pose; // that pose: the mesh is bound in it
  readonly rise: number; // by how much the rest pose was raised; below 0: lowered
  readonly outside: number; // joints that lie outside the surface all the same
  readonly hadWeights: boolean; // it was tied already and is left as it was
  readonly hidden: number; // as HeatReport
  readonly loose: number; // as HeatReport
  readonly idle: readonly number[]; // as HeatReport
  readonly warnings: readonly Diagnostic[];
}
// </protocol>

// ------------------------------------------------------------------------------------ fitting

// <protocol fitting> made from protocol.mjs
export interface FitOptions {
  /** How the distances of vertices to their targets count; the robust ones leave outliers aside. By default squares. */
  loss?: "squares" | "huber" | "geman-mcclure";
  lossScale?: number; // a length; 0 chooses it by the residuals; default 0
  tolerance?: number; // as a share of the size; default 1e-9
  maxIterations?: number; // of each round: robust losses and pins take several rounds; default 100
  smoothness?: number; // pull towards the pose that a fit starts from; default 0
  locked?: readonly JointRef[]; // joints that stay as they are
  pinned?: readonly JointRef[]; // joints held where the pose that a fit starts from has them
  masses?: ArrayLike<number>; // how much each vertex counts; 1 each by default
  missingNaN?: boolean; // targets that are not numbers are missing; by default they are refused
}

export interface FitReport {
  readonly status: "converged" | "stalled" | "max_iterations" | "bad_target";
  readonly rms: number; // of the distances of vertices to targets
  readonly worstVertex: number; // or the bad target
  readonly worstDistance: number;
  readonly iterations: number;
  readonly gradient: number; // how far from stationary
  readonly rank: number; // degrees of freedom that the shape determines,
  readonly freedoms: number; // of those there are
  readonly undetermined: readonly number[]; // joints that take part in what is not determined
}
// </protocol>

/** Skins set up once and fitted to many shapes. */
export interface Fitter {
  readonly vertexCount: number; // of all meshes, in their order
  readonly size: number; // of the skin at rest
  readonly warnings: readonly Diagnostic[];

  /**
   * Finds the pose whose skin, by linear blend, comes nearest to `positions`: 3 numbers for each vertex.
   * From `pose`, or from anywhere where `cold`; leaves the answer there.
   */
  fit(positions: Float32Array | Float64Array, pose: Pose, options?: { cold?: boolean }): FitReport;

  /**
   * How well the fits since the last cold one went, as clauses for people, each fit a frame. None where no frame
   * has a vertex that counts: then nothing is fitted.
   */
  notes(): readonly string[];

  free(): void;
}

/** The positions of the same points at many times. */
export interface PointCache {
  readonly pointCount: number;
  readonly sampleCount: number;
  readonly start: number; // the frame of the first sample
  readonly step: number; // frames from sample to sample
  readonly warnings: readonly Diagnostic[];

  sample(index: number, out?: Float32Array): Float32Array;

  free(): void;
}

// ------------------------------------------------------------------------------------ retargeting

/** One side of a retargeting. A document is one. */
export interface RetargetBody {
  skeleton: Skeleton;
  meshes?: readonly Mesh[]; // where the feet have their soles; without, these are guessed from ankles and toes
  soles?: Soles; // instead of those of the meshes
  rest?: Pose; // with flat feet and straight legs; by default the skeleton's rest pose
}

/** Points under the left and the right foot in the rest pose, in model space: three coordinates each. */
export type Soles = readonly [ArrayLike<number>, ArrayLike<number>];

// <protocol retargeting> made from protocol.mjs
/** When a sole is in contact. Heights are in leg lengths (thigh and shin), speeds in leg lengths per second. */
export interface ContactOptions {
  floor?: number; // the height of the source's floor, in its unit; found by itself by default
  beginHeight?: number; // a contact begins below this height; default 0.04
  beginSpeed?: number; // and this speed; default 0.3
  endHeight?: number; // it ends above this height; default 0.05
  endSpeed?: number; // or this speed; default 0.45
  shortest?: number; // in seconds: shorter contacts, and gaps, are none; default 0.04
}

/** What hands keep besides the directions of their arms. */
export interface RetargetKeep {
  floor?: boolean; // heights of hands near the floor; default true
  pair?: boolean; // where hands near each other are to each other; default true
  body?: boolean; // where hands are to the shoulders, by lengths of arms; default false
}

export interface RetargetOptions {
  /**
   * "lock": feet in contact stay where they are, on the floor. "keep": feet go where their legs point. "auto", the
   * default: lock, but for bodies of the same proportions, which get the motion as it is.
   */
  feet?: "auto" | "lock" | "keep";
  keep?: RetargetKeep;
  limits?: "own" | "none" | "anatomical"; // that the target keeps; default own
  floor?: number; // the height of the result's floor, in its unit; default 0
  speed?: number; // hinges move at most this many times as fast as the fastest joint of the source; default 1.5
  contact?: ContactOptions;
  contacts?: Contacts; // used instead of those that would be found
  /** Called now and then with the part that is done, from 0 to 1; false cancels. It must not use the engine. */
  progress?: (fraction: number) => boolean | void;
}

/** A time during which a part of a sole rests on the ground, by frames of the clip. */
export interface Contact {
  readonly side: "left" | "right";
  readonly part: "heel" | "ball";
  readonly first: number;
  readonly last: number; // is in contact too
}

export interface Contacts {
  readonly floor: number; // the height of the ground, in the clip's unit
  readonly contacts: readonly Contact[]; // by first frame
}

/** What became of a retargeting, in the unit of the result; speeds are per second. */
export interface RetargetReport {
  readonly scale: number; // of the path: legs of the target over legs of the source
  readonly floor: number; // of the result
  readonly slideMean: number; // horizontal speed of soles in contact: mean
  readonly slideMost: number; // and the largest
  readonly penetration: number; // how far soles are below the floor, at most
  readonly directionMean: number; // between limbs of the source and the result, in radians
  readonly directionMost: number;
  readonly fastestSource: number; // the largest angular speed of a joint, without jumps
  readonly fastest: number; // of the result likewise
  readonly fastestJoint: number; // -1 where nothing moves
  readonly lowered: number; // frames in which the pelvis was lowered for a leg to reach
}
// </protocol>

/** A clip of the target, and what became of it. */
export interface Retargeted {
  readonly clip: Clip; // with the frames, the rate and the name of the source's
  readonly report: RetargetReport;
  readonly contacts: Contacts; // of the source
  /** A matrix by columns that puts a picture of the source over the result: ground on ground, its path scaled. */
  readonly targetFromSource: readonly number[];
  readonly warnings: readonly Diagnostic[];
}
