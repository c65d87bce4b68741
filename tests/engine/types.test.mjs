// SPDX-License-Identifier: Apache-2.0

// The types: tsc finds a program right or wrong as it should, and the objects have what they promise.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { asset, createEngine, must, open, packageFolder, placeOf, root } from "./support.mjs";

const ts = (await import("typescript")).default;
const declarations = join(packageFolder, "engine.d.ts");

function problemsOf(file) {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
    types: [],
    paths: { "@ulna/engine": [declarations] },
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file: where, start, messageText }) =>
        `${where?.fileName}:${start} ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
}

test("tsc reads the declarations and a program that uses them", () => {
  assert.deepEqual(problemsOf(join(root, "tests/engine/usage.ts")), []);
});

/** Names of the members of an interface of engine.d.ts. */
function membersOf(name) {
  const source = ts.createSourceFile(declarations, readFileSync(declarations, "utf8"), ts.ScriptTarget.ES2022);
  const found = source.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  return [...new Set(found.members.map((member) => member.name.text))].sort();
}

/** What an object offers: its own and its classes' members, but those that end in _. */
function offered(object) {
  const names = new Set();
  for (let at = object; at !== Object.prototype && at !== null; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at))
      if (name !== "constructor" && !name.endsWith("_")) names.add(name);
  return [...names].sort();
}

test("every object has exactly the members that its interface declares", async () => {
  const engine = await createEngine();
  const document = must(open(engine, asset("ulna-character.glb")));
  const { skeleton, clips, meshes } = document;
  const stage = must(skeleton.stage("anatomical"));
  const pose = skeleton.restPose();
  const solver = must(stage.makeSolver([{ kind: "pin", joint: "Head" }]));
  const handles = stage.handles(pose, "Head");
  const drag = must(stage.makeDrag(pose, { joint: "Head", start: placeOf(skeleton, pose, "Head") }));
  const { bytes } = must(engine.writeMesh(meshes[0], "ply"));
  const bare = must(engine.readMesh(skeleton, bytes, "body.ply"));
  const cone = must(engine.makeSkeleton([{ name: "a", kind: "ball", cone: { swing: 30 } }]));
  const bad = engine.open("", "a.bvh");
  const { clip, report } = must(clips[0].reduced());
  const retargeted = must(engine.retarget(clips[0], document, document));
  const painted = must(open(engine, join(root, "tests/fuzz/corpus/gltf/painted.glb")));
  const objects = {
    Engine: engine,
    Document: document,
    Skeleton: skeleton,
    Joint: skeleton.joints[0],
    Dof: skeleton.dofs[0],
    Stage: stage,
    JointHandles: handles,
    Arc: handles.arcs[0],
    Cone: cone.joints[0].cone,
    ConeHandle: must(cone.stage()).handles(cone.restPose(), 0).cone,
    Solver: solver,
    Report: solver.solve(pose),
    Trace: solver.trace(pose, 2),
    Drag: drag,
    DragStep: drag.solve([0, 1, 0], pose.slice()),
    MeshFile: bare,
    TieReport: must(bare.mesh.tie()),
    Clip: clip,
    Track: clip.tracks()[0],
    ReduceReport: report,
    Mesh: meshes[0],
    MeshPart: painted.meshes[0].parts[0],
    Material: painted.meshes[0].parts[0].material,
    Texture: painted.meshes[0].parts[0].material.texture,
    Image: painted.meshes[0].parts[0].material.texture.image,
    Weights: meshes[0].weights(),
    HeatReport: must(meshes[0].makeWeights()),
    Diagnostic: bad.error,
    Written: must(engine.writeRig(skeleton)),
    Retargeted: retargeted,
    RetargetReport: retargeted.report,
    Contacts: retargeted.contacts,
  };
  for (const [name, object] of Object.entries(objects)) assert.deepEqual(offered(object), membersOf(name), name);
});

test("the words of the types are the words of the engine", async () => {
  const engine = await createEngine();
  const text = readFileSync(declarations, "utf8");
  const union = (name) =>
    [...text.match(new RegExp(`export type ${name} =([^;]*);`))[1].matchAll(/"([^"]+)"/g)].map((m) => m[1]);
  assert.deepEqual(union("Method"), [...engine.methods]);
  assert.deepEqual(union("Interpolation"), [...engine.interpolations]);
});

test("the package has the library's version and packs what it needs, nothing else", async () => {
  const version = readFileSync(join(root, "VERSION"), "utf8").trim();
  const described = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  assert.equal(described.version, version);
  assert.equal((await createEngine()).version, version);
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json"], {
      cwd: packageFolder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  const lib = readdirSync(join(root, "bindings/wasm/lib")).map((name) => `lib/${basename(name)}`);
  const expected = [
    "LICENSE",
    "NOTICE",
    "README.md",
    "engine.d.ts",
    "engine.js",
    "engine.wasm",
    "package.json",
    ...lib,
  ];
  assert.deepEqual(packed.files.map((file) => file.path).sort(), expected.sort());
  // A page and its engine have 2.1 megabytes between them.
  assert.ok(gzipSync(readFileSync(join(packageFolder, "engine.wasm"))).length < 1_900_000);
});

test("the README's example runs: a hand dragged in three.js", async () => {
  const readme = readFileSync(join(root, "bindings/wasm/README.md"), "utf8");
  const [, example] = readme.match(/```js\n([\s\S]*?)```/);
  assert.ok(example.trim().split("\n").length <= 20);
  const three = pathToFileURL(join(root, "tests/gltf/node_modules/three/build/three.module.js")).href;
  const folder = mkdtempSync(join(tmpdir(), "ulna-engine-"));
  const program = example
    .replace('"three"', `"${three}"`)
    .replace('"@ulna/engine"', `"${pathToFileURL(join(packageFolder, "engine.js")).href}"`);
  writeFileSync(join(folder, "example.mjs"), program);
  const { Scene } = await import(three);
  globalThis.scene = new Scene();
  globalThis.fetch = async () => new Response(readFileSync(asset("ulna-character.glb")));
  const { drag } = await import(pathToFileURL(join(folder, "example.mjs")).href);
  const [shown] = globalThis.scene.children;
  const before = shown.geometry.attributes.position.array.slice();
  const target = [0.4, 1.3, 0.4];
  // The hand's joint is inside the hand: its skin is about the target, and was not before.
  const about = (array) =>
    array.filter((_, i) => i % 3 === 0 && Math.hypot(...target.map((value, k) => value - array[i + k])) < 0.06).length;
  drag(...target);
  const after = shown.geometry.attributes.position;
  assert.ok(after.version > 0 && about(before) === 0 && about(after.array) > 50, `${about(after.array)} vertices`);
  rmSync(folder, { recursive: true });
});
