// SPDX-License-Identifier: Apache-2.0

// Large files: read on another thread, so that the page draws and listens meanwhile.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { join } from "node:path";
import { makeEngine, must } from "../oracle.mjs";
import { borrowStudio, closeCards, drop, fileOf, longBvh, look, root, until } from "../support.mjs";
import { watchTasks } from "../tasks.mjs";

const LARGE = 50e6; // bytes

export function large(browser) {
  let studio, page, engine, capture;
  before(async () => {
    [studio, engine] = await Promise.all([borrowStudio(browser()), makeEngine()]);
    page = studio.page;
    capture = longBvh({ bytes: LARGE });
  });

  const first = () => look(page, (studio) => studio.characters[0]);
  const poses = (times) => look(page, (studio, list) => list.map((time) => studio.clipPose(time)), times);

  test("50 MB of BVH are opened without a long task, and every frame is there", async () => {
    const longest = await watchTasks(page);
    await longest("50 MB of BVH", () => drop(page, [{ name: "capture.bvh", bytes: capture }]));
    assert.deepEqual((await first()).name, "capture.bvh");
    await closeCards(page);
    const document = must(engine.open(capture, "capture.bvh"));
    const [clip] = document.clips;
    const times = [0, 0.3, 0.71, 1].map((part) => part * clip.duration);
    assert.deepEqual(
      await poses(times),
      times.map((time) => [...clip.sample(time)]),
    );
    document.free();
  });

  test("a large GLB is opened without a long task, with all its meshes", async () => {
    const { skeleton, clips, meshes } = must(
      engine.open(fileOf(join(root, "assets/ulna-character.glb")).bytes, "a.glb"),
    );
    const many = must(engine.writeGltf({ skeleton, clips, meshes: Array(20).fill(meshes[0]) })).bytes;
    assert.ok(many.length > 15e6);
    const longest = await watchTasks(page);
    await longest("a GLB of 290 000 vertices", () => drop(page, [{ name: "crowd.glb", bytes: many }]));
    const { name, meshes: count } = await first();
    assert.deepEqual([name, count], ["crowd.glb", 20]);
    await until(page, "window.ulnaStudio.skins === 20");
    await closeCards(page);
  });

  test("opening is cancelled, and what was open stays as it was", async () => {
    const openings = await look(page, (studio) => studio.openings);
    // In the page, as soon as it has begun: a fast machine is done before a test has looked.
    await page.evaluate(() => {
      const button = document.querySelector("#cancel");
      new window.MutationObserver((_, observer) => {
        if (button.hidden || button.closest(".progress").hidden) return;
        observer.disconnect();
        button.click();
      }).observe(document.querySelector(".progress"), { attributes: true, subtree: true });
    });
    await drop(page, [{ name: "another.bvh", bytes: capture }]);
    assert.ok((await look(page, (studio) => studio.openings)) > openings);
    assert.deepEqual((await first()).name, "crowd.glb");
    assert.equal(await look(page, (studio) => studio.lastError), null);
    assert.ok(await page.locator(".progress").isHidden());
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
