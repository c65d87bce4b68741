// SPDX-License-Identifier: Apache-2.0

// Clips: sampled, edited by their keys, made into others.
import { choice, countOf, finite, numbersOf, outArray } from "./checks.js";
import { Owned } from "./memory.js";
import { PARTS, readReduceReport, writeLayersRequest, writeReduceOptions } from "./protocol.js";

const SIZES = { translation: 3, rotation: 4, scale: 3, angle0: 1, angle1: 1, angle2: 1 };

const NEW_LAYER = { name: "", weight: 1, muted: false, in: 0.5, out: 0.5, pins: [], keys: [] };

export class Clip extends Owned {
  #skeleton;
  #description = null;

  constructor(memory, pointer, skeleton, { base = null, layers = [] } = {}) {
    super(memory, pointer, "clipFree", "clip");
    this.#skeleton = skeleton;
    this.base = base;
    this.layers = layers;
  }

  get #all() {
    if (this.#description === null) {
      const { isFrames, ...rest } = this.memory_.calls.clipDescribe(this);
      this.#description = { form: isFrames ? "frames" : "keys", ...rest };
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
  get dense() {
    return this.#all.dense;
  }
  get name() {
    return this.#all.name;
  }
  set name(name) {
    const [size] = this.memory_.sendBytes(String(name));
    this.memory_.calls.clipRename(this, size);
    this.#description = null;
  }

  sample(time, out) {
    const pose = outArray(out, this.#skeleton.poseSize_, Float64Array, "a pose");
    this.memory_.calls.clipSample(this, time);
    return this.#skeleton.receivePose_(pose);
  }

  trail(joint, from, to, count, out) {
    const positions = outArray(out, 3 * countOf(count, 0, "a count"), Float32Array, "the trail");
    const index = this.#skeleton.jointIndex_(joint);
    this.memory_.calls.clipTrail(this, index, from, to, count);
    positions.set(this.memory_.reply().array(Float32Array));
    return positions;
  }

  dofCurves(joint, from, to, count, stage) {
    this.memory_.calls.clipDofCurves(this, stage, this.#skeleton.jointIndex_(joint), from, to, count);
    return this.memory_.reply().array(Float64Array);
  }

  clone() {
    return this.base ? this.layered(this.layers) : this.#like(this.memory_.calls.clipClone(this));
  }

  keyed() {
    return this.#like(this.memory_.calls.clipKeyed(this));
  }

  editable() {
    return this.#like(this.memory_.calls.clipEditable(this, this.#skeleton));
  }

  setFrameRate(fps) {
    if (!(fps > 0 && fps < Infinity)) throw new RangeError("a rate is a number above 0");
    this.memory_.calls.clipSetRate(this, fps);
    this.#description = null;
  }

  bytes() {
    this.memory_.calls.clipBytes(this);
    return this.memory_.replied((reply) => reply.bytes());
  }

  layered(layers) {
    const base = this.base ?? this;
    const all = layers.map((layer) => ({ ...NEW_LAYER, ...layer }));
    for (const { in: before, out: behind, keys } of all) {
      if (!(before >= 0 && behind >= 0)) throw new RangeError("a falloff takes some time, or none");
      for (const { rotations, translations } of keys)
        for (const numbers of [rotations, translations])
          if (numbers.length !== 3 * this.#skeleton.jointCount)
            throw new RangeError("a layer's key has three numbers for each joint");
    }
    this.memory_.sendRequest(writeLayersRequest, { layers: all }, this.#skeleton);
    const made = this.memory_.calls.clipLayered(base);
    return new Clip(this.memory_, made, this.#skeleton, { base, layers: all });
  }

  layerKeys(layer, time, pose) {
    if (!(layer < this.layers.length)) throw new RangeError(`there is no layer ${layer}`);
    if (this.layers[layer].weight === 0) throw new RangeError("a layer of weight 0 cannot be keyed");
    this.#skeleton.sendPose_(pose);
    return this.memory_.calls.clipLayerKeys(this, layer, time).keys;
  }

  compose(frames) {
    return this.memory_.calls.clipCompose(this, countOf(frames, 0, "a number of frames"));
  }

  merged() {
    return this.#like(this.memory_.calls.clipMerged(this));
  }

  reduced({ tolerance, interpolation = "linear", progress } = {}) {
    choice(["linear", "catmull-rom"], interpolation, "the interpolation of reduced keys");
    this.memory_.sendRequest(writeReduceOptions, { tolerance, interpolation });
    const answer = this.memory_.progress.during(progress, () => this.memory_.calls.clipReduced(this, this.#skeleton));
    return this.memory_.result(answer, (reply) => ({ report: readReduceReport(reply), clip: this.#like(answer) }));
  }

  sampled(fps) {
    if (!(fps > 0 && fps < Infinity)) throw new RangeError("a rate is a number above 0");
    const answer = this.memory_.calls.clipSampled(this, fps);
    return this.memory_.result(answer, () => this.#like(answer));
  }

  trimmed(from, to) {
    const answer = this.memory_.calls.clipTrimmed(this, Number(from), Number(to));
    return this.memory_.result(answer, () => this.#like(answer));
  }

  tracks(joint) {
    this.#needKeys();
    const { tracks } = this.memory_.calls.clipTracks(this, this.#joint(joint));
    for (const { interpolation, keys } of tracks)
      if (interpolation !== "hermite")
        for (const key of keys) {
          delete key.in;
          delete key.out;
        }
    return tracks;
  }

  keyTimes(joint) {
    this.#needKeys();
    this.memory_.calls.clipKeyTimes(this, this.#joint(joint));
    return this.memory_.reply().array(Float64Array);
  }

  sampleTrack(joint, part, from, to, count) {
    this.#needKeys();
    this.memory_.calls.clipSampleTrack(this, this.#skeleton.jointIndex_(joint), part, from, to, count);
    return this.memory_.reply().array(Float64Array);
  }

  setKey(joint, part, time, value, tangents) {
    this.#needKeys();
    const index = this.#skeleton.jointIndex_(joint);
    const size = SIZES[PARTS[choice(PARTS, part, "a part")]];
    const numbers = numbersOf(value, size, `a ${part}`);
    for (const number of numbers) finite(number, "a key's value");
    if (tangents === undefined) {
      this.memory_.send([...numbers, 0]);
    } else {
      const none = new Array(size).fill(0);
      const [arriving, leaving] = [tangents.in ?? none, tangents.out ?? none].map((t) =>
        numbersOf(t, size, "a tangent"),
      );
      this.memory_.send([...numbers, 1, ...arriving, ...leaving]);
    }
    const key = this.memory_.calls.clipSetKey(this, index, part, time);
    this.#description = null;
    if (key < 0) throw new RangeError(`joint ${this.#skeleton.names[index]} has no ${part} to key`);
    return key;
  }

  keyPose(time, pose, joints) {
    this.#needKeys();
    const all = this.#skeleton.joints.filter((joint) => !joint.endSite).map((joint) => joint.index);
    const chosen = joints === undefined ? all : joints.map((joint) => this.#skeleton.jointIndex_(joint));
    this.#skeleton.sendPose_(pose, [chosen.length, ...chosen]);
    this.memory_.calls.clipKeyPose(this, time);
    this.#description = null;
  }

  moveKey(joint, part, key, time) {
    this.#needKeys();
    const index = this.#skeleton.jointIndex_(joint);
    const moved = this.memory_.calls.clipMoveKey(this, index, part, key, time);
    this.#description = null;
    if (moved < 0) throw new RangeError(`the ${part} of joint ${this.#skeleton.names[index]} has no key ${key}`);
    return moved;
  }

  eraseKey(joint, part, key) {
    this.#needKeys();
    const index = this.#skeleton.jointIndex_(joint);
    const erased = this.memory_.calls.clipEraseKey(this, index, part, key);
    this.#description = null;
    if (!erased) throw new RangeError(`the ${part} of joint ${this.#skeleton.names[index]} has no key ${key}`);
  }

  moveKeysAt(time, to, { joint, epsilon = 1e-6 } = {}) {
    this.#needKeys();
    this.#description = null;
    return this.memory_.calls.clipMoveKeysAt(this, this.#joint(joint), time, epsilon, to);
  }

  eraseKeysAt(time, { joint, epsilon = 1e-6 } = {}) {
    this.#needKeys();
    this.#description = null;
    return this.memory_.calls.clipEraseKeysAt(this, this.#joint(joint), time, epsilon);
  }

  setInterpolation(interpolation, joint, part) {
    this.#needKeys();
    this.memory_.calls.clipInterpolate(this, this.#joint(joint), part, interpolation);
    this.#description = null;
  }

  /** For this folder alone. */
  isOf_(skeleton) {
    return this.#skeleton === skeleton;
  }

  #needKeys() {
    if (this.form !== "keys") throw new TypeError("a clip of frames has no keys; keyed() or reduced() make some");
  }

  /** Of one joint, or of all where none is given. */
  #joint(joint) {
    return joint === undefined ? undefined : this.#skeleton.jointIndex_(joint);
  }

  #like(pointer) {
    return new Clip(this.memory_, pointer, this.#skeleton);
  }
}
