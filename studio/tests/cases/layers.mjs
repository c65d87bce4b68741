// SPDX-License-Identifier: Apache-2.0

// Keys on captured motion: layers, their falloff, what they leave alone; and nothing that blocks the page.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { positionsOf } from "../oracle.mjs";
import { borrowStudio, closeCards, distance, dragMouse, drop, longBvh, look, nextFrame, until } from "../support.mjs";
import { watchTasks } from "../tasks.mjs";

export function layers(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser(), { skin: false });
    page = studio.page;
  });

  const clip = () => look(page, (studio) => studio.clip);
  const placeOf = async (time, lower = false) => {
    const [box, { duration }] = [await page.locator(".strip").boundingBox(), await clip()];
    return { x: box.x + 12 + (time / duration) * (box.width - 24), y: lower ? box.y + box.height - 12 : box.y + 6 };
  };
  const seek = async (time) => {
    const { x, y } = await placeOf(time);
    await page.mouse.click(x, y);
    await nextFrame(page);
    return look(page, (studio) => studio.time);
  };
  const pull = async (joint, by) => {
    const from = await look(page, (studio, joint) => studio.screen(joint), joint);
    await dragMouse(page, from, { x: from.x + by.x, y: from.y + by.y });
  };
  /** The poses of all frames of the clip shown. */
  const poses = () => look(page, (studio) => studio.clipPoses());
  const same = (a, b) => a.every((value, i) => Object.is(value, b[i]));

  test("a key on captured motion is a layer: outside its falloff all is the same to the bit, and pinned feet stay", async () => {
    await page.keyboard.press("Escape");
    const [{ duration, frameTime }, before] = [await clip(), await poses()];
    const at = await seek(duration / 2);
    await pull("Hips", { x: 4, y: 22 });
    await pull("LeftHand", { x: 30, y: -50 });
    const keyed = await look(page, (studio) => studio.pose);
    await page.keyboard.press("k");
    const {
      layers: [layer],
      ...made
    } = await clip();
    assert.deepEqual([made.duration, made.frameTime, layer.pins], [duration, frameTime, 2]);
    assert.ok(Math.abs(layer.keys[0] - at) < 1e-9);
    const after = await poses();
    assert.equal(after.length, before.length);
    const { parents, names } = await look(page, ({ parents, names }) => ({ parents, names }));
    const feet = ["LeftFoot", "RightFoot"].map((name) => names.indexOf(name));
    let [changed, slid] = [0, 0];
    after.forEach((pose, frame) => {
      const away = Math.abs(frame * frameTime - at);
      if (away > 0.5 + 1e-9) assert.ok(same(pose, before[frame]), `frame ${frame} is another`);
      else if (away < 0.4) changed += same(pose, before[frame]) ? 0 : 1;
      const [now, own] = [positionsOf(pose, parents), positionsOf(before[frame], parents)];
      for (const foot of feet) slid = Math.max(slid, distance(now[foot], own[foot]));
      if (away < 1e-9) assert.ok(Math.max(...pose.map((value, i) => Math.abs(value - keyed[i]))) < 1e-9);
    });
    assert.ok(changed > 10, `${changed} frames are others`);
    console.log(`    feet under a layer moved by ${(slid * 1000).toFixed(4)} mm at most`);
    assert.ok(slid < 1e-3, `${slid} m`);
    // The speed of what the layer adds is continuous: it rises from nothing, frame by frame.
    const hand = names.indexOf("LeftHand");
    const added = after.map((pose, frame) =>
      distance(positionsOf(pose, parents)[hand], positionsOf(before[frame], parents)[hand]),
    );
    const steps = added.slice(1).map((value, i) => Math.abs(value - added[i]));
    const first = steps.findIndex((step) => step > 0);
    assert.ok(steps[first] < 0.25 * Math.max(...steps), `${steps[first]} at once, of ${Math.max(...steps)}`);
  });

  test("the falloff is dragged on the timeline, and snaps to frames", async () => {
    const {
      layers: [layer],
      frameTime,
    } = await clip();
    const [from, to] = [await placeOf(layer.keys[0] + layer.out, true), await placeOf(layer.keys[0] + 0.25, true)];
    await dragMouse(page, from, to, { steps: 3 });
    const {
      layers: [after],
    } = await clip();
    assert.ok(after.out < 0.35 && after.out > 0.15, `${after.out}`);
    assert.ok(Math.abs(after.out / frameTime - Math.round(after.out / frameTime)) < 1e-6);
    assert.equal(after.in, layer.in);
    assert.equal(await look(page, (studio) => studio.undoLabel), "Layer");
    await page.keyboard.press("Control+z");
    assert.equal((await clip()).layers[0].out, layer.out);
  });

  test("a layer is weighed, muted, merged and taken back in the panel", async () => {
    const row = page.locator(".layer");
    const shown = () => look(page, (studio) => studio.pose);
    const whole = await shown();
    const slider = row.getByRole("slider");
    await slider.fill("0.5");
    assert.equal((await clip()).layers[0].weight, 0.5);
    assert.notDeepEqual(await shown(), whole);
    await page.keyboard.press("Control+z");
    assert.deepEqual(await shown(), whole);
    await row.getByRole("button", { name: "Mute" }).click();
    assert.equal((await clip()).layers[0].muted, true);
    await page.locator(".layer").getByRole("button", { name: "Unmute" }).click();
    await page.locator(".layer").getByRole("button", { name: "Merge" }).click();
    assert.deepEqual((await clip()).layers, []);
    const merged = await shown();
    assert.ok(Math.max(...merged.map((value, i) => Math.abs(value - whole[i]))) < 1e-9);
    for (let i = 0; i < 3; ++i) await page.keyboard.press("Control+z");
    assert.equal((await clip()).layers.length, 1);
  });

  test("auto-key keys what is dragged, on a frame", async () => {
    await page.locator("#auto-key").click();
    await seek(0.3 * (await clip()).duration);
    await pull("RightHand", { x: -20, y: -30 });
    const {
      layers: [{ keys }],
      frameTime,
    } = await clip();
    assert.equal(keys.length, 2);
    for (const time of keys) assert.ok(Math.abs(time / frameTime - Math.round(time / frameTime)) < 1e-6);
    assert.equal(await look(page, (studio) => studio.edited), false);
    await page.locator("#auto-key").click();
  });

  test("an exported BVH has no channels for what only rounding moves", async () => {
    const text = Buffer.from(await look(page, (studio) => studio.exported("bvh")), "base64").toString();
    const channels = [...text.matchAll(/CHANNELS (\d)/g)].map(([, count]) => Number(count));
    assert.equal(channels.filter((count) => count === 6).length, 1, "the root alone has positions");
  });

  test("keying, reducing and exporting 30 s of capture blocks nothing, and a reduction can be cancelled", async () => {
    await drop(page, [{ name: "capture.bvh", bytes: longBvh({ frames: 30 * 30 }) }]);
    await closeCards(page);
    const longest = await watchTasks(page);
    await seek(15);
    await pull("LeftHand", { x: 10, y: -25 });
    await longest("a key", async () => {
      await page.keyboard.press("k");
      await until(page, "window.ulnaStudio.clip.layers.length === 1");
    });
    await longest("an export", async () => {
      const coming = page.waitForEvent("download");
      await page.locator(".menu", { hasText: "Export" }).locator("> button").click();
      await page.getByRole("menuitem", { name: "GLB" }).click();
      if (await page.locator(".question").isVisible()) await page.locator(".question .primary").click();
      await coming;
    });
    await longest("a reduction that is cancelled", async () => {
      // In the page, as soon as it has begun: a fast machine is done before a test has looked.
      await page.evaluate(() => {
        const progress = document.querySelector(".progress");
        window.cancelled = "";
        new window.MutationObserver((_, observer) => {
          const text = progress.querySelector(".progress-text").textContent;
          if (!/[1-9]\d* %/.test(text)) return;
          observer.disconnect();
          window.cancelled = text;
          document.querySelector("#cancel").click();
        }).observe(progress, { subtree: true, childList: true, characterData: true, attributes: true });
      });
      await page.getByRole("button", { name: "Reduce" }).click();
      await until(page, "window.cancelled !== ''", 60);
      await until(page, "document.querySelector('.progress').hidden");
    });
    assert.equal((await clip()).layers.length, 1, "what was cancelled changed nothing");
  });

  test("a reduction makes few keys with the frame rate of the motion", async () => {
    await borrowStudio(browser(), { skin: false });
    const before = await clip();
    await page.getByRole("button", { name: "Reduce" }).click();
    await until(page, "window.ulnaStudio.undoLabel === 'Reduce keys'", 120);
    const after = await clip();
    assert.ok(after.form === "keys" && after.keys < 0.5 * 79 * (before.duration / before.frameTime));
    assert.ok(Math.abs(after.frameTime - before.frameTime) < 1e-9);
    await page.keyboard.press("Control+z");
    assert.deepEqual(await clip(), before);
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
