// SPDX-License-Identifier: Apache-2.0

// Fitting: skins to shapes of theirs, and caches of such shapes.
import { outArray } from "./checks.js";
import { Owned } from "./memory.js";
import { readFitReport, readFitterReply, readPointCacheReply, writeFitOptions } from "./protocol.js";

export function makeFitter(stage, original, meshes, options) {
  if (meshes.length === 0) throw new RangeError("a fit needs a mesh");
  if (!meshes.every((mesh) => mesh.isOf_(original)))
    throw new RangeError("a fit needs meshes of the stage's own skeleton");
  const { memory_: memory } = stage;
  const numbers = [];
  writeFitOptions(numbers, options, original);
  memory.send([...numbers, ...meshes.map((mesh) => mesh.pointer_)]);
  const answer = memory.calls.fitterMake(original, stage, meshes.length);
  return memory.result(answer, (reply) => new Fitter(memory, answer, original, readFitterReply(reply)));
}

class Fitter extends Owned {
  #original;

  constructor(memory, pointer, original, { vertexCount, size, warnings }) {
    super(memory, pointer, "fitterFree", "fitter");
    this.#original = original;
    this.vertexCount = vertexCount;
    this.size = size;
    this.warnings = warnings;
  }

  fit(positions, pose, { cold = false } = {}) {
    if (positions.length !== 3 * this.vertexCount)
      throw new RangeError(`a shape has 3 numbers for each of ${this.vertexCount} vertices`);
    this.#original.sendPose_(pose, positions);
    this.memory_.calls.fitterFit(this, cold);
    this.#original.receivePose_(pose);
    return this.memory_.replied(readFitReport);
  }

  notes() {
    return this.memory_.calls.fitterNotes(this).notes;
  }
}

export function readPointCache(memory, bytes, name) {
  const answer = memory.calls.pointCacheRead(...memory.sendBytes(bytes, name));
  return memory.result(answer, (reply) => new PointCache(memory, answer, readPointCacheReply(reply)));
}

class PointCache extends Owned {
  constructor(memory, pointer, described) {
    super(memory, pointer, "pointCacheFree", "point cache");
    Object.assign(this, described);
  }

  sample(index, out) {
    if (!Number.isInteger(index) || index < 0 || index >= this.sampleCount)
      throw new RangeError(`the cache has no sample ${index}`);
    const points = outArray(out, 3 * this.pointCount, Float32Array, "the points");
    points.set(this.memory_.f32(this.memory_.calls.pointCacheSample(this, index), points.length));
    return points;
  }
}
