// SPDX-License-Identifier: Apache-2.0

// Meshes: deformed into arrays of the caller's, and their weights.
import { countOf, numbersOf, outArray } from "./checks.js";
import { Owned } from "./memory.js";
import { writeHeatOptions, writePaintOptions, writeTieOptions } from "./protocol.js";

export class Mesh extends Owned {
  #skeleton;
  #textured;
  #coloured;

  constructor(memory, pointer, skeleton, materials = []) {
    super(memory, pointer, "meshFree", "mesh");
    this.#skeleton = skeleton;
    const { hasTexcoords, hasColors, parts, ...rest } = memory.calls.meshDescribe(this);
    this.#textured = hasTexcoords;
    this.#coloured = hasColors;
    Object.assign(this, rest, { parts: partsOf(parts, materials) });
  }

  get hasWeights() {
    return this.memory_.calls.meshHasWeights(this);
  }
  get positions() {
    return this.#attribute("meshPositions", Float32Array, 3 * this.vertexCount);
  }
  get normals() {
    return this.#attribute("meshNormals", Float32Array, 3 * this.vertexCount);
  }
  get texcoords() {
    return this.#textured ? this.#attribute("meshTexcoords", Float32Array, 2 * this.vertexCount) : null;
  }
  get colors() {
    return this.#coloured ? this.#attribute("meshColors", Uint8Array, 4 * this.vertexCount) : null;
  }
  get indices() {
    return this.#attribute("meshIndices", Uint32Array, 3 * this.triangleCount);
  }

  deform(pose, { positions, normals }, { blend = "linear", twist = "joint" } = {}) {
    const count = 3 * this.vertexCount;
    outArray(positions ?? [], count, Float32Array, "the positions");
    outArray(normals, count, Float32Array, "the normals");
    this.#skeleton.sendPose_(pose);
    const pointer = this.memory_.calls.meshDeform(this, blend, twist, normals !== undefined);
    positions.set(this.memory_.f32(pointer, count));
    normals?.set(this.memory_.f32(pointer + 4 * count, count));
  }

  bind(pose) {
    this.#skeleton.sendPose_(pose);
    this.memory_.calls.meshBind(this);
  }

  weightsOf(joint, out) {
    const weights = outArray(out, this.vertexCount, Float32Array, "the weights");
    const pointer = this.memory_.calls.meshWeightsOf(this, this.#skeleton.jointIndex_(joint));
    weights.set(this.memory_.f32(pointer, this.vertexCount));
    return weights;
  }

  weights() {
    this.memory_.calls.meshWeights(this);
    const reply = this.memory_.reply();
    const [rows, count] = reply.numbers(2);
    const value = {
      first: reply.array(Uint32Array, rows),
      joints: reply.array(Int32Array, count),
      weights: reply.array(Float32Array, count),
    };
    this.memory_.exports.replyDone();
    return value;
  }

  setWeights({ first, joints, weights }) {
    const count = joints.length;
    checkWeights(first, joints, weights, this.vertexCount, this.#skeleton.jointCount);
    this.memory_.sendBytes(Uint32Array.from(first), Int32Array.from(joints), Float32Array.from(weights));
    this.memory_.calls.meshSetWeights(this, first.length, count);
  }

  tie(options = {}) {
    const zUp = this.#skeleton.up === "z";
    this.memory_.sendRequest(writeTieOptions, { weights: options, pose: options.pose, zUp }, this.#skeleton);
    return this.memory_.calls.meshTie(this);
  }

  makeWeights(options = {}) {
    if (options.stiffness !== undefined && !(options.stiffness > 0))
      throw new RangeError("stiffness is a number above 0");
    this.memory_.sendRequest(writeHeatOptions, options);
    return this.memory_.calls.meshMakeWeights(this);
  }

  paint(joint, centre, options) {
    const index = this.#skeleton.jointIndex_(joint);
    const { radius, strength = 1, value = 1 } = options;
    if (!(radius >= 0)) throw new RangeError("a brush has a radius, 0 or more");
    if (!(strength >= 0 && strength <= 1)) throw new RangeError("a strength is between 0 and 1");
    if (!(value >= 0 && value <= 1)) throw new RangeError("a weight is between 0 and 1");
    this.memory_.sendRequest(writePaintOptions, { ...options, centre }, this.#skeleton);
    return this.memory_.calls.meshPaint(this, index);
  }

  pointOn(triangle, barycentric) {
    if (!Number.isInteger(triangle) || triangle < 0 || triangle >= this.triangleCount)
      throw new RangeError(`the mesh has no triangle ${triangle}`);
    const shares = numbersOf(barycentric, 3, "a position on a triangle");
    const { memory_: memory } = this;
    const indices = memory.calls.meshIndices(this);
    const corners = new Uint32Array(memory.exports.memory.buffer, indices + 12 * triangle, 3);
    const positions = memory.f32(memory.calls.meshPositions(this), 3 * this.vertexCount);
    return [0, 1, 2].map((axis) => shares.reduce((sum, share, i) => sum + share * positions[3 * corners[i] + axis], 0));
  }

  smoothWeights({ amount = 0.5, rounds = 1 } = {}) {
    if (!(amount >= 0 && amount <= 1)) throw new RangeError("an amount is between 0 and 1");
    this.memory_.calls.meshSmooth(this, amount, rounds);
  }

  pruneWeights({ most = 4, least = 0 } = {}) {
    if (!(least >= 0 && least < 1)) throw new RangeError("the least weight is from 0 to below 1");
    return this.memory_.calls.meshPrune(this, countOf(most, 1, "most"), least);
  }

  mirrorWeights(from, { tolerance = this.#skeleton.height * 1e-4 } = {}) {
    if (!(tolerance >= 0)) throw new RangeError("a tolerance is a number, 0 or more");
    return this.memory_.calls.meshMirror(this, from, tolerance);
  }

  /** For this folder alone. */
  isOf_(skeleton) {
    return this.#skeleton === skeleton;
  }
  write_(format, pose, blend, twist) {
    if (pose !== undefined) this.#skeleton.sendPose_(pose);
    return this.memory_.calls.writeMeshFile(this, format, pose !== undefined, blend, twist);
  }

  #attribute(call, Type, count) {
    const pointer = this.memory_.calls[call](this);
    return new Type(this.memory_.exports.memory.buffer, count > 0 ? pointer : 0, count).slice();
  }
}

function partsOf(parts, materials) {
  let first = 0;
  return parts.map(({ triangles, material }) => {
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
