// SPDX-License-Identifier: Apache-2.0

// Fitting: skins to shapes of theirs, and caches of such shapes.
import { Owned, choice, countOf, finite, outArray } from "./memory.js";

/** As the engine numbers them. */
const LOSSES = ["squares", "huber", "geman-mcclure"];
const STATUSES = ["converged", "stalled", "max_iterations", "bad_target"];

export function makeFitter(stage, original, meshes, options) {
  if (meshes.length === 0) throw new RangeError("a fit needs a mesh");
  if (!meshes.every((mesh) => mesh.isOf_(original))) throw new RangeError("a fit needs meshes of the stage's own skeleton");
  const joints = (list = []) => [list.length, ...list.map((joint) => original.jointIndex_(joint))];
  const masses = options.masses ?? [];
  const { memory_: memory } = stage;
  memory.send([
    options.missingNaN ? 1 : 0,
    choice(LOSSES, options.loss ?? "squares", "a loss"),
    finite(options.lossScale ?? 0, "the scale of a loss"),
    finite(options.tolerance ?? 1e-9, "a tolerance"),
    countOf(options.maxIterations ?? 100, 0, "a number of iterations"),
    finite(options.smoothness ?? 0, "smoothness"),
    ...joints(options.locked),
    ...joints(options.pinned),
    masses.length,
    ...masses,
    ...meshes.map((mesh) => mesh.pointer_),
  ]);
  const answer = memory.calls.fitterMake(original.pointer_, stage.pointer_, meshes.length);
  return memory.result(answer, (reply) => new Fitter(memory, answer, original, ...reply.numbers(2)));
}

class Fitter extends Owned {
  #original;

  constructor(memory, pointer, original, vertexCount, size) {
    super(memory, pointer, "fitterFree", "fitter");
    this.#original = original;
    this.vertexCount = vertexCount;
    this.size = size;
  }

  fit(positions, pose, { cold = false } = {}) {
    if (positions.length !== 3 * this.vertexCount)
      throw new RangeError(`a shape has 3 numbers for each of ${this.vertexCount} vertices`);
    this.#original.sendPose_(pose, positions);
    this.memory_.calls.fitterFit(this.pointer_, cold ? 1 : 0);
    this.#original.receivePose_(pose);
    const reply = this.memory_.reply();
    const [status, rms, worstVertex, worstDistance, iterations, gradient, rank, freedoms] = reply.numbers(8);
    const undetermined = reply.numbers(reply.left / 8);
    return { status: STATUSES[status], rms, worstVertex, worstDistance, iterations, gradient, rank, freedoms, undetermined };
  }
}

export function readPointCache(memory, bytes, name) {
  const answer = memory.calls.pointCacheRead(...memory.sendBytes(bytes, name));
  return memory.result(answer, (reply) => new PointCache(memory, answer, reply.numbers(4), reply.warnings()));
}

class PointCache extends Owned {
  constructor(memory, pointer, [pointCount, sampleCount, start, step], warnings) {
    super(memory, pointer, "pointCacheFree", "point cache");
    Object.assign(this, { pointCount, sampleCount, start, step, warnings });
  }

  sample(index, out) {
    if (!Number.isInteger(index) || index < 0 || index >= this.sampleCount)
      throw new RangeError(`the cache has no sample ${index}`);
    const points = outArray(out, 3 * this.pointCount, Float32Array, "the points");
    points.set(this.memory_.f32(this.memory_.calls.pointCacheSample(this.pointer_, index), points.length));
    return points;
  }
}
