// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { borrowStudio, look, nextFrame, until } from "../support.mjs";

export function hands(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser());
    page = studio.page;
    await page.locator('[data-section="hands"] summary').click();
  });

  const left = (inside) => page.locator(`[data-hand="left"] ${inside}`);
  /** How far the tip of a finger is from its wrist. */
  const reach = (side) =>
    look(
      page,
      (studio, side) => {
        const [tip, wrist] = [`${side}HandMiddle3_end`, `${side}Hand`].map((name) => studio.position(name));
        return Math.hypot(...tip.map((value, i) => value - wrist[i]));
      },
      side,
    );
  const slide = (label, value) =>
    left(`input[aria-label="${label}"]`).evaluate((input, value) => {
      input.value = String(value);
      input.dispatchEvent(new Event("input"));
      input.dispatchEvent(new Event("change"));
    }, value);

  test("a shape closes the hand, and the other stays; undo opens it", async () => {
    const [open, other] = [await reach("Left"), await reach("Right")];
    await left("select").selectOption("fist");
    assert.ok((await reach("Left")) < 0.65 * open);
    assert.equal(await reach("Right"), other);
    await until(page, `document.querySelector('[data-hand="left"] select').value === "fist"`);
    assert.match(await look(page, (studio) => studio.undoLabel), /Hand: fist/);
    await page.keyboard.press("Control+z");
    assert.ok(Math.abs((await reach("Left")) - open) < 1e-9);
  });

  test("sliders curl and spread the fingers, one step of the history each", async () => {
    const open = await reach("Left");
    await slide("Curl", 0.6);
    const curled = await reach("Left");
    assert.ok(curled < 0.9 * open, `${open} to ${curled}`);
    await until(page, `document.querySelector('[data-hand="left"] output').textContent === "60%"`);
    await slide("Spread", 0.8);
    assert.match(await look(page, (studio) => studio.undoLabel), /Pose hand/);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    assert.ok(Math.abs((await reach("Left")) - open) < 1e-9);
  });

  test("a pinch brings thumb and index finger together; the slider takes the thumb back", async () => {
    const apart = () =>
      look(page, (studio) => {
        const [thumb, index] = ["Thumb", "Index"].map((finger) => studio.position(`LeftHand${finger}3_end`));
        return Math.hypot(...thumb.map((value, i) => value - index[i]));
      });
    await left("select").selectOption("pinch");
    assert.ok((await apart()) < 0.008);
    await until(page, `[...document.querySelectorAll('[data-hand="left"] output')].at(-1).textContent === "100%"`);
    await slide("Oppose", 0);
    assert.ok((await apart()) > 0.05);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
  });

  test("twist is spread over limbs, and can be left at the joint", async () => {
    await left("select").selectOption("flat");
    await page.selectOption("#joint", { label: "LeftHand" });
    const twist = page.locator('.field input[type="number"]').first();
    await twist.fill("70");
    await twist.press("Enter");
    await nextFrame(page);
    const vertices = () => look(page, (studio) => [...studio.vertices()]);
    const spread = await vertices();
    const skin = page.locator('[data-section="skin"]');
    if (!(await skin.evaluate((element) => element.open))) await skin.locator("summary").click();
    const box = skin.locator(".toggle", { hasText: "Spread twist" });
    await box.click();
    await nextFrame(page);
    const plain = await vertices();
    const most = plain.reduce((sum, value, i) => Math.max(sum, Math.abs(value - spread[i])), 0);
    assert.ok(most > 0.005, `${most}`);
    await box.click();
    await nextFrame(page);
    assert.deepEqual(await vertices(), spread);
    await page.keyboard.press("Control+z");
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
