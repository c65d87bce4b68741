// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { decodePng, drawnPixels } from "../picture.mjs";
import { dragMouse, drop, fileOf, filesUnder, look, nextFrame, openStudio, root, shared } from "../support.mjs";

const LARGEST = 50e6;

export function files(browser) {
  let studio, page;
  before(async () => {
    studio = await openStudio(browser());
    page = studio.page;
  });
  after(() => studio.close());

  const characters = () => look(page, (studio) => studio.characters);
  const lastError = () => look(page, (studio) => studio.lastError);

  test("every file of the shared data and of the assets is dropped and drawn", async () => {
    const all = [...filesUnder(shared, [".bvh", ".glb", ".gltf"]), ...filesUnder(join(root, "assets"), [".bvh", ".rig.json"])];
    for (const path of all.filter((each) => statSync(each).size < LARGEST)) {
      const parts = path.endsWith(".gltf") ? filesUnder(dirname(path), [".bin"]) : [];
      await drop(page, [path, ...parts].map(fileOf));
      assert.equal((await characters())[0].name, basename(path), (await lastError())?.what);
      await nextFrame(page);
      const box = await page.locator(".canvas").boundingBox();
      const picture = decodePng(await page.screenshot({ clip: box }));
      assert.ok(drawnPixels(picture) > 150, `${basename(path)} is blank: ${drawnPixels(picture)} pixels`);
    }
  });

  test("a second file goes beside the first with Shift", async () => {
    const walk = fileOf(join(root, "assets/ulna-run.bvh"));
    await drop(page, [fileOf(join(root, "assets/ulna-character.glb"))]);
    await drop(page, [walk], { shift: true });
    assert.deepEqual((await characters()).map(({ name }) => name), ["ulna-character.glb", "ulna-run.bvh"]);
  });

  test("a bad file says where and why, and what is open stays", async () => {
    const before = await characters();
    await drop(page, [{ name: "broken.bvh", bytes: "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 zero\n" }]);
    const error = await lastError();
    assert.match(error.place, /^broken\.bvh:4/);
    assert.ok(error.what.length > 5);
    assert.match(await page.locator(".card.error .place").last().textContent(), /broken\.bvh:4/);
    assert.deepEqual(await characters(), before);
  });

  test("an empty file, a picture and half a GLB break nothing", async () => {
    const before = await characters();
    for (const [name, bytes] of [["empty.bvh", ""], ["photo.png", "\x89PNG\r\n"], ["half.glb", fileOf(join(root, "assets/ulna-character.glb")).bytes.subarray(0, 5000)]]) {
      await drop(page, [{ name, bytes: Buffer.from(bytes, "latin1") }]);
      assert.equal((await lastError()).title, `${name} could not be opened`);
    }
    assert.deepEqual(await characters(), before);
  });

  test("a rig of 200 joints can be dragged", async () => {
    const joints = Array.from({ length: 200 }, (_, i) => ({
      name: `j${i}`, ...(i > 0 ? { parent: `j${i % 20 === 0 ? 0 : i - 1}` } : {}), kind: i === 0 ? "free" : "ball",
      offset: i === 0 ? [0, 1, 0] : i % 20 === 0 ? [0, 0, 0] : i % 20 === 1 ? [Math.cos(i) * 0.1, 0.05, Math.sin(i) * 0.1] : [Math.cos(Math.floor(i / 20)) * 0.1, 0.02, Math.sin(Math.floor(i / 20)) * 0.1],
    }));
    await drop(page, [{ name: "big.rig.json", bytes: JSON.stringify({ ulna: 1, joints }) }]);
    assert.equal((await characters())[0].joints, 200, (await lastError())?.what);
    while ((await page.locator(".card button").count()) > 0) await page.locator(".card button").first().click();
    const start = await look(page, (studio) => studio.names.map((name) => studio.screen(name)).filter(({ shown }) => shown).at(-1));
    await dragMouse(page, start, { x: start.x - 30, y: start.y - 20 }, { steps: 3 });
    const report = await look(page, (studio) => studio.report);
    assert.ok(report.milliseconds < 60, `${report.milliseconds} ms`);
  });

  test("ten minutes of BVH open within a few seconds", async () => {
    const text = fileOf(join(root, "assets/ulna-run.bvh")).bytes.toString();
    const [head, rows] = text.split(/Frame Time:[^\n]*\n/);
    const lines = rows.trim().split("\n");
    const frames = 600 * 30;
    const long = head.replace(/Frames:.*/, `Frames: ${frames}`) + "Frame Time: 0.0333333\n" + Array.from({ length: frames }, (_, i) => lines[i % lines.length]).join("\n") + "\n";
    await drop(page, [{ name: "long.bvh", bytes: long }]);
    const seconds = (await look(page, (studio) => studio.timings.open)) / 1000;
    assert.equal((await characters())[0].name, "long.bvh", (await lastError())?.what);
    console.log(`    ten minutes of BVH, ${(long.length / 1e6).toFixed(0)} MB: open in ${seconds.toFixed(2)} s`);
    assert.ok(seconds < 10, `${seconds} s`);
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
