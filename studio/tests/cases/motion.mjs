// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { borrowStudio, distance, dragMouse, drop, look, nextFrame, until } from "../support.mjs";

export function motion(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser(), { skin: false });
    page = studio.page;
  });

  const clip = () => look(page, (studio) => studio.clip);
  const positions = () => look(page, (studio) => studio.names.map((name) => studio.position(name)));

  test("a key of a dense motion is dragged with its pose, which undo takes back", async () => {
    const { duration } = await clip();
    const times = await look(page, (studio) => studio.keyTimes());
    assert.ok(times.length / duration > 20, "the clip is not dense");
    const box = await page.locator(".strip").boundingBox();
    const x = (seconds) => box.x + 12 + (seconds / duration) * (box.width - 24);
    const y = box.y + box.height / 2 + 8;
    const from = times[Math.round(0.4 * times.length)];
    await page.mouse.click(x(from), y);
    const taken = await positions();
    await dragMouse(page, { x: x(from), y }, { x: x(from) + 61, y }, { steps: 3 });
    assert.ok((await look(page, (studio) => studio.time)) > from + 0.2);
    const worst = Math.max(...(await positions()).map((position, i) => distance(position, taken[i])));
    assert.ok(worst < 1e-5, `the pose is off by ${worst}`);
    await page.keyboard.press("Control+z");
    assert.deepEqual(await look(page, (studio) => studio.keyTimes()), times);
  });

  test("the clip plays, and a scrub shows another moment", async () => {
    await page.selectOption("#clip", { label: "walk" });
    await page.keyboard.press(" ");
    await until(page, "window.ulnaStudio.time > 0.1");
    await page.keyboard.press(" ");
    assert.equal(await look(page, (studio) => studio.playing), false);
    const box = await page.locator(".strip").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + 6);
    const { duration } = await clip();
    assert.ok(Math.abs((await look(page, (studio) => studio.time)) - duration / 2) < duration / 50);
  });

  test("an edited pose becomes a key, which undo takes back", async () => {
    const before = await clip();
    const hand = await look(page, (studio) => studio.screen("LeftHand"));
    await dragMouse(page, hand, { x: hand.x + 30, y: hand.y - 60 });
    const dragged = await look(page, (studio) => studio.position("LeftHand"));
    await page.keyboard.press("k");
    const after = await clip();
    assert.equal(after.form, "keys");
    assert.ok(
      distance(await look(page, (studio) => studio.position("LeftHand")), dragged) < 1e-6,
      "the key is not the pose",
    );
    await page.keyboard.press("Control+z");
    assert.deepEqual(await clip(), before);
    await page.keyboard.press("Control+Shift+z");
    assert.deepEqual(await clip(), after);
  });

  test("a key moves along the timeline and goes by Delete", async () => {
    await page.keyboard.press("Escape");
    await nextFrame(page);
    const [time, { duration, keys }] = [await look(page, (studio) => studio.time), await clip()];
    const box = await page.locator(".strip").boundingBox();
    const x = (seconds) => box.x + 12 + (seconds / duration) * (box.width - 24);
    const y = box.y + box.height / 2 + 8;
    await dragMouse(page, { x: x(time), y }, { x: x(time) + 23, y }, { steps: 4 });
    assert.equal((await clip()).keys, keys);
    assert.ok((await look(page, (studio) => studio.time)) > time + 0.005);
    assert.equal(await look(page, (studio) => studio.undoLabel), "Move keys");
    await page.keyboard.press("Delete");
    assert.ok((await clip()).keys < keys);
  });

  test("a curve's key is pulled up by the mouse", async () => {
    await page.selectOption("#joint", { label: "LeftForeArm" });
    await page.keyboard.press("c");
    await nextFrame(page);
    const before = await clip();
    const steps = await look(page, (studio) => studio.undoLabel);
    const box = await page.locator(".curves").boundingBox();
    // Somewhere along the first column of keys one of the dots is hit.
    for (let y = 4; y < box.height && (await look(page, (studio) => studio.undoLabel)) === steps; y += 12) {
      await dragMouse(page, { x: box.x + 12, y: box.y + y }, { x: box.x + 12, y: box.y + y - 18 }, { steps: 1 });
    }
    assert.equal(await look(page, (studio) => studio.undoLabel), "Edit key");
    assert.equal((await clip()).duration, before.duration);
    await page.keyboard.press("c");
  });

  for (const format of ["glb", "bvh"]) {
    test(`what is exported as ${format} and opened again is the same motion`, async () => {
      // The same point of the timeline is the same time: the motion is as long as it was.
      const seek = async () => {
        const box = await page.locator(".strip").boundingBox();
        await page.mouse.click(box.x + 0.37 * box.width, box.y + 6);
        await nextFrame(page);
      };
      await seek();
      const [time, before, { name }] = [await look(page, (studio) => studio.time), await positions(), await clip()];
      const bytes = Buffer.from(await look(page, (studio, format) => studio.exported(format), format), "base64");
      await drop(page, [{ name: `again.${format}`, bytes }]);
      assert.equal((await look(page, (studio) => studio.characters))[0].name, `again.${format}`);
      if (format === "glb") await page.selectOption("#clip", { label: name });
      await seek();
      assert.ok(Math.abs((await look(page, (studio) => studio.time)) - time) < 1e-3);
      const then = await positions();
      const worst = Math.max(...before.map((position, i) => distance(position, then[i])));
      assert.ok(worst < 2e-3, `${worst}`);
    });
  }

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
