// SPDX-License-Identifier: Apache-2.0

// A real browser on the real page. One browser and one page for nearly all tests: where the processor draws, starting
// one takes longer than most of them.
import { chromium } from "playwright-core";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { makeProjection } from "./oracle.mjs";
import { decodePng } from "./picture.mjs";
import { serve } from "./serve.mjs";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const shared = process.env.ULNA_SHARED_DATA ?? join(root, "../shared/data");
const executablePath = process.env.ULNA_CHROMIUM ?? "/usr/bin/chromium";

const VIEWPORT = { width: 880, height: 470 };

export async function openBrowser() {
  return chromium.launch({
    executablePath,
    args: [
      ...(process.getuid() === 0 ? ["--no-sandbox"] : []),
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--disable-dev-shm-usage",
    ],
  });
}

/** The page on some files, with everything that went wrong in it. */
export async function openStudio(browser, { files = [], hash = "#quiet", context: options = {}, wait = true } = {}) {
  const server = await serve(files);
  const context = await browser.newContext({ viewport: VIEWPORT, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    // Reading pixels back is slow by nature; a driver that says so found no mistake.
    if (["error", "warning"].includes(message.type()) && !/GPU stall due to ReadPixels/.test(message.text()))
      problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["blob:", "data:"].includes(url.protocol) && url.origin !== new URL(server.url).origin)
      problems.push(`request to ${url.origin}`);
  });
  await page.goto(server.url + hash);
  if (wait) await until(page, "window.ulnaStudio !== undefined");
  return {
    page,
    problems,
    url: server.url,
    close: async () => {
      await context.close();
      server.close();
    },
  };
}

let lent = null;

/** The page as a first visitor sees it, before anyone has borrowed it. */
export async function openFirst(browser) {
  if (lent) throw new Error("The page was lent before: this is no first visit any more.");
  lent = await openStudio(browser, { hash: "", context: { hasTouch: true } });
  return lent;
}

/**
 * The page with the bundled character as it was at the start, the same page for everyone who asks. Tools and switches
 * are left as they were found; what went wrong is told to each alone. Without its skin, for tests that do not look at
 * it, the character is drawn in half the time.
 */
export async function borrowStudio(browser, { skin = true, viewport = VIEWPORT } = {}) {
  lent ??= await openStudio(browser, { context: { hasTouch: true } });
  const { page, problems } = lent;
  problems.length = 0;
  // A card that asks whether work is to be kept would lie over the body in the middle of a test.
  await page.evaluate(() => void (window.location.hash = "#quiet"));
  await page.setViewportSize(VIEWPORT);
  await page.mouse.up();
  for (const key of ["Escape", "1"]) await page.locator(".canvas").press(key);
  await learn(page, false);
  await showSkin(page, skin);
  const before = await look(page, (studio) => studio.openings);
  await page.locator(".brand").click();
  await until(page, `window.ulnaStudio.openings > ${before}`);
  await closeCards(page);
  if (viewport !== VIEWPORT) {
    await page.setViewportSize(viewport);
    await nextFrame(page);
    await page.keyboard.press("f");
  }
  await nextFrame(page);
  return lent;
}

export async function closeCards(page) {
  // By script: notes go by themselves, perhaps while a mouse is on its way.
  await page.evaluate(() => {
    for (let button; (button = document.querySelector(".card header button")); ) button.click();
  });
}

/** Without a skin frames are drawn twice as fast, where the processor draws. */
export async function showSkin(page, shown) {
  const box = page.locator('[data-section="view"] .toggle', { hasText: "Skin" });
  if ((await box.locator("input").isChecked()) !== shown) await box.click();
}

/** The panel of those who learn how solvers work, or that of those who pose. */
export async function learn(page, on = true) {
  await page.locator(`.modes [data-value="${on ? "learn" : "pose"}"]`).click();
}

export async function chooseMethod(page, method) {
  await learn(page);
  await page.selectOption("#method", method);
  await learn(page, false);
}

/** Closes the page that was lent, if it was. */
export const closeLent = () => lent?.close();

/** What the page says of itself: `look(page, (studio) => studio.pins)`. */
export function look(page, ask, argument) {
  // As text: the page's policy forbids it to evaluate any, the debugger may.
  return page.evaluate(`(${ask})(window.ulnaStudio, ${JSON.stringify(argument)})`);
}

/** Waits for an expression to be true. Playwright's own way evaluates text in the page, which its policy forbids. */
export async function until(page, expression, seconds = 30) {
  for (let tries = 0; tries < seconds * 100; ++tries) {
    if (await page.evaluate(expression)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`not within ${seconds} s: ${expression}`);
}

/** The buttons of the question where a motion goes. */
export const ANSWERS = { play: /^Play it on/, beside: "Open beside it", instead: "Open instead" };

/**
 * Drops files on the page, as a hand does: from a folder, which is faster than to tell their bytes. Where it is asked,
 * `answer` is given; null leaves the question to the caller.
 */
export async function drop(page, files, { shift = false, answer = "instead" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "ulna-drop-"));
  const paths = files.map(({ name }) => join(folder, name));
  files.forEach(({ bytes }, i) => writeFileSync(paths[i], bytes));
  const before = await page.evaluate("window.ulnaStudio.openings");
  const input = await page.evaluateHandle(() => {
    const made = document.createElement("input");
    return Object.assign(made, { type: "file", multiple: true });
  });
  await input.asElement().setInputFiles(paths);
  await input.evaluate(({ files: list }, shiftKey) => {
    const transfer = new DataTransfer();
    for (const file of list) transfer.items.add(file);
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, shiftKey, bubbles: true, cancelable: true }));
  }, shift);
  const [opened, asked] = [`window.ulnaStudio.openings > ${before}`, "document.querySelector('.question') !== null"];
  await until(page, `${opened} || ${asked}`);
  if (answer !== null && (await page.evaluate(asked))) {
    await page.locator(".question").getByRole("button", { name: ANSWERS[answer] }).click();
    await until(page, opened);
  }
  await input.dispose();
  if (answer !== null) rmSync(folder, { recursive: true });
}

export const fileOf = (path) => ({ name: basename(path), bytes: readFileSync(path) });

/** A capture as long as is asked, of many frames or bytes: the bundled run over and over. */
export function longBvh({ frames = 0, bytes = 0 }) {
  const text = readFileSync(join(root, "assets/ulna-run.bvh"), "utf8");
  const [head, rows] = text.split(/Frame Time:[^\n]*\n/);
  const lines = rows.trim().split("\n");
  const count = Math.max(frames, Math.ceil((bytes * lines.length) / rows.length));
  const all = Array.from({ length: count }, (_, i) => lines[i % lines.length]).join("\n");
  return `${head.replace(/Frames:.*/, `Frames: ${count}`)}Frame Time: 0.0333333\n${all}\n`;
}

export function filesUnder(folder, endings) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(join(folder, entry.name), endings) : [join(folder, entry.name)],
    )
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .sort();
}

/** Presses at a point, moves in steps, lets go. */
export async function dragMouse(page, from, to, { steps = 4, hold = false } = {}) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let i = 1; i <= steps; ++i) {
    await page.mouse.move(from.x + ((to.x - from.x) * i) / steps, from.y + ((to.y - from.y) * i) / steps);
    await nextFrame(page);
  }
  if (!hold) await page.mouse.up();
  await nextFrame(page);
}

/** What the canvas shows: pixels as on the page, from the canvas's upper left corner. */
export async function shoot(page) {
  // Names and figures over it are no part of the drawing.
  await page.mouse.move(5, 5);
  await nextFrame(page);
  await nextFrame(page);
  return decodePng(
    await page.screenshot({ clip: await page.locator(".canvas").boundingBox(), animations: "disabled" }),
  );
}

/** From the model of the active character to pixels of `shoot`. */
export async function projection(page) {
  const { camera, placement } = await look(page, (studio) => ({
    camera: studio.camera,
    placement: studio.placement(),
  }));
  return makeProjection(camera, placement, { ...(await page.locator(".canvas").boundingBox()), x: 0, y: 0 });
}

export const nextFrame = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done())));

export const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));
