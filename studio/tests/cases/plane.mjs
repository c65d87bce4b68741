// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { borrowStudio, dragMouse, learn, look, nextFrame } from "../support.mjs";

export function plane(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser(), { skin: false });
    page = studio.page;
    await learn(page);
  });

  const choose = async (name) => {
    await page.getByRole("button", { name }).click();
    await nextFrame(page);
  };
  const screen = (joint) => look(page, (studio, name) => studio.screen(name), joint);

  test("a planar chain follows its end by CCD and by FABRIK", async () => {
    await choose("Planar chain");
    const [end] = (await look(page, (studio) => studio.names)).slice(-1);
    for (const method of ["ccd", "fabrik", "auto"]) {
      await page.selectOption("#method", method);
      await page.keyboard.press("r");
      await nextFrame(page);
      const start = await screen(end);
      const target = { x: start.x - 60, y: start.y + 40 };
      await dragMouse(page, start, target);
      const at = await screen(end);
      assert.ok(Math.hypot(at.x - target.x, at.y - target.y) < 4, `${method}: ${at.x - target.x}, ${at.y - target.y}`);
      assert.ok(
        Math.abs((await look(page, (studio, name) => studio.position(name), end))[2]) < 1e-9,
        "it left the plane",
      );
    }
  });

  test("a planar tree holds one arm while the other is dragged", async () => {
    await choose("Planar tree");
    const ends = (await look(page, (studio) => studio.names)).filter((name) => name.endsWith("_end"));
    assert.equal(ends.length, 2);
    const held = await screen(ends[1]);
    await page.mouse.dblclick(held.x, held.y);
    const start = await screen(ends[0]);
    await dragMouse(page, start, { x: start.x + 40, y: start.y - 20 });
    const [then, moved] = [await screen(ends[1]), await screen(ends[0])];
    assert.ok(Math.hypot(then.x - held.x, then.y - held.y) < 1);
    assert.ok(Math.hypot(moved.x - start.x - 40, moved.y - start.y + 20) < 4);
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
