// SPDX-License-Identifier: Apache-2.0

// The page in other languages: chosen from the browser, switched without losing anything, complete, and in its place.
import assert from "node:assert/strict";
import { before, after, test } from "node:test";
import { catalogueOf, messages } from "../messages.mjs";
import { dragMouse, look, nextFrame, openStudio, until } from "../support.mjs";

const LETTERS = /\p{L}{2,}/u;
// What no language says otherwise: units, formats, and the name of the page.
const NAMES = /⟦[^]*⟧|\b(mm|cm|ms|fps|MP4|WebM|GIF|WebP|ulna|studio)\b|ulna-character\.glb|\.[rt][xyz]\b/g;

/** Texts that are seen or read aloud and stand outside the catalogue, which has all of its messages in brackets. */
const outside = (page) =>
  page.evaluate(() => {
    const found = [];
    const left = (element) => element.closest('[lang="en"], [translate="no"], kbd, noscript') !== null;
    const walker = document.createTreeWalker(
      document.body,
      window.NodeFilter.SHOW_TEXT | window.NodeFilter.SHOW_ELEMENT,
    );
    for (let node; (node = walker.nextNode()); ) {
      if (node.nodeType === 3) {
        if (!left(node.parentElement)) found.push(node.data);
        continue;
      }
      if (left(node)) continue;
      for (const name of ["title", "aria-label", "placeholder", "alt"])
        if (node.hasAttribute(name)) found.push(`${name}: ${node.getAttribute(name)}`);
    }
    return found;
  });

/** Elements whose text does not fit, or which are not where they can be seen. */
const misplaced = (page) =>
  page.evaluate(() => {
    const found = [];
    for (const element of document.querySelectorAll(
      "button, label, .label, summary, h1, h2, select, output, p, td, th, .status span, .chip",
    )) {
      const box = element.getBoundingClientRect();
      if (!element.checkVisibility() || box.width === 0 || element.closest(".menu-list")) continue;
      const what = `${element.tagName} ${element.className}: ${element.textContent.slice(0, 50)}`;
      const style = getComputedStyle(element);
      if (
        style.display !== "inline" &&
        style.textOverflow !== "ellipsis" &&
        element.scrollWidth > element.clientWidth + 1
      )
        found.push(`${what} is ${element.scrollWidth} wide in ${element.clientWidth}`);
      // A row of the timeline may be moved aside on a phone, as is seen at its end.
      const room = element.closest(".panel, .transport, .bar, .status")?.getBoundingClientRect();
      const slides = window.innerWidth < 600 && element.closest(".transport");
      if (room && !slides && (box.right > room.right + 1 || box.left < room.left - 1)) found.push(`${what} is outside`);
    }
    if (document.documentElement.scrollWidth > window.innerWidth) found.push("the page is wider than the window");
    return found;
  });

export function languages(browser) {
  const open = (locale, options = {}) =>
    openStudio(browser(), { context: { locale, viewport: { width: 1280, height: 800 }, ...options } });

  let studio, page;
  before(async () => {
    studio = await open("de-AT");
    page = studio.page;
  });
  after(() => studio?.close());

  test("the page speaks the browser's language, and fetches no other", async () => {
    const german = catalogueOf("de");
    assert.equal(await page.evaluate("document.documentElement.lang"), "de");
    assert.equal(await page.locator('.segment [data-value="rotate"] span').textContent(), german.Rotate);
    assert.equal(await page.locator('[data-section="joint"] summary').textContent(), german.Joint);
    const fetched = () =>
      page.evaluate('performance.getEntriesByType("resource").map(({ name }) => name.split("/").pop())');
    assert.deepEqual(
      (await fetched()).filter((name) => name.startsWith("language-")),
      ["language-de.json"],
    );
    assert.deepEqual(studio.problems, []);
  });

  for (const locale of ["de", "ja"]) {
    test(`everything is in its place in ${locale}, wide and on a phone`, async (context) => {
      const other = await open(locale, { hasTouch: true });
      context.after(other.close);
      // Fonts of these letters may be missing here: they are as wide as they are high.
      if (locale === "ja")
        await other.page.evaluate(() => {
          const sheet = new window.CSSStyleSheet();
          sheet.replaceSync("body { letter-spacing: 0.3em } input, output, .field, .hud, kbd { letter-spacing: 0 }");
          document.adoptedStyleSheets = [sheet];
        });
      const hand = await look(other.page, (studio) => studio.screen("LeftHand"));
      await other.page.mouse.click(hand.x, hand.y);
      for (const size of [
        { width: 1280, height: 800 },
        { width: 880, height: 470 },
        { width: 390, height: 844 },
      ]) {
        await other.page.setViewportSize(size);
        for (const mode of size.width > 600 ? ["learn", "pose"] : [null]) {
          if (mode) await other.page.locator(`.modes [data-value="${mode}"]`).click();
          await nextFrame(other.page);
          assert.deepEqual(await misplaced(other.page), [], `${locale} ${size.width} ${mode}`);
        }
      }
      assert.deepEqual(other.problems, []);
    });
  }

  test("no text stands outside the catalogue", async () => {
    const bracketed = Object.fromEntries([...messages().keys()].map((message) => [message, `⟦${message}⟧`]));
    const context = await browser().newContext({ locale: "fr-FR", viewport: { width: 1280, height: 1000 } });
    await context.route("**/language-fr.json", (route) => route.fulfill({ json: bracketed }));
    const other = await context.newPage();
    await other.goto(`${studio.url}#quiet`);
    await until(other, "window.ulnaStudio !== undefined");
    const names = await look(other, (studio) => studio.names);
    const scan = async (where) => {
      const left = (await outside(other))
        .map((text) => names.reduce((rest, name) => rest.replaceAll(name, ""), text.replace(NAMES, "")))
        .map((text) => text.replace(/^(title|aria-label|placeholder|alt): /, ""))
        .filter((text) => LETTERS.test(text.replace(NAMES, "")));
      assert.deepEqual([...new Set(left)], [], where);
    };
    assert.equal(await other.locator('[data-section="joint"] summary').textContent(), "⟦Joint⟧");
    await scan("at the start");
    await other.locator(".library summary").click();
    await other.locator(".library .kept-pose").first().waitFor();
    const hand = await look(other, (studio) => studio.screen("LeftHand"));
    await dragMouse(other, hand, { x: hand.x + 30, y: hand.y - 60 });
    await other.keyboard.press("k");
    await nextFrame(other);
    await scan("with a joint and a key");
    for (const section of ["hands", "skin", "character", "files"]) {
      const element = other.locator(`[data-section="${section}"]`);
      if (!(await element.evaluate((each) => each.open))) await element.locator("> summary").click();
    }
    await other.keyboard.press("c");
    await scan("with all sections");
    await other.locator('.modes [data-value="learn"]').click();
    await dragMouse(other, hand, { x: hand.x + 50, y: hand.y - 30 });
    await other.locator("#film-save").waitFor({ state: "attached" });
    await scan("while learning");
    await other.locator(".canvas").press("?");
    await scan("with help");
    await other.keyboard.press("Escape");
    await other
      .locator(".menu", { has: other.locator('[aria-label="⟦Export⟧"]') })
      .locator("> button")
      .click();
    await other.getByRole("menuitem", { name: "⟦Film…⟧" }).click();
    await scan("with the sheet of films");
    await context.close();
  });

  test("another language is chosen in the bar, and all that was done is there again", async () => {
    const hand = await look(page, (studio) => studio.screen("LeftHand"));
    await dragMouse(page, hand, { x: hand.x + 30, y: hand.y - 60 });
    const before = await look(page, (studio) => studio.poseOf(0));
    await page.locator(".languages > button").click();
    await Promise.all([page.waitForEvent("load"), page.getByRole("menuitem", { name: "日本語" }).click()]);
    await until(page, "document.documentElement.lang === 'ja' && window.ulnaStudio !== undefined");
    await until(page, "window.ulnaStudio.unsaved");
    assert.deepEqual(await look(page, (studio) => studio.poseOf(0)), before);
    assert.equal(await page.locator('[data-section="joint"] summary').textContent(), catalogueOf("ja").Joint);
    assert.equal(await look(page, (studio) => studio.kept), false, "what was handed over is not kept any longer");
    // It is remembered, and English is one of them.
    await page.locator("#help").click();
    await Promise.all([page.waitForEvent("load"), page.selectOption("#language", "en")]);
    await until(page, "document.documentElement.lang === 'en' && window.ulnaStudio !== undefined");
    await until(page, "window.ulnaStudio.unsaved");
    assert.deepEqual(await look(page, (studio) => studio.poseOf(0)), before);
    assert.equal(await page.locator('[data-section="joint"] summary').textContent(), "Joint");
    assert.deepEqual(studio.problems, []);
  });
}
