// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { decodePng } from "../picture.mjs";
import { borrowStudio, closeCards, drop, fileOf, look, nextFrame, shared, until } from "../support.mjs";

// Two by two pixels: red and green, blue and white.
const FOUR = Buffer.from(
  "89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a73000000164944415478da6378a621a771c28641cee6ce870f1f00244e065f1c4700b10000000049454e44ae426082",
  "hex",
);

/** A square of two by two that faces the camera, in a skin of one joint. `image` has its bytes or a URI. */
function square(material, image) {
  const corners = [-1, 0, 0, 1, 0, 0, 1, 2, 0, -1, 2, 0];
  const floats = [...corners, 0, 1, 1, 1, 1, 0, 0, 0, ...[0, 0, 0, 0].flatMap(() => [1, 0, 0, 0])];
  const bytes = Buffer.concat([
    Buffer.from(Float32Array.from(floats).buffer),
    Buffer.alloc(16),
    Buffer.from(Uint16Array.of(0, 1, 2, 0, 2, 3).buffer),
  ]);
  const view = (byteOffset, byteLength) => ({ buffer: 0, byteOffset, byteLength });
  const json = {
    asset: { version: "2.0" },
    nodes: [
      { name: "root", children: [1] },
      { name: "tip", translation: [0, 2, 0] },
      { name: "square", mesh: 0, skin: 0 },
    ],
    scenes: [{ nodes: [0, 2] }],
    skins: [{ joints: [0, 1] }],
    meshes: [
      {
        primitives: [
          { attributes: { POSITION: 0, TEXCOORD_0: 1, WEIGHTS_0: 2, JOINTS_0: 3 }, indices: 4, material: 0 },
        ],
      },
    ],
    materials: [{ pbrMetallicRoughness: image ? { baseColorTexture: { index: 0 } } : {}, ...material }],
    ...(image
      ? {
          textures: [{ source: 0, sampler: 0 }],
          samplers: [{ magFilter: 9728, minFilter: 9728 }],
          images: [{ uri: image }],
        }
      : {}),
    accessors: [
      [0, 5126, 4, "VEC3"],
      [1, 5126, 4, "VEC2"],
      [2, 5126, 4, "VEC4"],
      [3, 5121, 4, "VEC4"],
      [4, 5123, 6, "SCALAR"],
    ].map(([bufferView, componentType, count, type]) => ({ bufferView, componentType, count, type })),
    bufferViews: [view(0, 48), view(48, 32), view(80, 64), view(144, 16), view(160, 12)],
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString("base64")}` }],
  };
  return { name: "square.gltf", bytes: JSON.stringify(json) };
}

const inside = (bytes) => `data:image/png;base64,${bytes.toString("base64")}`;

/** The image of a .glb, read without the engine. */
function imageOf(bytes) {
  const size = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + size).toString("utf8"));
  const { byteOffset = 0, byteLength } = json.bufferViews[json.images[0].bufferView];
  return bytes.subarray(28 + size + byteOffset, 28 + size + byteOffset + byteLength);
}

const STRONG = {
  red: (r, g, b) => r > 120 && g < 0.45 * r && b < 0.45 * r,
  green: (r, g, b) => g > 100 && r < 0.6 * g && b < 0.6 * g,
  blue: (r, g, b) => b > 100 && r < 0.5 * b && g < 0.6 * b,
  orange: (r, g, b) => r > 140 && g > 0.4 * r && g < 0.75 * r && b < 0.45 * r,
};

export function looks(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser());
    page = studio.page;
  });
  after(async () => {
    await page.keyboard.press("Escape");
    await closeCards(page);
  });

  /** How many pixels of the canvas are of each strong colour, and where they are on average. */
  async function colours() {
    await until(page, "window.ulnaStudio.waitingImages === 0");
    await nextFrame(page);
    await nextFrame(page);
    const { width, channels, pixels } = decodePng(
      await page.screenshot({ clip: await page.locator(".canvas").boundingBox() }),
    );
    const seen = Object.fromEntries(Object.keys(STRONG).map((name) => [name, { count: 0, x: 0, y: 0 }]));
    for (let i = 0; i < pixels.length; i += channels) {
      for (const [name, is] of Object.entries(STRONG)) {
        if (!is(pixels[i], pixels[i + 1], pixels[i + 2])) continue;
        const [colour, pixel] = [seen[name], i / channels];
        ++colour.count;
        colour.x += ((pixel % width) - colour.x) / colour.count;
        colour.y += (Math.floor(pixel / width) - colour.y) / colour.count;
      }
    }
    return seen;
  }
  const switchTextures = () => page.locator(".toggle", { hasText: "Textures" }).click();

  test("an image is drawn in its colours, and not with the switch off", async () => {
    await drop(page, [square({}, inside(FOUR))]);
    const { red, green, blue } = await colours();
    for (const { count } of [red, green, blue])
      assert.ok(count > 3000 && Math.abs(count / red.count - 1) < 0.35, `${count} of ${red.count}`);
    // The image's first row is above, as the file has it.
    assert.ok(red.y < blue.y - 20 && Math.abs(red.x - blue.x) < 30);
    assert.ok(red.x < green.x - 20 && Math.abs(red.y - green.y) < 30);
    await switchTextures();
    const off = await colours();
    for (const { count } of [off.red, off.green, off.blue]) assert.ok(count < 50, `${count}`);
    await switchTextures();
    assert.ok((await colours()).red.count > 3000);
  });

  test("texture coordinates are scaled, rotated and moved as the file says", async () => {
    const extensions = { KHR_texture_transform: { offset: [0, 1], rotation: Math.PI / 2, scale: [2, 1] } };
    await drop(page, [square({ pbrMetallicRoughness: { baseColorTexture: { index: 0, extensions } } }, inside(FOUR))]);
    // u, v becomes v, 1 - 2u: blue, red, blue, red above, and below white, green, white, green.
    const { red, green, blue } = await colours();
    assert.ok(Math.abs(red.y - blue.y) < 20 && Math.abs(red.x - green.x) < 20);
    const share = (green.y - red.y) / (red.x - blue.x); // half the height to a quarter of the width
    assert.ok(share > 1.6 && share < 2.8, `${share}`);
  });

  test("weights are shown instead of images, and then images again", async () => {
    await page.selectOption("#joint", { label: "root" });
    const toggle = page.locator(".toggle", { hasText: "Weight colours" });
    if (!(await toggle.isVisible())) await page.locator('[data-section="skin"] summary').click();
    await toggle.click();
    const weights = await colours();
    assert.ok(weights.green.count < 50 && weights.blue.count < 50, JSON.stringify(weights));
    await toggle.click();
    assert.ok((await colours()).green.count > 3000);
  });

  test("a base colour alone is drawn, masks cut out, and what is clear is seen through", async () => {
    const coloured = (baseColorFactor, more = {}) => square({ pbrMetallicRoughness: { baseColorFactor }, ...more });
    await drop(page, [coloured([0, 0.6, 0, 1])]);
    const whole = (await colours()).green.count;
    assert.ok(whole > 10000, `${whole}`);
    await drop(page, [coloured([0, 0.6, 0, 0.2])]); // opaque whatever its alpha
    assert.ok((await colours()).green.count > 0.9 * whole);
    for (const alphaMode of ["MASK", "BLEND"]) {
      await drop(page, [coloured([0, 0.6, 0, 0.2], { alphaMode })]);
      assert.ok((await colours()).green.count < 0.1 * whole, alphaMode);
    }
  });

  test("an image beside a .gltf is dropped with it, and missed when it is not", async () => {
    await drop(page, [square({}, "four.png"), { name: "four.png", bytes: FOUR }]);
    assert.ok((await colours()).blue.count > 3000);
    assert.equal(await look(page, (studio) => studio.characters[0].warnings), 0);
    await drop(page, [square({}, "four.png")]);
    assert.ok((await colours()).blue.count < 50);
    assert.equal(await look(page, (studio) => studio.characters[0].warnings), 1);
  });

  test("an image that the browser cannot read is said, and the rest is drawn", async () => {
    await drop(page, [square({}, inside(FOUR.subarray(0, 40)))]);
    assert.ok((await colours()).blue.count < 50);
    assert.match(await page.locator(".card").last().textContent(), /An image could not be shown/);
  });

  test("other people's characters wear their textures, which an export keeps to the byte", async (context) => {
    const path = join(shared, "gltf/Fox/glTF-Binary/Fox.glb");
    if (!existsSync(path)) return context.skip("the Fox is not here");
    const fox = fileOf(path);
    await drop(page, [fox]);
    const on = (await colours()).orange.count;
    await switchTextures();
    const off = (await colours()).orange.count;
    await switchTextures();
    assert.ok(on > 1500 && off < 0.05 * on, `${on} and ${off} pixels`);
    const exported = Buffer.from(await look(page, (studio) => studio.exported("glb")), "base64");
    assert.ok(imageOf(exported).equals(imageOf(fox.bytes)));
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
