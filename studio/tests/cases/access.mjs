// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { borrowStudio, drop, learn, look, root, until } from "../support.mjs";

const AXE = readFileSync(join(root, "studio/node_modules/axe-core/axe.min.js"), "utf8");

export function access(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser());
    page = studio.page;
    await page.evaluate(`${AXE}; 0`); // by the debugger: the page's policy allows no script but its own
  });
  after(() => page.emulateMedia({ colorScheme: null }));

  /** What axe-core finds, in words. */
  const findings = () =>
    page.evaluate(async () => {
      // Colours that are on their way to others are not looked at.
      const going = document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity);
      await Promise.allSettled(going.map(({ finished }) => finished));
      const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, any }) => `${id}: ${help}: ${target.join(" ")} ${any[0]?.message ?? ""}`),
      );
    });
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: at } = document;
      return at.getAttribute("aria-label") ?? at.textContent.trim();
    });
  const press = (...keys) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

  for (const colorScheme of ["light", "dark"]) {
    test(`axe-core finds nothing, whatever is open, in the ${colorScheme} theme`, async () => {
      await page.emulateMedia({ colorScheme });
      const found = [];
      const check = async (what) => found.push(...(await findings()).map((each) => `${what}: ${each}`));
      await check("at first");
      const folded = page.locator(".panel details.section:not([open]) > summary");
      const unfold = (names) =>
        page.evaluate((names) => {
          for (const name of names) document.querySelector(`details[data-section="${name}"] > summary`).click();
        }, names);
      const names = await folded.evaluateAll((list) => list.map((each) => each.parentElement.dataset.section));
      await unfold(names);
      await page.selectOption("#joint", { label: "LeftArm" });
      await page.keyboard.press("c");
      await drop(page, [{ name: "broken.bvh", bytes: "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 zero\n" }]);
      await check("everything unfolded, with an error");
      await unfold(names); // and folds them again
      await learn(page);
      await check("the mode Learn");
      await learn(page, false);
      await page.locator(".card button").first().click();
      await page.keyboard.press("c");
      for (const name of ["Open", "Export"]) {
        await page.locator(".menu", { hasText: name }).locator("> button").click();
        await check(`the menu ${name}`);
        await press("Escape");
      }
      await page.keyboard.press("?");
      await check("the keys");
      await press("Escape");
      await page.locator(".menu", { hasText: "Export" }).locator("> button").click();
      await page.getByRole("menuitem", { name: "Film" }).click();
      await check("the sheet of films");
      await press("Escape");
      assert.deepEqual(found, []);
    });
  }

  test("axe-core finds nothing on a phone, with the sheet closed and open", async (context) => {
    const wide = page.viewportSize();
    context.after(() => page.setViewportSize(wide));
    await page.setViewportSize({ width: 390, height: 844 });
    assert.deepEqual(await findings(), [], "closed");
    await page.locator("#panel").click();
    await page.locator(".library summary").click();
    await page.locator(".library .kept-pose").first().waitFor();
    assert.deepEqual(await findings(), [], "open");
    await page.locator(".library summary").click();
    await page.locator("#panel").click();
  });

  test("a menu is gone through by arrow keys, and the focus returns to its button", async () => {
    const opener = page.locator(".menu", { hasText: "Export" }).locator("> button");
    const open = () => page.locator(".menu", { hasText: "Export" }).locator(".menu-list").isVisible();
    await opener.focus();
    await press("Enter");
    const items = await page.locator(".menu", { hasText: "Export" }).locator(".menu-list button").allTextContents();
    assert.equal(await focused(), items[0]);
    await press("ArrowDown", "ArrowDown");
    assert.equal(await focused(), items[2]);
    await press("End", "ArrowDown");
    assert.equal(await focused(), items[0]);
    await press("ArrowUp");
    assert.equal(await focused(), items.at(-1));
    await press("Escape");
    assert.deepEqual([await open(), await focused()], [false, "Export"]);
    await press("ArrowDown", "Tab");
    assert.equal(await open(), false);
    await opener.focus();
    await press("Enter", "ArrowUp", "Enter"); // the last one opens a sheet
    assert.equal(await page.locator("dialog[open]").count(), 1);
    await press("Escape");
    assert.equal(await focused(), "Export");
  });

  test("a group of choices is one stop of Tab, and arrow keys choose", async () => {
    const tool = () => look(page, (studio) => studio.tool);
    await page.getByRole("radio", { name: "Drag" }).focus();
    await press("ArrowRight");
    assert.deepEqual([await tool(), await focused()], ["rotate", "Rotate"]);
    await press("ArrowRight", "ArrowRight");
    assert.deepEqual([await tool(), await focused()], ["drag", "Drag"]);
    await press("ArrowLeft");
    assert.equal(await tool(), "paint");
    await press("ArrowRight", "Tab");
    assert.equal(await tool(), "drag");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), null);
  });

  test("Space plays wherever the focus is, but not in fields, boxes and open menus", async () => {
    const playing = () => look(page, (studio) => studio.playing);
    const undoable = await look(page, (studio) => studio.undoLabel);
    const panel = (inside) => page.locator(".panel").locator(inside);
    for (const place of [
      page.locator(".canvas"),
      page.getByRole("radio", { name: "Drag" }),
      page.locator("#reset"),
      page.locator("#play"),
      page.locator(".strip"),
      panel("summary").first(),
    ]) {
      await place.focus();
      await press(" ");
      assert.equal(await playing(), true, await focused());
      await press(" ");
      assert.equal(await playing(), false, await focused());
    }
    assert.equal(await look(page, (studio) => studio.undoLabel), undoable); // Reset was not pressed
    await page.selectOption("#joint", { label: "LeftForeArm" });
    const number = panel('.field input[type="number"]').first();
    await number.focus();
    await press(" ");
    const box = panel('[data-section="view"] .toggle input').first();
    const ticked = await box.isChecked();
    await box.focus();
    await press(" ");
    assert.deepEqual([await playing(), await box.isChecked()], [false, !ticked]);
    await press(" ");
    await page.locator(".menu", { hasText: "Export" }).locator("> button").focus();
    await press("Enter", " ");
    assert.equal(await playing(), false);
    await until(page, "document.querySelector('.menu-list:not([hidden])') === null");
  });

  test("the time is told, also to who does not see the strip", async () => {
    const strip = page.locator(".strip");
    await strip.focus();
    await press("Home", "ArrowRight", "ArrowRight");
    const time = await look(page, (studio) => studio.time);
    assert.ok(time > 0);
    assert.ok(Math.abs(Number(await strip.getAttribute("aria-valuenow")) - time) < 1e-3);
    await press("Home");
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
