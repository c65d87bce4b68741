// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { before, test } from "node:test";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { filesUnder, look, nextFrame, openFirst, openStudio, root, shared, until } from "../support.mjs";
import { dist } from "../serve.mjs";

const MEGABYTE = 1e6;

/** These come first: whoever borrows the page after them is no first visitor. */
export function page(browser) {
  let studio, page;
  before(async () => {
    studio = await openFirst(browser());
    page = studio.page;
  });

  test("the first visit shows a hand at a wrist, which covers nothing and goes with the first touch; hints are for who asks", async () => {
    const hint = page.locator(".first-hint");
    await until(page, "document.querySelector('.first-hint').hidden === false");
    const wrist = await look(page, (studio) => studio.screen("LeftHand"));
    const [x, y] = await hint.evaluate((element) => {
      const { e, f } = new DOMMatrix(getComputedStyle(element).transform);
      const view = element.parentElement.getBoundingClientRect();
      return [e + view.x, f + view.y];
    });
    assert.ok(Math.hypot(x - wrist.x, y - wrist.y) < 2, `${x}, ${y}`);
    assert.equal(await page.evaluate(`document.elementFromPoint(${x}, ${y}).className`), "canvas");
    assert.equal(await page.evaluate("localStorage.length"), 0);
    await page.keyboard.press("?");
    assert.equal(await hint.isVisible(), false);
    assert.equal(await page.locator(".sheet[open]").isVisible(), true);
    const licences = await page.evaluate(
      `fetch(document.querySelector(".sheet a").href).then((answer) => answer.text())`,
    );
    assert.equal(licences, readFileSync(join(root, "NOTICE"), "utf8"));
    await page.locator(".sheet[open] button", { hasText: "hints" }).click();
    for (let i = 0; i < 4; ++i) await page.locator(".tour .primary").click();
    assert.equal(await page.locator(".tour").isVisible(), true);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".tour").isVisible(), false);
    const before = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.keyboard.press("t");
    assert.notEqual(await page.evaluate("getComputedStyle(document.body).backgroundColor"), before);
    await page.keyboard.press("t");
    assert.equal(await page.evaluate("getComputedStyle(document.body).backgroundColor"), before);
    assert.equal(await page.evaluate("localStorage.length"), 0);
  });

  test("page and engine are small, and what a frame costs is printed", async () => {
    let [brotli, gzip] = [0, 0];
    // What reads FBX, poses to begin with and other languages are fetched when they are asked for.
    const later = /\.glb$|^fbx\.js$|\.json$/;
    for (const name of readdirSync(dist).filter((each) => !later.test(each))) {
      const bytes = readFileSync(join(dist, name));
      brotli += brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
      gzip += gzipSync(bytes, { level: 9 }).length;
    }
    assert.ok(gzip < 2.2 * MEGABYTE, `${gzip} bytes`);
    assert.ok(gzipSync(readFileSync(join(dist, "fbx.js"))).length < 0.2 * MEGABYTE);
    const start = await look(page, (studio) => studio.screen("LeftHand"));
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    const solves = [];
    const scripts = [];
    const skins = [];
    for (let i = 1; i <= 15; ++i) {
      await page.mouse.move(start.x + 60 * Math.sin(i / 6), start.y - 2 * i);
      await nextFrame(page);
      solves.push(await look(page, (studio) => studio.report.milliseconds));
      const { script, skin, upload } = await look(page, (studio) => studio.timings);
      scripts.push(script);
      skins.push(`${skin.toFixed(1)}+${upload.toFixed(1)}`);
    }
    await page.mouse.up();
    const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
    // The least of all frames: others have the processor too.
    const least = Math.min(...scripts.map((script, i) => script - solves[i]));
    assert.ok(least < 6, `${least} ms of script without the solve`);
    const { engine, opened, drawn } = await look(page, (studio) => studio.startup);
    console.log(`    page and engine: ${(brotli / 1e3).toFixed(0)} kB brotli, ${(gzip / 1e3).toFixed(0)} kB gzip`);
    console.log(
      `    a drag with both feet pinned: ${median(solves).toFixed(2)} ms a solve (least ${Math.min(...solves).toFixed(2)}), ${median(scripts).toFixed(2)} ms of script a frame (medians); skin and upload ${skins.at(-1)} ms`,
    );
    console.log(
      `    from navigation: engine ${engine.toFixed(0)} ms, character ${opened.toFixed(0)} ms, drawn ${drawn.toFixed(0)} ms`,
    );
    assert.deepEqual(studio.problems, []);
  });

  test("files named on the command line are opened at the start", async () => {
    const withParts = filesUnder(join(shared, "gltf/RiggedFigure/glTF"), [".gltf"]);
    const files = [join(root, "assets/ulna-wave.bvh"), join(root, "assets/ulna-run.bvh"), ...withParts];
    const other = await openStudio(browser(), { files });
    assert.deepEqual(
      (await look(other.page, (studio) => studio.characters)).map(({ name }) => name),
      files.map((path) => basename(path)),
    );
    assert.deepEqual(other.problems, []);
    await other.close();
  });
}
