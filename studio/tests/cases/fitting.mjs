// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { join } from "node:path";
import { makeEngine, must } from "../oracle.mjs";
import { borrowStudio, drop, fileOf, look, nextFrame, root } from "../support.mjs";

const CHARACTER = join(root, "assets/ulna-character.glb");

/** A PC2 file of these shapes: its head, then floats. */
function pointCache(shapes) {
  const points = shapes[0].length / 3;
  const bytes = Buffer.alloc(32 + 12 * points * shapes.length);
  bytes.write("POINTCACHE2\0", 0, "latin1");
  bytes.writeInt32LE(1, 12);
  bytes.writeInt32LE(points, 16);
  bytes.writeFloatLE(0, 20);
  bytes.writeFloatLE(1, 24);
  bytes.writeInt32LE(shapes.length, 28);
  shapes.forEach((shape, i) => Buffer.from(shape.buffer).copy(bytes, 32 + 12 * points * i));
  return bytes;
}

export function fitting(browser) {
  let studio, page, walk, skeleton, mesh;
  before(async () => {
    const [lent, engine] = await Promise.all([borrowStudio(browser()), makeEngine()]);
    studio = lent;
    page = studio.page;
    const document = must(engine.open(fileOf(CHARACTER).bytes, "c.glb"));
    walk = document.clips.find(({ name }) => name === "walk");
    [skeleton, mesh] = [document.skeleton, document.meshes[0]];
    await drop(page, [fileOf(CHARACTER)]);
    await limits("none");
  });

  const limits = (value) => page.locator(`.segment-item[data-value="${value}"]`).click();
  const characters = () => look(page, (studio) => studio.characters);
  const shapeAt = (time) => {
    const positions = new Float32Array(3 * mesh.vertexCount);
    mesh.deform(walk.sample(time), { positions });
    return positions;
  };
  const obj = (time) => {
    const positions = shapeAt(time);
    const faces = Array.from({ length: 3 }, (_, i) => i + 1).join(" ");
    return `${Array.from({ length: mesh.vertexCount }, (_, v) => `v ${positions.slice(3 * v, 3 * v + 3).join(" ")}`).join("\n")}\nf ${faces}\n`;
  };
  /** How far joints on the page are from where the walk has them. */
  const offFrom = async (time) => {
    const expected = skeleton.modelPositions(walk.sample(time));
    const positions = await look(page, (studio) => studio.names.map((name) => studio.position(name)));
    return Math.max(
      ...positions.map((position, j) => Math.hypot(...position.map((value, k) => value - expected[3 * j + k]))),
    );
  };

  test("a surface with the vertices of the skin is a shape that the character takes; undo gives the pose back", async () => {
    const before = await look(page, (studio) => studio.pose);
    await drop(page, [{ name: "shape.obj", bytes: obj(0.4) }]);
    assert.equal((await characters())[0].meshes, 1);
    assert.ok((await offFrom(0.4)) < 1e-4, `${await offFrom(0.4)} off`);
    await page.keyboard.press("Control+z");
    await nextFrame(page);
    assert.deepEqual(await look(page, (studio) => studio.pose), before);
  });

  test("a cache of shapes becomes a clip that moves as they do", async () => {
    const { clips } = (await characters())[0];
    const times = Array.from({ length: 12 }, (_, i) => i / 30);
    await drop(page, [{ name: "walk.pc2", bytes: pointCache(times.map(shapeAt)) }]);
    assert.equal((await characters())[0].clips, clips + 1);
    assert.deepEqual(await look(page, ({ clip }) => [clip.name, clip.form, clip.frames]), [
      "walk.pc2",
      "frames",
      times.length,
    ]);
    assert.match(await page.locator(".card.note").last().textContent(), /12 frames.*exactly/s);
    for (const [key, frame] of [
      ["Home", 0],
      ["End", times.length - 1],
    ]) {
      await page.keyboard.press(key);
      await nextFrame(page);
      assert.ok((await offFrom(times[frame])) < 1e-3, `frame ${frame}: ${await offFrom(times[frame])} off`);
    }
    await page.keyboard.press("Control+z");
    assert.equal((await characters())[0].clips, clips);
  });

  test("several surfaces are the frames of a clip, in the order of their numbers", async () => {
    const files = [10, 9, 8].map((frame) => ({ name: `walk-${frame}.obj`, bytes: obj(frame / 30) }));
    await drop(page, files);
    assert.equal(await look(page, ({ clip }) => clip.frames), 3);
    await page.keyboard.press("Home");
    await nextFrame(page);
    assert.ok((await offFrom(8 / 30)) < 1e-3);
    await page.keyboard.press("Control+z");
  });

  test("a shape that comes with another surface is still one of the skin that was there", async () => {
    const hat = "v -0.1 1.6 -0.1\nv 0.1 1.6 -0.1\nv 0 1.6 0.1\nv 0 1.9 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";
    await drop(page, [
      { name: "shape.obj", bytes: obj(0.3) },
      { name: "hat.obj", bytes: hat },
    ]);
    assert.ok((await offFrom(0.3)) < 1e-4, `${await offFrom(0.3)} off`);
    assert.equal(await page.locator(".progress").isVisible(), false);
    for (let i = 0; i < 2; ++i) await page.keyboard.press("Control+z");
  });

  test("a cache without a number in it moves nothing, and says so", async () => {
    const before = await look(page, (studio) => studio.pose);
    await drop(page, [{ name: "void.pc2", bytes: pointCache([new Float32Array(3 * mesh.vertexCount).fill(NaN)]) }]);
    assert.match(await page.locator(".card.note").last().textContent(), /no points/);
    assert.deepEqual(await look(page, (studio) => studio.pose), before);
  });

  test("a cache of another skin says how many points it has", async () => {
    await drop(page, [{ name: "other.pc2", bytes: pointCache([new Float32Array(30)]) }]);
    const error = await look(page, (studio) => studio.lastError);
    assert.match(error.what, /moves 10 points, and the skin that is open has \d+/);
    await drop(page, [{ name: "short.pc2", bytes: "POINTCACHE2" }]);
    assert.equal((await look(page, (studio) => studio.lastError)).title, "short.pc2 could not be opened");
  });
}
