// SPDX-License-Identifier: Apache-2.0

// Files of other programs: FBX, and glTF with its parts from a folder.
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { FBX } from "../fbx_sample.mjs";
import { makeEngine, must } from "../oracle.mjs";
import { borrowStudio, distance, drop, fileOf, look, nextFrame, root, until } from "../support.mjs";

export function foreign(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser(), { skin: true });
    page = studio.page;
  });

  const at = (name) => look(page, (studio, name) => studio.position(name), name);

  test("an FBX has its joints in metres under their own names, its skin and its motion, and it is said what is kept", async () => {
    await drop(page, [{ name: "swing.fbx", bytes: FBX }]);
    assert.equal((await look(page, (studio) => studio.lastError))?.what, undefined);
    const [{ name, meshes, clips }] = await look(page, (studio) => studio.characters);
    assert.deepEqual([name, meshes, clips], ["swing.fbx", 1, 1]);
    assert.match(await page.locator(".card", { hasText: "read as FBX" }).textContent(), /3 joints, 1 mesh, 1 clip/);
    const { duration } = await look(page, (studio) => studio.clip);
    assert.ok(Math.abs(duration - 1) < 1e-3, `${duration} s`);
    for (const [share, end] of [
      [0, [0.3, 1.5, 0]],
      [1, [0, 1.8, 0]],
    ]) {
      await page.keyboard.press(share === 0 ? "Home" : "End");
      await nextFrame(page);
      assert.ok(distance(await at("rig:Root"), [0, 1, 0]) < 1e-6, `${await at("rig:Root")}`);
      assert.ok(distance(await at("rig:Mid"), [0, 1.5, 0]) < 1e-6);
      assert.ok(distance(await at("rig:End"), end) < 1e-6, `${await at("rig:End")}`);
      // The triangle goes with the joint: its second corner is where the third joint is.
      const vertices = await look(page, (studio) => studio.vertices());
      const corners = Array.from({ length: vertices.length / 3 }, (_, i) => vertices.slice(3 * i, 3 * i + 3));
      assert.ok(Math.min(...corners.map((corner) => distance(corner, end))) < 1e-5, `${corners}`);
    }
  });

  test("an FBX that is none says so", async () => {
    await drop(page, [{ name: "none.fbx", bytes: "Kaydara FBX Binary  \0 and then nothing" }]);
    assert.equal((await look(page, (studio) => studio.lastError)).title, "none.fbx could not be opened");
  });

  test("a glTF finds its buffer by name when both are dropped, and says what to drop where it is missing", async () => {
    const engine = await makeEngine();
    const { skeleton, clips } = must(engine.open(fileOf(join(root, "assets/ulna-run.bvh")).bytes, "ulna-run.bvh"));
    const { bytes } = must(engine.writeGltf({ skeleton, clips }, { text: true }));
    const document = JSON.parse(Buffer.from(bytes));
    const buffer = Buffer.from(document.buffers[0].uri.replace(/^.*?,/, ""), "base64");
    document.buffers[0].uri = "data/Run%20data.bin";
    const gltf = { name: "run.gltf", bytes: JSON.stringify(document) };
    await drop(page, [gltf]);
    assert.match((await look(page, (studio) => studio.lastError)).advice, /drop Run data\.bin together with it/);
    await drop(page, [gltf, { name: "run DATA.bin", bytes: buffer }]);
    await until(page, "window.ulnaStudio.characters[0].name === 'run.gltf'");
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
