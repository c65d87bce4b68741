// SPDX-License-Identifier: Apache-2.0

// Skeletons: what there is to know about them, and forward kinematics.
import { Owned, POSE_STRIDE, choice, finite, numbersOf, outArray } from "./memory.js";
import { Stage } from "./stage.js";

/** As the engine numbers them. */
export const EULER_ORDERS = ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"];
const LIMITS = ["own", "none", "anatomical"];

export class Skeleton extends Owned {
  #description = null;
  #byName = null;

  constructor(memory, pointer) {
    super(memory, pointer, "skeletonFree", "skeleton");
  }

  get #all() {
    if (this.#description === null) {
      this.memory_.calls.skeletonDescribe(this.pointer_);
      this.#description = describe(this.memory_.reply());
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

  find(name) {
    this.#all;
    return this.#byName.get(name) ?? -1;
  }

  restPose(out) {
    const pose = outArray(out, this.poseSize_, Float64Array, "a pose");
    this.memory_.calls.skeletonRest(this.pointer_);
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
    this.memory_.calls.skeletonOrientations(this.pointer_);
    return this.memory_.reply().array(Float64Array);
  }

  turnJoint(pose, joint, axis, angle) {
    const index = this.jointIndex_(joint);
    this.sendPose_(pose, [...numbersOf(axis, 3, "an axis"), finite(angle, "an angle")]);
    this.memory_.calls.skeletonTurn(this.pointer_, index);
    this.receivePose_(pose);
  }

  eulerAngles(pose, joint, order, near = [0, 0, 0]) {
    const index = this.jointIndex_(joint);
    this.sendPose_(pose, numbersOf(near, 3, "the angles to be near to"));
    this.memory_.calls.skeletonEuler(this.pointer_, index, choice(EULER_ORDERS, order, "an order"));
    return this.memory_.back(this.poseSize_ + 3).slice(this.poseSize_);
  }

  setEulerAngles(pose, joint, order, angles) {
    const index = this.jointIndex_(joint);
    this.sendPose_(pose, numbersOf(angles, 3, "the angles"));
    this.memory_.calls.skeletonSetEuler(this.pointer_, index, choice(EULER_ORDERS, order, "an order"));
    this.receivePose_(pose);
  }

  mirrored(pose) {
    this.sendPose_(pose);
    const answer = this.memory_.calls.skeletonMirror(this.pointer_);
    return this.memory_.result(answer, () => this.receivePose_(new Float64Array(this.poseSize_)));
  }

  blend(a, b, amount, out) {
    const pose = outArray(out, this.poseSize_, Float64Array, "a pose");
    this.checkPose_(b);
    this.sendPose_(a, [...b.subarray(0, this.poseSize_), finite(amount, "an amount")]);
    this.memory_.calls.skeletonBlend(this.pointer_);
    return this.receivePose_(pose);
  }

  stage(limits = "own", { tPose } = {}) {
    const other = limits instanceof Skeleton ? limits : null;
    const which = other === null ? choice(LIMITS, limits, "limits") : LIMITS.length;
    this.sendPose_(tPose ?? this.restPose());
    const answer = this.memory_.calls.stageMake(this.pointer_, which, other === null ? 0 : other.pointer_);
    return this.memory_.result(answer, (reply) => {
      const warnings = reply.warnings();
      const count = reply.number();
      const recognised = Array.from({ length: count }, () => ({ joint: reply.number(), part: reply.text() }));
      const skeleton = new Skeleton(this.memory_, this.memory_.calls.stageSkeleton(answer));
      return new Stage(this.memory_, answer, this, skeleton, recognised, warnings);
    });
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

  receivePose_(pose) {
    pose.set(this.memory_.back(this.poseSize_));
    return pose;
  }

  #matrices(pose) {
    this.sendPose_(pose);
    return this.memory_.f64(this.memory_.calls.skeletonMatrices(this.pointer_), 16 * this.jointCount);
  }
}

function describe(reply) {
  const jointCount = reply.number();
  const dofCount = reply.number();
  const planar = reply.flag();
  const up = reply.flag() ? "z" : "y";
  const height = reply.number();
  const joints = Array.from({ length: jointCount }, (_, index) => readJoint(reply, index));
  for (const joint of joints) if (joint.parent >= 0) joints[joint.parent].children.push(joint.index);
  const dofs = Array.from({ length: dofCount }, () => ({
    name: reply.text(),
    joint: reply.number(),
    isAngle: reply.flag(),
    min: reply.number(),
    max: reply.number(),
  }));
  const names = joints.map((joint) => joint.name);
  const parents = Int32Array.from(joints, (joint) => joint.parent);
  return { planar, up, height, joints, dofs, names, parents };
}

function readJoint(reply, index) {
  const joint = {
    index,
    name: reply.text(),
    parent: reply.number(),
    children: [],
    kind: reply.text(),
    rest: { translation: reply.numbers(3), rotation: reply.numbers(4), scale: reply.numbers(3) },
    axes: [reply.numbers(3), reply.numbers(3)],
    order: reply.text(),
    tip: reply.numbers(3),
    radius: reply.number(),
    endSite: reply.flag(),
    locked: reply.flag(),
    stiffness: reply.number(),
    firstDof: reply.number(),
    dofCount: reply.number(),
    cone: null,
  };
  const coned = reply.flag();
  const cone = {
    axis: reply.numbers(3),
    swingMax: reply.number(),
    twistMin: reply.number(),
    twistMax: reply.number(),
  };
  if (coned) joint.cone = cone;
  return joint;
}
