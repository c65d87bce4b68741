// SPDX-License-Identifier: Apache-2.0

// Fitting: shapes made by the engine's own skin and by the tool, and what is wrong with shapes.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { asset, createEngine, distance, must, nativeRun, open, placeOf } from "./support.mjs";

const engine = await createEngine();
const { skeleton, clips, meshes } = must(open(engine, asset("ulna-character.glb")));
const folder = mkdtempSync(join(tmpdir(), "ulna-fit-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const walk = clips.find(({ name }) => name === "walk") ?? clips[0];
const stage = (limits) => must(skeleton.stage(limits));

const farthest = (a, b) => a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

/** The skin of all meshes in a pose. */
function shapeOf(pose) {
  const shape = new Float32Array(3 * meshes.reduce((sum, mesh) => sum + mesh.vertexCount, 0));
  let at = 0;
  for (const mesh of meshes) {
    mesh.deform(pose, { positions: shape.subarray(at, at + 3 * mesh.vertexCount) });
    at += 3 * mesh.vertexCount;
  }
  return shape;
}

test("a skin fitted to its own shape gives back the pose, cold and from the frame before", () => {
  const fitter = must(stage("none").makeFitter(meshes));
  const pose = skeleton.restPose();
  for (const [i, time] of [0.2, 0.25, 0.3].entries()) {
    const truth = walk.sample(time);
    const report = fitter.fit(shapeOf(truth), pose, { cold: i === 0 });
    assert.equal(report.status, "converged");
    assert.ok(report.rms < 1e-6 * fitter.size, `rms ${report.rms}`);
    const [got, wished] = [skeleton.modelPositions(pose), skeleton.modelPositions(truth)];
    assert.ok(farthest(got, wished) < 1e-5 * fitter.size, `joints ${farthest(got, wished)} off`);
  }
});

test("human limits hold in a fit, on axes of their own", () => {
  const human = stage("anatomical");
  const fitter = must(human.makeFitter(meshes));
  const truth = clips[0].sample(0);
  human.clamp(truth);
  const pose = skeleton.restPose();
  const report = fitter.fit(shapeOf(truth), pose, { cold: true });
  assert.equal(report.status, "converged");
  assert.ok(report.rms < 1e-5 * fitter.size, `rms ${report.rms}`);
  assert.ok(human.excess(pose) < 1e-9);
});

test("a pinned foot stays where it is while the rest nears the shape", () => {
  const fitter = must(stage("none").makeFitter(meshes, { pinned: ["LeftFoot"] }));
  const pose = walk.sample(0);
  const before = placeOf(skeleton, pose, "LeftFoot");
  fitter.fit(shapeOf(walk.sample(0.4)), pose);
  assert.ok(distance(before, placeOf(skeleton, pose, "LeftFoot")) < 1e-7 * fitter.size);
});

test("a cache that the tool wrote is read and fitted, and the clip of it is the walk", () => {
  const path = join(folder, "walk.pc2");
  const run = nativeRun("skin", asset("ulna-character.glb"), "--clip", walk.name, "--all", "--out", path);
  assert.equal(run.status, 0, run.stderr);
  const cache = must(engine.readPointCache(readFileSync(path), "walk.pc2"));
  assert.equal(
    cache.pointCount,
    meshes.reduce((sum, mesh) => sum + mesh.vertexCount, 0),
  );
  const fitter = must(stage("none").makeFitter(meshes));
  const pose = skeleton.restPose();
  const poses = [];
  for (let i = 0; i < cache.sampleCount; ++i) {
    assert.equal(fitter.fit(cache.sample(i), pose, { cold: i === 0 }).status, "converged");
    poses.push(pose.slice());
  }
  const clip = engine.makeFrames(skeleton, poses, { frameTime: walk.duration / (poses.length - 1), name: "fitted" });
  assert.deepEqual([clip.name, clip.form, clip.frameCount], ["fitted", "frames", poses.length]);
  for (const time of [0, walk.duration / 3, walk.duration]) {
    const [got, wished] = [skeleton.modelPositions(clip.sample(time)), skeleton.modelPositions(walk.sample(time))];
    assert.ok(farthest(got, wished) < 1e-4, `at ${time}: ${farthest(got, wished)}`);
  }
  assert.throws(() => cache.sample(cache.sampleCount), /no sample/);
});

test("what is missing is left out where it may be, and refused where not", () => {
  const truth = walk.sample(0.3);
  const shape = shapeOf(truth);
  shape.fill(NaN, 300, 360);
  const pose = skeleton.restPose();
  const before = pose.slice();
  const strict = must(stage("none").makeFitter(meshes)).fit(shape, pose);
  assert.deepEqual([strict.status, strict.worstVertex], ["bad_target", 100]);
  assert.deepEqual(pose, before);
  const fitter = must(stage("none").makeFitter(meshes, { missingNaN: true }));
  assert.ok(fitter.fit(shape, pose, { cold: true }).rms < 1e-6 * fitter.size);
  assert.deepEqual(fitter.notes(), ["the skin matches it exactly, to the precision of the file"]);
  fitter.fit(shape.fill(NaN), pose);
  assert.match(fitter.notes().join(), /in frame 0,1 frame had no points/);
  fitter.fit(shape, pose, { cold: true });
  assert.deepEqual([fitter.notes(), fitter.warnings], [[], []]);
});

test("mistakes are told", () => {
  const { skeleton: other } = must(open(engine, asset("ulna-character.glb")));
  assert.throws(() => must(other.stage("none")).makeFitter(meshes), /own skeleton/);
  assert.throws(() => stage("none").makeFitter([]), /needs a mesh/);
  assert.throws(
    () => must(stage("none").makeFitter(meshes)).fit(new Float32Array(3), skeleton.restPose()),
    /3 numbers/,
  );
  assert.throws(() => engine.makeFrames(skeleton, []), /needs a pose/);
  assert.equal(engine.readPointCache(new Uint8Array(5), "short.pc2").ok, false);
});
