// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { borrowStudio, dragMouse, learn, look, nextFrame, until } from "../support.mjs";

export function learning(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser(), { skin: false });
    page = studio.page;
    await learn(page);
  });
  after(() => learn(page, false));

  const rows = () =>
    page
      .locator(".attempts tbody tr")
      .evaluateAll((list) => list.map((row) => [...row.children].map(({ textContent }) => textContent)));

  test("methods are compared on the last drag, in numbers and as curves, and the body stays where it is", async () => {
    await page.getByRole("button", { name: "Planar chain" }).click();
    await nextFrame(page);
    const compare = page.getByRole("button", { name: "Compare all methods" });
    const [end] = (await look(page, (studio) => studio.names)).slice(-1);
    const start = await look(page, (studio, name) => studio.screen(name), end);
    await dragMouse(page, start, { x: start.x - 60, y: start.y + 40 });
    const [pose, curves] = [await look(page, (studio) => studio.pose), page.locator(".graph")];
    const before = await curves.screenshot();
    await compare.click();
    const methods = await page.locator("#method option").allTextContents();
    await until(page, `document.querySelectorAll(".attempts tbody tr").length === ${methods.length}`);
    const found = await rows();
    assert.deepEqual(
      found.map(([method]) => method),
      methods,
    );
    const errorOf = (method) =>
      Number(
        found
          .find(([name]) => name === method)
          .at(-1)
          .replace("< ", ""),
      );
    // A chain without limits: those that are made for it get there, in few iterations.
    for (const method of ["auto", "ccd", "fabrik", "dls"])
      assert.ok(errorOf(method) <= 1, `${method}: ${errorOf(method)}`);
    // The gradient alone is slow: that is what is to be seen.
    assert.ok(errorOf("gradient") > 1, `${errorOf("gradient")}`);
    assert.match(found.find(([name]) => name === "two-bone").at(-1), /cannot|\d/);
    assert.deepEqual(await look(page, (studio) => studio.pose), pose);
    assert.ok(!before.equals(await curves.screenshot()), "no curves were added");
    await page.getByRole("button", { name: "Clear" }).click();
    assert.equal((await rows()).length, 0);
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
