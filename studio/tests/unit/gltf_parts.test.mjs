// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import studio from "./load.mjs";

const { partsOfGltf, missingParts } = studio;
const bytesOf = (text) => new TextEncoder().encode(text).buffer;
const gltf = (buffers, images = []) =>
  bytesOf(JSON.stringify({ buffers: buffers.map((uri) => ({ uri })), images: images.map((uri) => ({ uri })) }));
const [bin, skin, other] = ["bin", "skin", "other"].map(bytesOf);

test("buffers and images are found by their paths, or by their names where browsers give no paths", () => {
  const file = gltf(["data/Walk%20cycle.bin", "data:application/octet-stream;base64,AA=="], ["textures/skin.PNG"]);
  const parts = partsOfGltf(file, { "walk cycle.bin": bin, "skin.png": skin, "other.png": other });
  assert.deepEqual(Object.keys(parts), ["data/Walk%20cycle.bin", "textures/skin.PNG"]);
  assert.equal(parts["data/Walk%20cycle.bin"], bin);
  assert.equal(parts["textures/skin.PNG"], skin);
  assert.deepEqual(missingParts(file, parts), []);
});

test("of two files of one name it is the one in the right folder", () => {
  const file = gltf([], ["./a/skin.png", "b\\skin.png"]);
  const parts = partsOfGltf(file, { "A/skin.png": skin, "b/skin.png": other });
  assert.equal(parts["./a/skin.png"], skin);
  assert.equal(parts["b\\skin.png"], other);
});

test("what is missing is named, and a damaged file needs nothing", () => {
  assert.deepEqual(missingParts(gltf(["x/walk.bin"], ["skin%20a.png"]), { "x/walk.bin": bin }), ["skin a.png"]);
  for (const text of ["{", "[]", "null", "%E0%A4%A"])
    assert.deepEqual(partsOfGltf(bytesOf(text), { "a.bin": bin }), {});
  assert.deepEqual(missingParts(gltf(["%E0%A4%A"]), {}), ["%E0%A4%A"]);
});
