// SPDX-License-Identifier: Apache-2.0

// Skeletons: what there is to know about them, and forward kinematics.
import { choice, finite, numbersOf, outArray } from "./checks.js";
import { Owned, POSE_STRIDE } from "./memory.js";
import { LIMITS, readStageReply } from "./protocol.js";
import { Stage } from "./stage.js";

/** The limits that have a word: borrowed ones are those of another skeleton. */
const NAMED_LIMITS = ["usual", ...LIMITS.filter((word) => word !== "borrowed")];

export class Skeleton extends Owned {
  #description = null;
  #byName = null;

  constructor(memory, pointer) {
    super(memory, pointer, "skeletonFree", "skeleton");
  }

  get #all() {
    if (this.#description === null) {
      this.#description = describe(this.memory_.calls.skeletonDescribe(this));
      this.#byName = new Map(this.#description.names.map((name, i) => [name, i]));
    }
    return this.#description;
  }

  get jointCount() {
    return this.#all.joints.length;
  }
  get dofCount() {
    return this.#all.dofs.length;
  }
  get planar() {
    return this.#all.planar;
  }
  get names() {
    return this.#all.names;
  }
  get parents() {
    return this.#all.parents;
  }
  get joints() {
    return this.#all.joints;
  }
  get dofs() {
    return this.#all.dofs;
  }
  get height() {
    return this.#all.height;
  }
  get up() {
    return this.#all.up;
  }
  get facing() {
    return this.#all.facing;
  }

  find(name) {
    this.#all;
    return this.#byName.get(name) ?? -1;
  }

  restPose(out) {
    const pose = outArray(out, this.poseSize_, Float64Array, "a pose");
    this.memory_.calls.skeletonRest(this);
    return this.receivePose_(pose);
  }

  modelMatrices(pose, out) {
    const count = 16 * this.jointCount;
    const matrices = outArray(out, count, Float64Array, "the matrices");
    matrices.set(this.#matrices(pose));
    return matrices;
  }

  modelPositions(pose, out) {
    const positions = outArray(out, 3 * this.jointCount, Float64Array, "the positions");
    const matrices = this.#matrices(pose);
    for (let i = 0; i < this.jointCount; ++i) {
      for (let k = 0; k < 3; ++k) positions[3 * i + k] = matrices[16 * i + 12 + k];
    }
    return positions;
  }

  orientations(pose) {
    this.sendPose_(pose);
    this.memory_.calls.skeletonOrientations(this);
    return this.memory_.reply().array(Float64Array);
  }

  turnJoint(pose, joint, axis, angle) {
    const index = this.jointIndex_(joint);
    this.sendPose_(pose, [...numbersOf(axis, 3, "an axis"), finite(angle, "an angle")]);
    this.memory_.calls.skeletonTurn(this, index);
    this.receivePose_(pose);
  }

  eulerAngles(pose, joint, order, near = [0, 0, 0]) {
    const index = this.jointIndex_(joint);
    this.sendPose_(pose, numbersOf(near, 3, "the angles to be near to"));
    this.memory_.calls.skeletonEuler(this, index, order);
    return this.memory_.back(this.poseSize_ + 3).slice(this.poseSize_);
  }

  setEulerAngles(pose, joint, order, angles) {
    const index = this.jointIndex_(joint);
    this.sendPose_(pose, numbersOf(angles, 3, "the angles"));
    this.memory_.calls.skeletonSetEuler(this, index, order);
    this.receivePose_(pose);
  }

  mirrored(pose) {
    this.sendPose_(pose);
    const answer = this.memory_.calls.skeletonMirror(this);
    return this.memory_.result(answer, () => this.receivePose_(new Float64Array(this.poseSize_)));
  }

  mirrorPart(pose, joint) {
    const index = this.jointIndex_(joint);
    this.sendPose_(pose);
    const answer = this.memory_.calls.skeletonMirrorPart(this, index);
    return this.memory_.result(answer, () => this.receivePose_(pose));
  }

  part(joint) {
    return this.memory_.calls.skeletonPart(this, this.jointIndex_(joint)).joints;
  }

  hand(pose, side) {
    this.sendPose_(pose);
    return this.memory_.calls.skeletonHand(this, side);
  }

  poseHand(pose, side, how) {
    const shape = typeof how === "string" ? how : undefined;
    const { curl = 0, spread = 0, oppose = 0 } = shape === undefined ? how : {};
    this.sendPose_(pose);
    const answer = this.memory_.calls.skeletonPoseHand(this, side, shape, curl, spread, oppose);
    if (answer.ok) this.receivePose_(pose);
    return answer;
  }

  pole(pose, joint) {
    this.sendPose_(pose);
    return this.memory_.calls.skeletonPole(this, this.jointIndex_(joint)).pole;
  }

  blend(a, b, amount, out) {
    const pose = outArray(out, this.poseSize_, Float64Array, "a pose");
    this.checkPose_(b);
    this.sendPose_(a, [...b.subarray(0, this.poseSize_), finite(amount, "an amount")]);
    this.memory_.calls.skeletonBlend(this);
    return this.receivePose_(pose);
  }

  replacesRest(pose) {
    this.sendPose_(pose);
    return this.memory_.calls.skeletonReplacesRest(this);
  }

  stage(limits = "own", { tPose, meshes = [] } = {}) {
    if (!meshes.every((mesh) => mesh.isOf_(this))) throw new RangeError("a stage needs meshes of its own skeleton");
    if (limits === "usual") return { ok: true, value: this.movedStage_(this.movableStage_(meshes)) };
    const skins = meshes.map((mesh) => mesh.pointer_);
    const other = limits instanceof Skeleton ? limits : null;
    const which = other === null ? NAMED_LIMITS[choice(NAMED_LIMITS, limits, "limits")] : "borrowed";
    this.sendPose_(tPose ?? this.restPose(), skins);
    const answer = this.memory_.calls.stageMake(this, which, other, skins.length);
    return this.memory_.result(answer, () => this.#staged(answer));
  }

  // For this folder alone.

  get poseSize_() {
    return POSE_STRIDE * this.jointCount;
  }

  jointIndex_(joint) {
    const index = typeof joint === "string" ? this.find(joint) : joint;
    if (Number.isInteger(index) && index >= 0 && index < this.jointCount) return index;
    throw new RangeError(`the skeleton has no joint ${typeof joint === "string" ? `'${joint}'` : joint}`);
  }

  checkPose_(pose) {
    if (!(pose instanceof Float64Array)) throw new TypeError("a pose is a Float64Array");
    if (pose.length < this.poseSize_)
      throw new RangeError(`a pose of ${this.jointCount} joints has ${this.poseSize_} numbers, not ${pose.length}`);
  }

  /** A pose and further numbers into the input. */
  sendPose_(pose, more = []) {
    this.checkPose_(pose);
    const size = this.poseSize_;
    const room = this.memory_.room(size + more.length);
    room.set(pose.length === size ? pose : pose.subarray(0, size));
    if (more.length > 0) room.set(more, size);
  }

  /** A pose at the end of a request: how many numbers, then these. */
  pushPose_(out, pose) {
    this.checkPose_(pose);
    out.push(this.poseSize_);
    for (let i = 0; i < this.poseSize_; ++i) out.push(pose[i]);
  }

  receivePose_(pose) {
    pose.set(this.memory_.back(this.poseSize_));
    return pose;
  }

  /** The usual stage as plain values, which are a stage again where the memory is. */
  movableStage_(meshes) {
    this.memory_.send(meshes.map((mesh) => mesh.pointer_));
    const pointer = this.memory_.calls.stageMakeUsual(this, meshes.length);
    return { pointer, described: this.memory_.replied(readStageReply) };
  }

  movedStage_({ pointer, described }) {
    return this.#stageAt(pointer, described);
  }

  /** A stage that the last call made. */
  #staged(pointer) {
    return this.#stageAt(pointer, this.memory_.replied(readStageReply));
  }

  #stageAt(pointer, described) {
    const skeletonOf = (stage) => new Skeleton(this.memory_, this.memory_.calls.stageSkeleton(stage));
    return new Stage(this.memory_, pointer, this, skeletonOf, described);
  }

  #matrices(pose) {
    this.sendPose_(pose);
    return this.memory_.f64(this.memory_.calls.skeletonMatrices(this), 16 * this.jointCount);
  }
}

function describe({ planar, zUp, height, facing, joints, dofs }) {
  joints.forEach((joint, index) => Object.assign(joint, { index, children: [] }));
  for (const { parent, index } of joints) if (parent >= 0) joints[parent].children.push(index);
  const names = joints.map(({ name }) => name);
  const parents = Int32Array.from(joints, ({ parent }) => parent);
  return { planar, up: zUp ? "z" : "y", height, facing, joints, dofs, names, parents };
}
