// SPDX-License-Identifier: Apache-2.0

// Files in and out: round trips, the native tool's messages, and whatever is wrong with a file.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import {
  asset,
  createEngine,
  filesUnder,
  largest,
  must,
  native,
  nativeRun,
  open,
  root,
  sharedFiles,
} from "./support.mjs";

const engine = await createEngine();
const corpus = (folder) => filesUnder(join(root, "tests/fuzz/corpus", folder), [""]);

test("an error is a value with its place, the text and what to do", () => {
  const path = join(root, "tests/fuzz/corpus/bvh/nan.bvh");
  const { ok, error } = engine.open(readFileSync(path), "nan.bvh");
  assert.equal(ok, false);
  assert.equal(error.file, "nan.bvh");
  assert.deepEqual([error.line, error.column], [20, 3]);
  assert.match(error.what, /the number is not finite/);
  assert.match(error.message, /^nan\.bvh:20:3: the number is not finite/);
  const rig = engine.open('{"ulna":1,"joints":[{"name":"a","limit":[]}]}', "a.rig.json");
  assert.equal(rig.ok, false);
  assert.equal(rig.error.path, "joints[0]");
  assert.match(rig.error.message, /limit/);
});

test("files that the native tool refuses are refused in the same words", () => {
  for (const path of [...corpus("bvh"), ...corpus("gltf"), ...corpus("rig")]) {
    const told = nativeRun("info", path, "--quiet");
    const opened = engine.open(readFileSync(path), path);
    // The tool also opens buffers beside a file, which the engine is handed instead.
    assert.equal(opened.ok, told.status === 0, `${path}: ${told.stderr}${opened.ok ? "" : opened.error.message}`);
    if (!opened.ok) assert.ok(told.stderr.includes(opened.error.message), `${told.stderr} | ${opened.error.message}`);
    if (opened.ok) opened.value.free();
  }
});

test("warnings are the native tool's", () => {
  for (const path of corpus("bvh")) {
    const opened = engine.open(readFileSync(path), path);
    if (!opened.ok) continue;
    const ours = opened.value.warnings.map(({ file, line, column, what, text }) => [file, line, column, what, text]);
    const told = native("info", path).warnings.map(({ file, line, column, message, text }) => [
      file ?? "",
      line ?? 0,
      column ?? 0,
      message,
      text ?? "",
    ]);
    assert.deepEqual(ours, told, path);
  }
});

test("empty, unknown and cut files break nothing", () => {
  for (const name of ["", "a.bvh", "a.glb", "a.gltf", "a.rig.json", "a.txt"]) {
    const { ok, error } = engine.open(new Uint8Array(0), name);
    assert.equal(ok, false, name);
    assert.ok(error.what.length > 0);
  }
  assert.match(engine.open("hello", "a.txt").error.message, /the format of the file is unknown/);
  const glb = readFileSync(asset("ulna-character.glb"));
  for (let share = 0; share < 1; share += 0.05)
    assert.equal(engine.open(glb.subarray(0, Math.floor(share * glb.length)), "cut.glb").ok, false);
  const bvh = readFileSync(asset("ulna-run.bvh"));
  for (let share = 0; share < 1; share += 0.02) {
    const opened = engine.open(bvh.subarray(0, Math.floor(share * bvh.length)), "cut.bvh");
    if (!opened.ok) assert.ok(opened.error.what.length > 0);
  }
});

test("a format is told by the bytes where the name says nothing", () => {
  for (const [name, format] of [
    ["ulna-run.bvh", "bvh"],
    ["ulna-character.glb", "gltf"],
    ["ulna-character.rig.json", "rig"],
  ]) {
    assert.equal(must(engine.open(readFileSync(asset(name)))).format, format);
  }
});

test("a .gltf takes its buffers from the files given with it", () => {
  for (const path of sharedFiles(["glTF/RiggedFigure.gltf", "glTF/SimpleSkin.gltf"])) {
    assert.ok(must(open(engine, path)).meshes[0].vertexCount > 0);
    const without = engine.open(readFileSync(path), path);
    assert.equal(without.ok, false);
    assert.match(without.error.path, /^buffers\[0\]/);
  }
});

/** The largest difference of two clips at some times, joint places in the model. */
function apart(a, clipA, b, clipB) {
  return Math.max(
    ...[0, 0.21, 0.5, 0.83, 1].map((share) => {
      const time = share * clipA.duration;
      const [p, q] = [a.modelPositions(clipA.sample(time)), b.modelPositions(clipB.sample(time))];
      return largest(p.map((value, i) => value - q[i]));
    }),
  );
}

test("BVH, GLB and rig files written are read back as the same motion", () => {
  for (const name of ["ulna-character.glb", "ulna-character.rig.json", "ulna-wave.bvh"]) {
    const { skeleton, clips, meshes } = must(open(engine, asset(name)));
    const clip = clips.at(-1);
    const bvh = must(engine.open(must(engine.writeBvh(skeleton, clip)).bytes, "again.bvh"));
    // Keys are made frames at their own rate, and BVH has a frame time of so many digits.
    assert.ok(apart(skeleton, clip, bvh.skeleton, bvh.clips[0]) < 1e-4, name);
    const glb = must(engine.open(must(engine.writeGltf({ skeleton, clips, meshes })).bytes, "again.glb"));
    assert.equal(glb.clips.length, clips.length);
    assert.ok(apart(skeleton, clip, glb.skeleton, glb.clips.at(-1)) < 1e-5, name);
    assert.deepEqual(
      glb.meshes.map((mesh) => mesh.positions),
      meshes.map((mesh) => mesh.positions),
    );
    const rig = must(engine.open(must(engine.writeRig(skeleton, [clip], { name: "again" })).bytes, "a.rig.json"));
    assert.ok(apart(skeleton, clip, rig.skeleton, rig.clips[0]) < 1e-4, name);
    assert.deepEqual([...rig.skeleton.names], [...skeleton.names]);
  }
});

test("the native tool finds in a written BVH the motion it was made of", () => {
  const folder = mkdtempSync(join(tmpdir(), "ulna-engine-"));
  const { skeleton, clips } = must(open(engine, asset("ulna-run.bvh")));
  writeFileSync(join(folder, "ours.bvh"), must(engine.writeBvh(skeleton, clips[0])).bytes);
  const difference = native("diff", join(folder, "ours.bvh"), asset("ulna-run.bvh"));
  assert.deepEqual([difference.frames_a, difference.frames_b], [21, 21]);
  assert.ok(difference.position.max < 1e-9 && difference.angle_degrees.max < 1e-6);
  rmSync(folder, { recursive: true });
});

test("a skeleton without a clip, and a surface in a pose, can be written", () => {
  const { skeleton, clips, meshes } = must(open(engine, asset("ulna-character.glb")));
  const bvh = must(engine.open(must(engine.writeBvh(skeleton, null)).bytes, "rest.bvh"));
  const rest = bvh.skeleton.modelPositions(bvh.clips[0].sample(0)); // one frame, for other programs' sake
  assert.ok(largest(skeleton.modelPositions(skeleton.restPose()).map((value, i) => value - rest[i])) < 1e-6);
  const pose = clips[0].sample(0.5);
  const positions = new Float32Array(3 * meshes[0].vertexCount);
  meshes[0].deform(pose, { positions });
  for (const format of ["obj", "ply"]) {
    const { bytes } = must(engine.writeMesh(meshes[0], format, { pose }));
    const { mesh } = must(engine.readMesh(skeleton, bytes, `posed.${format}`));
    const off = largest(mesh.positions.map((value, i) => value - positions[i]));
    assert.ok(off < 1e-6 * largest(positions), `${format}: ${off}`);
    assert.equal(mesh.hasWeights, false);
  }
});

test("options of reading do what they do natively", () => {
  const fewer = readFileSync(join(root, "tests/fuzz/corpus/bvh/fewer.bvh"));
  assert.equal(engine.open(fewer, "fewer.bvh").ok, true);
  assert.equal(engine.open(fewer, "fewer.bvh", { strict: true }).ok, false);
  const short = readFileSync(join(root, "tests/fuzz/corpus/bvh/short.bvh"));
  assert.equal(engine.open(short, "short.bvh").ok, false);
  assert.equal(engine.open(short, "short.bvh", { lenient: true }).ok, true);
  const offset = readFileSync(join(root, "tests/fuzz/corpus/bvh/offset.bvh"));
  const [replace, add] = ["replace", "add"].map((positionChannels) => {
    const { skeleton, clips } = must(engine.open(offset, basename("offset.bvh"), { positionChannels }));
    return [...skeleton.modelPositions(clips[0].sample(0))];
  });
  assert.notDeepEqual(replace, add);
});

test("skeletons are made from joints, and what is wrong with them is said", () => {
  const arm = must(
    engine.makeSkeleton([
      { name: "upper", kind: "ball" },
      { name: "lower", parent: "upper", kind: "hinge", axis: [0, 0, 1], offset: [1, 0, 0], limits: [[0, 150]] },
    ]),
  );
  assert.equal(arm.dofCount, 4);
  assert.ok(Math.abs(arm.dofs[3].max - (150 * Math.PI) / 180) < 1e-12);
  assert.equal(arm.dofs[0].min, -Infinity);
  const wrong = engine.makeSkeleton([{ name: "a", parent: "b" }]);
  assert.equal(wrong.ok, false);
  assert.match(wrong.error.message, /b/);
});
