// SPDX-License-Identifier: Apache-2.0

// The engine's memory: what is held survives its growth, what is freed is free, and many loads fit.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { asset, createEngine, must, packageFolder } from "./support.mjs";

const glb = readFileSync(asset("ulna-character.glb"));

test("arrays, objects and reports live on while the memory grows", async () => {
  const engine = await createEngine();
  const { skeleton, clips, meshes } = must(engine.open(glb, "a.glb"));
  const [mesh] = meshes;
  const stage = must(skeleton.stage("anatomical"));
  const pose = clips[0].sample(0.3);
  const solver = must(stage.makeSolver([{ kind: "position", joint: "LeftHand", target: [0.4, 1.2, 0.3] }], { pose }));
  const report = solver.solve(pose);
  const held = {
    pose: pose.slice(),
    errors: report.errors.slice(),
    positions: mesh.positions,
    matrices: skeleton.modelMatrices(pose, new Float32Array(16 * skeleton.jointCount)),
    vertices: new Float32Array(3 * mesh.vertexCount),
  };
  mesh.deform(pose, { positions: held.vertices });
  const copies = structuredClone(held);
  const before = engine.memory;
  const more = [];
  while (engine.memory < before + (64 << 20)) more.push(must(engine.open(glb, "b.glb")));
  assert.deepEqual(held, copies, "what was handed out is the caller's");
  assert.deepEqual(skeleton.modelMatrices(pose, new Float32Array(16 * skeleton.jointCount)), held.matrices);
  const again = new Float32Array(3 * mesh.vertexCount);
  mesh.deform(pose, { positions: again });
  assert.deepEqual(again, held.vertices);
  assert.deepEqual(mesh.positions, held.positions);
  const resolved = clips[0].sample(0.3);
  assert.deepEqual([...solver.solve(resolved).errors], [...held.errors]);
  assert.deepEqual(resolved, held.pose);
  more.forEach((document) => document.free());
});

test("a thousand loads and frees take no more memory than a few", async () => {
  const engine = await createEngine();
  const small = readFileSync(asset("ulna-run.bvh"));
  const use = () => {
    const document = must(engine.open(small, "run.bvh"));
    const stage = must(document.skeleton.stage("anatomical"));
    const pose = document.clips[0].sample(0.1);
    const solver = must(stage.makeSolver([{ kind: "pin", joint: "LeftFoot" }], { pose }));
    solver.solve(pose);
    const clip = document.clips[0].keyed();
    [solver, stage, clip, document].forEach((object) => object.free());
  };
  for (let i = 0; i < 50; ++i) use();
  const after = engine.memory;
  for (let i = 0; i < 1000; ++i) use();
  assert.equal(engine.memory, after);
  for (let i = 0; i < 20; ++i) must(engine.open(glb, "a.glb")).free();
  const large = engine.memory;
  for (let i = 0; i < 20; ++i) must(engine.open(glb, "a.glb")).free();
  assert.equal(engine.memory, large);
});

test("objects may be freed in any order, once is enough, and afterwards they say so", async () => {
  const engine = await createEngine();
  const { skeleton, clips, meshes } = must(engine.open(glb, "a.glb"));
  const stage = must(skeleton.stage());
  const pose = skeleton.restPose();
  const solver = must(stage.makeSolver([{ kind: "position", joint: "LeftHand", target: [0.4, 1.2, 0.3] }]));
  skeleton.free();
  skeleton.free();
  stage.free();
  assert.equal(solver.solve(pose).status, "reached");
  assert.equal(clips[0].sample(0).length, pose.length);
  meshes[0].deform(pose, { positions: new Float32Array(3 * meshes[0].vertexCount) });
  assert.throws(() => skeleton.modelMatrices(pose), /the skeleton was freed/);
  assert.throws(() => stage.excess(pose), /the stage was freed/);
  meshes[0].free();
  assert.throws(() => meshes[0].weights(), /the mesh was freed/);
  solver.free();
  assert.throws(() => solver.solve(pose), /the solver was freed/);
});

/** The module with less memory to grow to: the upper limit of its memory section rewritten. */
function withLessMemory(pages) {
  const bytes = Uint8Array.from(readFileSync(join(packageFolder, "engine.wasm")));
  const number = (at) => {
    let [value, end] = [0, at];
    do value |= (bytes[end] & 127) << (7 * (end - at));
    while (bytes[end++] & 128);
    return [value, end];
  };
  for (let at = 8; at < bytes.length; ) {
    const [size, start] = number(at + 1);
    if (bytes[at] === 5) {
      const most = number(start + 2)[1]; // past the count of memories, a flag and the smallest size
      assert.equal(number(most)[0], 32768);
      bytes.set([(pages & 127) | 128, (pages >> 7) | 128, 0], most);
      return bytes;
    }
    at = start + size;
  }
  throw new Error("there is no memory");
}

test("a file that does not fit the memory is an error, and the engine goes on", async () => {
  const engine = await createEngine({ wasm: withLessMemory(400) });
  const documents = [];
  let opened = engine.open(glb, "a.glb");
  while (opened.ok) {
    documents.push(opened.value);
    opened = engine.open(glb, "a.glb");
  }
  assert.ok(documents.length > 0);
  assert.match(opened.error.message, /^a\.glb: the file needs more memory than there is/);
  documents.forEach((document) => document.free());
  assert.equal(must(engine.open(readFileSync(asset("ulna-run.bvh")), "run.bvh")).skeleton.jointCount, 79);
});

test("engines are apart from each other", async () => {
  const [one, other] = await Promise.all([createEngine(), createEngine()]);
  const a = must(one.open(glb, "a.glb"));
  assert.equal(other.open("nothing", "b.bvh").ok, false);
  assert.equal(a.skeleton.jointCount, 79);
  assert.ok(one.memory > 0 && other.memory > 0);
});

test("the module comes from bytes, a compiled module, a response or an address", async () => {
  const bytes = readFileSync(join(packageFolder, "engine.wasm"));
  const response = () => new Response(bytes, { headers: { "content-type": "application/wasm" } });
  const sources = [
    bytes,
    await WebAssembly.compile(bytes),
    response(),
    Promise.resolve(response()),
    new Response(bytes),
  ];
  for (const wasm of sources) assert.match((await createEngine({ wasm })).version, /^\d+\.\d+\.\d+$/);
  await assert.rejects(createEngine({ wasm: new Response("", { status: 404 }) }), /could not be fetched/);
});

test("a solve makes no garbage in the engine", async () => {
  const engine = await createEngine();
  const { skeleton } = must(engine.open(glb, "a.glb"));
  const stage = must(skeleton.stage("anatomical"));
  const pose = skeleton.restPose();
  const goals = [
    { kind: "position", joint: "LeftHand", target: [0.5, 1.2, 0.3] },
    { kind: "pin", joint: "LeftFoot" },
    { kind: "pin", joint: "RightFoot" },
  ];
  const solver = must(stage.makeSolver(goals, { pose, continuity: true }));
  solver.solve(pose);
  const before = engine.memory;
  for (let i = 0; i < 20000; ++i) {
    solver.setTarget(0, [0.5 + 0.1 * Math.sin(0.01 * i), 1.2, 0.3]);
    solver.solve(pose);
  }
  assert.equal(engine.memory, before);
});
