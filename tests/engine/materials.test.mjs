// SPDX-License-Identifier: Apache-2.0

// Materials and their images: told, shared, and kept in what is written.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { asset, createEngine, must, open, root, sharedFiles } from "./support.mjs";

const engine = await createEngine();
const painted = join(root, "tests/fuzz/corpus/gltf/painted.glb");

/** The JSON of a .glb and the bytes of its first image, read without the engine. */
function parsed(bytes) {
  const file = Buffer.from(bytes);
  const size = file.readUInt32LE(12);
  const json = JSON.parse(file.subarray(20, 20 + size).toString("utf8"));
  const view = json.bufferViews[json.images[0].bufferView];
  const start = 28 + size + (view.byteOffset ?? 0);
  return { json, image: file.subarray(start, start + view.byteLength) };
}

test("parts tell their materials as the file has them", () => {
  const [mesh, bare] = must(open(engine, painted)).meshes;
  const { json, image } = parsed(readFileSync(painted));
  assert.deepEqual(
    mesh.parts.map(({ first, triangles }) => [first, triangles]),
    [
      [0, 3],
      [3, 4],
      [7, 5],
      [12, mesh.triangleCount - 12],
    ],
  );
  const [cut, glass, plain, none] = mesh.parts.map(({ material }) => material);
  assert.equal(none, null);
  assert.deepEqual(plain.baseColor, json.materials[2].pbrMetallicRoughness.baseColorFactor);
  assert.deepEqual([plain.name, plain.metallic, plain.texture, plain.alphaMode], ["plain", 0, null, "opaque"]);
  assert.deepEqual([cut.alphaMode, cut.alphaCutoff, cut.doubleSided, cut.unlit], ["mask", 0.25, true, false]);
  assert.deepEqual(
    [cut.texture.wrapS, cut.texture.wrapT, cut.texture.magFilter, cut.texture.minFilter],
    ["clamp", "mirror", 9728, 9987],
  );
  assert.deepEqual([glass.alphaMode, glass.unlit, glass.texture.wrapS], ["blend", true, "repeat"]);
  assert.deepEqual([glass.texture.offset, glass.texture.rotation, glass.texture.scale], [[0.25, -0.5], 0.3, [2, 3]]);
  assert.deepEqual([cut.texture.image.name, cut.texture.image.mime], ["four", "image/png"]);
  assert.ok(image.equals(cut.texture.image.bytes));
  assert.equal(glass.texture.image, cut.texture.image); // so that it is decoded once
  assert.equal(bare.parts.length, 1);
  assert.deepEqual(must(open(engine, asset("ulna-character.glb"))).meshes[0].parts, []);
});

test("a written file has the same materials and the bytes of its images", () => {
  for (const path of [painted, ...sharedFiles(["Binary/Fox.glb", "Binary/CesiumMan.glb"])]) {
    const document = must(open(engine, path));
    const { skeleton, clips, meshes } = document;
    const written = must(engine.writeGltf({ skeleton, clips, meshes })).bytes;
    assert.ok(parsed(written).image.equals(parsed(readFileSync(path)).image), path);
    const again = must(engine.open(written, "again.glb"));
    assert.deepEqual(
      again.meshes.map((mesh) => mesh.parts),
      meshes.map((mesh) => mesh.parts),
      path,
    );
    document.free();
    assert.ok(again.meshes[0].parts[0].material.texture.image.bytes.length > 0); // a copy of its own
  }
});

test("meshes of several files are written together, each with its own materials", () => {
  const [one, two] = [must(open(engine, painted)), must(open(engine, painted))];
  const plain = must(engine.readMesh(one.skeleton, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "a.obj")).mesh;
  const meshes = [one.meshes[0], plain, two.meshes[0]];
  const written = must(engine.writeGltf({ skeleton: one.skeleton, meshes })).bytes;
  assert.equal(parsed(written).json.images.length, 2);
  const again = must(engine.open(written, "again.glb")).meshes;
  assert.deepEqual(
    again.map(({ parts }) => parts),
    meshes.map(({ parts }) => parts),
  );
});

test("a .gltf takes its images from the files given with it, and does without", () => {
  const { json, image } = parsed(readFileSync(painted));
  const file = readFileSync(painted);
  json.images = [{ uri: "below/my%20image.png" }];
  json.buffers[0].uri = "buffer.bin";
  const files = { "buffer.bin": file.subarray(28 + file.readUInt32LE(12)), "my image.png": image };
  const whole = must(engine.open(JSON.stringify(json), "a.gltf", { files }));
  assert.ok(image.equals(whole.meshes[0].parts[0].material.texture.image.bytes));
  assert.deepEqual(whole.warnings, []);
  delete files["my image.png"];
  const without = must(engine.open(JSON.stringify(json), "a.gltf", { files }));
  assert.equal(without.meshes[0].parts[0].material.texture, null);
  assert.match(without.warnings[0].message, /images\[0\]\.uri: the image 'below\/my%20image.png' is a separate file/);
});

/** A triangle whose materials all have images beside the file. */
function triangle(uris) {
  const positions = Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer).toString("base64");
  const primitive = (material) => ({ attributes: { POSITION: 0 }, material });
  return JSON.stringify({
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: uris.map((_, i) => primitive(i)) }],
    materials: uris.map((_, index) => ({ pbrMetallicRoughness: { baseColorTexture: { index } } })),
    textures: uris.map((_, source) => ({ source })),
    images: uris.map((uri) => ({ uri })),
    buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${positions}` }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] }],
  });
}

test("a file that many images name is taken once", () => {
  const { image } = parsed(readFileSync(painted));
  const large = Buffer.concat([image, Buffer.alloc(2e6)]);
  const before = engine.memory;
  const opened = must(engine.open(triangle(Array(400).fill("a.png")), "t.gltf", { files: { "a.png": large } }));
  const images = new Set(opened.meshes[0].parts.map(({ material }) => material.texture?.image));
  assert.equal(images.size, 1);
  assert.ok(engine.memory - before < 1e8, `${engine.memory - before} bytes`);
});

test("names of images are names, whatever they are", () => {
  const opened = must(
    engine.open(triangle(["toString", "__proto__", "none.png"]), "t.gltf", { files: { "a.png": new Uint8Array(3) } }),
  );
  assert.ok(opened.meshes[0].parts.every(({ material }) => material.texture === null));
});
