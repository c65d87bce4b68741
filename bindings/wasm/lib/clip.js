// SPDX-License-Identifier: Apache-2.0

// Clips: sampled, edited by their keys, made into others.
import { Owned, choice, countOf, finite, numbersOf, outArray } from "./memory.js";

/** As the engine numbers them. */
export const INTERPOLATIONS = ["step", "linear", "catmull-rom", "uniform-catmull-rom", "hermite"];
const PARTS = ["translation", "rotation", "scale", "angle0", "angle1", "angle2"];
const SIZES = [3, 4, 3, 1, 1, 1];
const ALL = -1;

export class Clip extends Owned {
  #skeleton;
  #description = null;

  constructor(memory, pointer, skeleton) {
    super(memory, pointer, "clipFree", "clip");
    this.#skeleton = skeleton;
  }

  get #all() {
    if (this.#description === null) {
      this.memory_.calls.clipDescribe(this.pointer_);
      const reply = this.memory_.reply();
      this.#description = {
        form: reply.flag() ? "frames" : "keys",
        duration: reply.number(),
        frameTime: reply.number(),
        frameCount: reply.number(),
        keyCount: reply.number(),
        name: reply.text(),
      };
    }
    return this.#description;
  }

  get form() {
    return this.#all.form;
  }
  get duration() {
    return this.#all.duration;
  }
  get frameTime() {
    return this.#all.frameTime;
  }
  get frameCount() {
    return this.#all.frameCount;
  }
  get keyCount() {
    return this.#all.keyCount;
  }
  get name() {
    return this.#all.name;
  }
  set name(name) {
    const [size] = this.memory_.sendBytes(String(name));
    this.memory_.calls.clipRename(this.pointer_, size);
    this.#description = null;
  }

  sample(time, out) {
    const pose = outArray(out, this.#skeleton.poseSize_, Float64Array, "a pose");
    this.memory_.calls.clipSample(this.pointer_, finite(time, "a time"));
    return this.#skeleton.receivePose_(pose);
  }

  trail(joint, from, to, count, out) {
    const places = outArray(out, 3 * countOf(count, 0, "a count"), Float32Array, "the trail");
    const index = this.#joint(joint);
    this.memory_.calls.clipTrail(this.pointer_, index, finite(from, "a time"), finite(to, "a time"), count);
    places.set(this.memory_.reply().array(Float32Array));
    return places;
  }

  dofCurves(joint, from, to, count, stage) {
    const index = this.#joint(joint);
    countOf(count, 0, "a count");
    this.memory_.calls.clipDofCurves(
      this.pointer_,
      stage === undefined ? 0 : stage.pointer_,
      index,
      finite(from, "a time"),
      finite(to, "a time"),
      count,
    );
    return this.memory_.reply().array(Float64Array);
  }

  clone() {
    return this.#like(this.memory_.calls.clipClone(this.pointer_));
  }

  keyed() {
    return this.#like(this.memory_.calls.clipKeyed(this.pointer_));
  }

  reduced({ tolerance = this.#skeleton.height / 1000, interpolation = "linear" } = {}) {
    const smooth = choice(["linear", "catmull-rom"], interpolation, "the interpolation of reduced keys");
    const answer = this.memory_.calls.clipReduced(this.pointer_, Number(tolerance), smooth);
    return this.memory_.result(answer, (reply) => ({
      report: {
        keys: reply.number(),
        ratio: reply.number(),
        worstError: reply.number(),
        worstJoint: reply.number(),
        worstTime: reply.number(),
      },
      clip: this.#like(answer),
    }));
  }

  sampled(fps) {
    if (!(fps > 0 && fps < Infinity)) throw new RangeError("a rate is a number above 0");
    const answer = this.memory_.calls.clipSampled(this.pointer_, fps);
    return this.memory_.result(answer, () => this.#like(answer));
  }

  trimmed(from, to) {
    const answer = this.memory_.calls.clipTrimmed(this.pointer_, Number(from), Number(to));
    return this.memory_.result(answer, () => this.#like(answer));
  }

  tracks(joint) {
    this.#needKeys();
    this.memory_.calls.clipTracks(this.pointer_, this.#joint(joint));
    const reply = this.memory_.reply();
    const tracks = [];
    while (reply.left > 0) {
      const index = reply.number();
      const part = reply.number();
      const interpolation = INTERPOLATIONS[reply.number()];
      const keys = Array.from({ length: reply.number() }, () => readKey(reply, SIZES[part], interpolation));
      tracks.push({ joint: index, part: PARTS[part], interpolation, keys });
    }
    return tracks;
  }

  keyTimes(joint) {
    this.#needKeys();
    this.memory_.calls.clipKeyTimes(this.pointer_, this.#joint(joint));
    return this.memory_.reply().array(Float64Array);
  }

  sampleTrack(joint, part, from, to, count) {
    this.#needKeys();
    this.memory_.calls.clipSampleTrack(
      this.pointer_,
      this.#joint(joint),
      choice(PARTS, part, "a part"),
      finite(from, "a time"),
      finite(to, "a time"),
      countOf(count, 0, "a count"),
    );
    return this.memory_.reply().array(Float64Array);
  }

  setKey(joint, part, time, value, tangents) {
    this.#needKeys();
    const which = choice(PARTS, part, "a part");
    const index = this.#joint(joint);
    const size = SIZES[which];
    const numbers = numbersOf(value, size, `a ${part}`);
    for (const number of numbers) finite(number, "a key's value");
    if (tangents === undefined) {
      this.memory_.send([...numbers, 0]);
    } else {
      const none = new Array(size).fill(0);
      const [arriving, leaving] = [tangents.in ?? none, tangents.out ?? none].map((t) => numbersOf(t, size, "a tangent"));
      this.memory_.send([...numbers, 1, ...arriving, ...leaving]);
    }
    const key = this.memory_.calls.clipSetKey(this.pointer_, index, which, finite(time, "a time"));
    this.#description = null;
    if (key < 0) throw new RangeError(`joint ${this.#skeleton.names[index]} has no ${part} to key`);
    return key;
  }

  keyPose(time, pose, joints) {
    this.#needKeys();
    const all = this.#skeleton.joints.filter((joint) => !joint.endSite).map((joint) => joint.index);
    const chosen = joints === undefined ? all : joints.map((joint) => this.#skeleton.jointIndex_(joint));
    this.#skeleton.sendPose_(pose, [chosen.length, ...chosen]);
    this.memory_.calls.clipKeyPose(this.pointer_, finite(time, "a time"));
    this.#description = null;
  }

  moveKey(joint, part, key, time) {
    this.#needKeys();
    const index = this.#joint(joint);
    const which = choice(PARTS, part, "a part");
    const moved = this.memory_.calls.clipMoveKey(this.pointer_, index, which, countOf(key, 0, "a key"), finite(time, "a time"));
    this.#description = null;
    if (moved < 0) throw new RangeError(`the ${part} of joint ${this.#skeleton.names[index]} has no key ${key}`);
    return moved;
  }

  eraseKey(joint, part, key) {
    this.#needKeys();
    const index = this.#joint(joint);
    const which = choice(PARTS, part, "a part");
    const erased = this.memory_.calls.clipEraseKey(this.pointer_, index, which, countOf(key, 0, "a key"));
    this.#description = null;
    if (!erased) throw new RangeError(`the ${part} of joint ${this.#skeleton.names[index]} has no key ${key}`);
  }

  moveKeysAt(time, to, options) {
    return this.#changeKeysAt(time, options, 0, to);
  }

  eraseKeysAt(time, options) {
    return this.#changeKeysAt(time, options, 1, 0);
  }

  setInterpolation(interpolation, joint, part) {
    this.#needKeys();
    const how = choice(INTERPOLATIONS, interpolation, "an interpolation");
    const which = part === undefined ? ALL : choice(PARTS, part, "a part");
    this.memory_.calls.clipInterpolate(this.pointer_, this.#joint(joint), which, how);
    this.#description = null;
  }

  #changeKeysAt(time, { joint, epsilon = 1e-6 } = {}, erase, to) {
    this.#needKeys();
    const index = this.#joint(joint);
    const count = this.memory_.calls.clipChangeKeysAt(
      this.pointer_,
      index,
      finite(time, "a time"),
      finite(epsilon, "an epsilon"),
      erase,
      finite(to, "a time"),
    );
    this.#description = null;
    return count;
  }

  #needKeys() {
    if (this.form !== "keys") throw new TypeError("a clip of frames has no keys; keyed() or reduced() make some");
  }

  #joint(joint) {
    return joint === undefined ? ALL : this.#skeleton.jointIndex_(joint);
  }

  #like(pointer) {
    return new Clip(this.memory_, pointer, this.#skeleton);
  }
}

function readKey(reply, size, interpolation) {
  const time = reply.number();
  const [value, arriving, leaving] = [reply.numbers(size), reply.numbers(size), reply.numbers(size)];
  return interpolation === "hermite" ? { time, value, in: arriving, out: leaving } : { time, value };
}
