// SPDX-License-Identifier: Apache-2.0

// What one engine has opened is received by another, as if that had opened it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { asset, createEngine, must } from "./support.mjs";

const glb = readFileSync(asset("ulna-character.glb"));
const engine = await createEngine();

/** Moved as between threads: pieces are cloned, and the engine that read the file is gone. */
async function moved(bytes, name, prepare) {
  const reader = await createEngine({ wasm: engine.module });
  return structuredClone(must(reader.openToMove(bytes, name, {}, prepare)));
}

test("a received document is the opened one to the bit, with its usual stage", async () => {
  const opened = must(engine.open(glb, "a.glb"));
  let pauses = 0;
  const pause = async (fraction) => void assert.ok(++pauses > 0 && fraction > 0 && fraction <= 1);
  const warm = ({ skeleton, meshes: [mesh] }) => mesh.deform(skeleton.restPose(), { positions: mesh.positions });
  const received = await engine.receive(await moved(glb, "a.glb", warm), { pause });
  assert.ok(pauses > 1);
  for (const key of ["name", "format", "size", "usualClip", "warnings"])
    assert.deepEqual(received[key], opened[key], key);
  assert.deepEqual(received.skeleton.joints, opened.skeleton.joints);
  const pose = opened.clips[1].sample(0.4);
  opened.clips.forEach((clip, i) => {
    assert.deepEqual([received.clips[i].name, received.clips[i].sample(0.4)], [clip.name, clip.sample(0.4)]);
  });
  const [a, b] = [opened, received].map(({ meshes: [mesh] }) => {
    const positions = new Float32Array(3 * mesh.vertexCount);
    mesh.deform(pose, { positions });
    return { positions, indices: mesh.indices, weights: mesh.weights(), parts: mesh.parts };
  });
  assert.deepEqual(b, a);
  const usual = must(opened.skeleton.stage("usual", { meshes: opened.meshes }));
  assert.deepEqual([received.stage.limits, received.stage.feet], [usual.limits, usual.feet]);
  const dragged = [usual, received.stage].map((stage) => {
    const held = pose.slice();
    const drag = must(stage.makeDrag(held, { joint: "LeftHand", start: [0.6, 1.1, 0.1] }, {}));
    drag.solve([0.3, 1.4, 0.3], held);
    return held;
  });
  assert.deepEqual(dragged[1], dragged[0]);
});

test("what is received can be edited, written and freed, and goes on while other files are opened", async () => {
  const bvh = readFileSync(asset("ulna-run.bvh"));
  const received = await engine.receive(await moved(bvh, "run.bvh"));
  assert.notEqual(received.engine, engine);
  const written = must(received.engine.writeBvh(received.skeleton, received.clips[0]));
  const opened = must(engine.open(bvh, "run.bvh"));
  assert.deepEqual(written.bytes, must(engine.writeBvh(opened.skeleton, opened.clips[0])).bytes);
  const keyed = received.clips[0].keyed();
  must(received.engine.open(glb, "a.glb")).free();
  assert.deepEqual(keyed.sample(0.2), opened.clips[0].keyed().sample(0.2));
  received.free();
  assert.throws(() => received.clips[0].sample(0), /was freed/);
});

test("an error is an error, and what nobody reads is left where it is", async () => {
  const reader = await createEngine({ wasm: engine.module });
  const result = reader.openToMove("HIERARCHY\nROOT", "half.bvh");
  assert.deepEqual([result.ok, result.error.file], [false, "half.bvh"]);
});

test("objects of different engines do not meet, and engines of different versions neither", async () => {
  const own = must(engine.open(glb, "a.glb"));
  const received = await engine.receive(await moved(glb, "a.glb"));
  assert.throws(() => engine.writeBvh(received.skeleton, null), /different engines/);
  assert.throws(() => engine.writeGltf({ skeleton: own.skeleton, clips: received.clips }), /different engines/);
  assert.throws(() => engine.readClip(received.skeleton, own.clips[0].bytes()), /different engines/);
  const other = { ...(await moved(glb, "a.glb")), version: "0.0.1" };
  await assert.rejects(engine.receive(other), /cannot receive from one 0\.0\.1/);
});
