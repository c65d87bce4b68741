// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { borrowStudio, dragMouse, look, nextFrame } from "../support.mjs";

export function skin(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser());
    page = studio.page;
  });

  const total = () => look(page, (studio) => studio.weightsOf("Head").reduce((sum, weight) => sum + weight, 0));

  test("painting gives a joint weight under the brush, and undo takes it away", async () => {
    await page.selectOption("#joint", { label: "Head" });
    await page.keyboard.press("3");
    const before = await total();
    const chest = await look(page, (studio) => studio.screen("Spine1"));
    await dragMouse(page, chest, { x: chest.x + 10, y: chest.y + 15 });
    const painted = await total();
    assert.ok(painted > before + 1, `${before} to ${painted}`);
    await page.keyboard.press("Control+z");
    assert.ok(Math.abs((await total()) - before) < 1e-3);
    await page.keyboard.press("Control+Shift+z");
    assert.ok(Math.abs((await total()) - painted) < 1e-3);
  });

  test("the smoothing brush spreads what was painted", async () => {
    // Of weights that are spread the squares are smaller.
    const squares = () =>
      look(page, (studio) => studio.weightsOf("Head").reduce((sum, weight) => sum + weight * weight, 0));
    const before = await squares();
    await page.locator('.segment-item[data-value="smooth"]').click();
    const chest = await look(page, (studio) => studio.screen("Spine1"));
    await dragMouse(page, chest, { x: chest.x + 10, y: chest.y + 15 });
    assert.ok((await squares()) < before - 0.1, `${before}`);
  });

  test("linear and dual quaternion skins, wireframe and skeleton can be switched", async () => {
    await page.keyboard.press("1");
    await page.locator('[data-section="skin"] summary').click({ trial: false });
    for (const key of ["w", "b", "s", "s", "b", "w"]) await page.keyboard.press(key);
    await nextFrame(page);
    assert.equal(await look(page, (studio) => studio.tool), "drag");
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
