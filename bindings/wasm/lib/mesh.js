// SPDX-License-Identifier: Apache-2.0

// Meshes: deformed into arrays of the caller's, and their weights.
import { Owned, choice, countOf, numbersOf, outArray } from "./memory.js";

export const BLENDS = ["linear", "dual-quaternion"];
const MODES = ["add", "subtract", "replace", "smooth"];

export class Mesh extends Owned {
  #skeleton;
  #textured;
  #coloured;

  constructor(memory, pointer, skeleton, materials = []) {
    super(memory, pointer, "meshFree", "mesh");
    this.#skeleton = skeleton;
    memory.calls.meshDescribe(pointer);
    const reply = memory.reply();
    this.vertexCount = reply.number();
    this.triangleCount = reply.number();
    this.#textured = reply.flag();
    this.#coloured = reply.flag();
    this.name = reply.text();
    this.parts = readParts(reply, materials);
  }

  get hasWeights() {
    return this.memory_.calls.meshHasWeights(this.pointer_) !== 0;
  }
  get positions() {
    return this.#attribute(0, Float32Array, 3 * this.vertexCount);
  }
  get normals() {
    return this.#attribute(1, Float32Array, 3 * this.vertexCount);
  }
  get texcoords() {
    return this.#textured ? this.#attribute(2, Float32Array, 2 * this.vertexCount) : null;
  }
  get colors() {
    return this.#coloured ? this.#attribute(3, Uint8Array, 4 * this.vertexCount) : null;
  }
  get indices() {
    return this.#attribute(4, Uint32Array, 3 * this.triangleCount);
  }

  deform(pose, { positions, normals }, { blend = "linear" } = {}) {
    const count = 3 * this.vertexCount;
    const how = choice(BLENDS, blend, "a blend");
    outArray(positions ?? [], count, Float32Array, "the positions");
    outArray(normals, count, Float32Array, "the normals");
    this.#skeleton.sendPose_(pose);
    const pointer = this.memory_.calls.meshDeform(this.pointer_, how, normals === undefined ? 0 : 1);
    positions.set(this.memory_.f32(pointer, count));
    normals?.set(this.memory_.f32(pointer + 4 * count, count));
  }

  bind(pose) {
    this.#skeleton.sendPose_(pose);
    this.memory_.calls.meshBind(this.pointer_);
  }

  weightsOf(joint, out) {
    const weights = outArray(out, this.vertexCount, Float32Array, "the weights");
    const pointer = this.memory_.calls.meshWeightsOf(this.pointer_, this.#skeleton.jointIndex_(joint));
    weights.set(this.memory_.f32(pointer, this.vertexCount));
    return weights;
  }

  weights() {
    this.memory_.calls.meshWeights(this.pointer_);
    const reply = this.memory_.reply();
    const [rows, count] = reply.numbers(2);
    const value = {
      first: reply.array(Uint32Array, rows),
      joints: reply.array(Int32Array, count),
      weights: reply.array(Float32Array, count),
    };
    this.memory_.calls.replyDone();
    return value;
  }

  setWeights({ first, joints, weights }) {
    const count = joints.length;
    checkWeights(first, joints, weights, this.vertexCount, this.#skeleton.jointCount);
    this.memory_.sendBytes(Uint32Array.from(first), Int32Array.from(joints), Float32Array.from(weights));
    this.memory_.calls.meshSetWeights(this.pointer_, first.length, count);
  }

  makeWeights({ method = "heat", stiffness = 1, most = 4 } = {}) {
    const how = choice(["heat", "distance"], method, "a method");
    if (!(stiffness > 0)) throw new RangeError("stiffness is a number above 0");
    const answer = this.memory_.calls.meshMakeWeights(this.pointer_, how, stiffness, countOf(most, 0, "most"));
    return this.memory_.result(answer, (reply) => ({
      hidden: reply.number(),
      loose: reply.number(),
      idle: reply.numbers(reply.left / 8),
    }));
  }

  paint(joint, centre, { radius, mode = "add", strength = 1, value = 1, locked = [] }) {
    const index = this.#skeleton.jointIndex_(joint);
    if (!(radius >= 0)) throw new RangeError("a brush has a radius, 0 or more");
    if (!(strength >= 0 && strength <= 1)) throw new RangeError("a strength is between 0 and 1");
    if (!(value >= 0 && value <= 1)) throw new RangeError("a weight is between 0 and 1");
    this.memory_.send([
      ...numbersOf(centre, 3, "a place"),
      radius,
      strength,
      value,
      choice(MODES, mode, "a mode"),
      locked.length,
      ...locked.map((each) => this.#skeleton.jointIndex_(each)),
    ]);
    return this.memory_.calls.meshPaint(this.pointer_, index);
  }

  pointOn(triangle, barycentric) {
    if (!Number.isInteger(triangle) || triangle < 0 || triangle >= this.triangleCount)
      throw new RangeError(`the mesh has no triangle ${triangle}`);
    const shares = numbersOf(barycentric, 3, "a place on a triangle");
    const { memory_: memory } = this;
    const indices = memory.calls.meshAttribute(this.pointer_, 4);
    const corners = new Uint32Array(memory.calls.memory.buffer, indices + 12 * triangle, 3);
    const positions = memory.f32(memory.calls.meshAttribute(this.pointer_, 0), 3 * this.vertexCount);
    return [0, 1, 2].map((axis) => shares.reduce((sum, share, i) => sum + share * positions[3 * corners[i] + axis], 0));
  }

  smoothWeights({ amount = 0.5, rounds = 1 } = {}) {
    if (!(amount >= 0 && amount <= 1)) throw new RangeError("an amount is between 0 and 1");
    this.memory_.calls.meshSmooth(this.pointer_, amount, countOf(rounds, 0, "a number of rounds"));
  }

  pruneWeights({ most = 4, least = 0 } = {}) {
    if (!(least >= 0 && least < 1)) throw new RangeError("the least weight is from 0 to below 1");
    return this.memory_.calls.meshPrune(this.pointer_, countOf(most, 1, "most"), least);
  }

  mirrorWeights(from, { tolerance = this.#skeleton.height * 1e-4 } = {}) {
    const right = choice(["left", "right"], from, "a side");
    if (!(tolerance >= 0)) throw new RangeError("a tolerance is a number, 0 or more");
    const answer = this.memory_.calls.meshMirror(this.pointer_, right === 0 ? 1 : 0, tolerance);
    return this.memory_.result(answer, (reply) => ({ unmatched: reply.number() }));
  }

  /** For this folder alone. */
  isOf_(skeleton) {
    return this.#skeleton === skeleton;
  }
  write_(ply, pose, blend, read) {
    if (pose !== undefined) this.#skeleton.sendPose_(pose);
    return read(this.memory_.calls.writeMeshFile(this.pointer_, ply, pose === undefined ? 0 : 1, blend));
  }

  #attribute(which, Type, count) {
    const pointer = this.memory_.calls.meshAttribute(this.pointer_, which);
    return new Type(this.memory_.calls.memory.buffer, count > 0 ? pointer : 0, count).slice();
  }
}

function readParts(reply, materials) {
  let first = 0;
  return Array.from({ length: reply.number() }, () => {
    const [triangles, material] = reply.numbers(2);
    first += triangles;
    return { first: first - triangles, triangles, material: materials[material] ?? null };
  });
}

function checkWeights(first, joints, weights, vertexCount, jointCount) {
  if (first.length === 0 && joints.length === 0 && weights.length === 0) return;
  if (first.length !== vertexCount + 1) throw new RangeError(`weights need a row for each of ${vertexCount} vertices`);
  if (joints.length !== weights.length || first[0] !== 0 || first[vertexCount] !== joints.length)
    throw new RangeError("weights need as many joints as numbers, and rows that hold them all");
  for (let v = 0; v < vertexCount; ++v)
    if (first[v] > first[v + 1]) throw new RangeError(`the weights of vertex ${v} end before they begin`);
  for (const joint of joints)
    if (!(joint >= 0 && joint < jointCount)) throw new RangeError(`the skeleton has no joint ${joint}`);
  for (const weight of weights)
    if (!(weight >= 0 && weight < Infinity)) throw new RangeError("a weight is a finite number, 0 or more");
}
