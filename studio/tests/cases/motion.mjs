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

  test("the clip plays, and a scrub shows another moment", async () => {
    await page.selectOption("#clip", { label: "walk" });
    await page.locator(".canvas").press(" ");
    await until(page, "window.ulnaStudio.time > 0.1");
    await page.keyboard.press(" ");
    assert.equal(await look(page, (studio) => studio.playing), false);
    const box = await page.locator(".strip").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + 6);
    const { duration } = await clip();
    assert.ok(Math.abs((await look(page, (studio) => studio.time)) - duration / 2) < duration / 50);
  });

  test("the curves say what they are, and their values at the pointer or at the moment that is shown", async () => {
    await page.locator(".canvas").press("c");
    await page.selectOption("#joint", { label: "LeftForeArm" });
    await nextFrame(page);
    const legend = page.locator(".curves-legend");
    const numbers = async () => (await legend.locator("b").allTextContents()).map(parseFloat);
    const fields = await page
      .locator('[data-section="joint"] .field input[type="number"]')
      .evaluateAll((list) => list.map((each) => Number(each.value)));
    const shown = await numbers();
    assert.deepEqual([...shown].sort(), fields.sort());
    const box = await page.locator(".curves").boundingBox();
    await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2);
    assert.notDeepEqual(await numbers(), shown);
    await page.mouse.move(5, 5);
    assert.deepEqual(await numbers(), shown);
    await page.locator(".canvas").press("c");
    assert.equal(await legend.isVisible(), false);
  });

  test("an edited pose becomes a key on a layer, which undo takes back", async () => {
    const before = await clip();
    const hand = await look(page, (studio) => studio.screen("LeftHand"));
    await dragMouse(page, hand, { x: hand.x + 30, y: hand.y - 60 });
    const dragged = await look(page, (studio) => studio.position("LeftHand"));
    await page.keyboard.press("k");
    const after = await clip();
    assert.equal(after.layers.length, 1);
    assert.ok(Math.abs(after.frameTime - before.frameTime) < 1e-12, "the frame rate stays");
    assert.ok(
      distance(await look(page, (studio) => studio.position("LeftHand")), dragged) < 1e-6,
      "the key is not the pose",
    );
    await page.keyboard.press("Control+z");
    assert.deepEqual(await clip(), before);
    await page.keyboard.press("Control+Shift+z");
    assert.deepEqual(await clip(), after);
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
