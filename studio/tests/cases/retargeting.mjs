// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { join } from "node:path";
import { distance, makeEngine, must } from "../oracle.mjs";
import { ANSWERS, borrowStudio, closeCards, drop, fileOf, look, nextFrame, root, shared, until } from "../support.mjs";

const RUN = join(root, "assets/ulna-run.bvh");
const CAPTURED = join(shared, "bvh/cmu/02_01.bvh");
const TITLE = "What becomes of a file that brings a motion alone";

export function retargeting(browser) {
  let studio, page, engine;
  before(async () => {
    [studio, engine] = await Promise.all([borrowStudio(browser(), { skin: false }), makeEngine()]);
    page = studio.page;
    const arrivals = page.locator(`select[title="${TITLE}"]`);
    if (await arrivals.isVisible()) await arrivals.selectOption("ask");
  });

  const panel = () => page.locator('[data-section="retarget"]');
  const press = (label) => panel().getByRole("radio", { name: label, exact: true }).click();
  const state = () =>
    look(page, ({ characters, clip, origin, undoLabel }) => ({ characters, clip, origin, undoLabel }));
  const origin = () => look(page, (studio) => studio.origin);
  /** Waits until a switch has done its work. */
  const settled = (expression) =>
    until(page, `(({ feet, firstFrame }) => ${expression})(window.ulnaStudio.origin.settings)`);

  test("a motion that is dropped asks whether the character is to play it, and plays it", async () => {
    const before = (await state()).characters;
    await drop(page, [fileOf(RUN)], { answer: null });
    const question = page.locator(".question");
    assert.match(await question.textContent(), /ulna-run\.bvh has a motion/);
    await page.keyboard.press("Escape");
    await until(page, "document.querySelector('.question') === null");
    assert.deepEqual((await state()).characters, before, "something was opened without an answer");
    await drop(page, [fileOf(RUN)], { answer: null });
    await question.getByRole("button", { name: ANSWERS.play }).click();
    await until(page, "window.ulnaStudio.origin !== null");
    const { characters, clip, undoLabel } = await state();
    assert.deepEqual([characters.length, characters[0].clips], [1, before[0].clips + 1]);
    assert.deepEqual([clip.name, clip.own, undoLabel], ["ulna-run.bvh", true, "Play motion"]);
    await until(page, "window.ulnaStudio.time > 0.1");
    assert.match(await panel().textContent(), /From ulna-run\.bvh/);
  });

  /** When the balls of the feet of the captured walk are on the ground, found in its file. */
  function spans() {
    const { skeleton, clips, free } = must(engine.open(fileOf(CAPTURED).bytes, "02_01.bvh"));
    const { contacts } = must(engine.findContacts(clips[0], { skeleton, rest: clips[0].sample(0) }));
    free();
    return contacts.filter(({ part }) => part === "ball");
  }

  /** The mean and the largest speed of the balls of the feet meanwhile, of the clip as it is exported. */
  async function slide() {
    const bytes = Buffer.from(await look(page, (studio) => studio.exported("bvh")), "base64");
    const { skeleton, clips, free } = must(engine.open(bytes, "made.bvh"));
    const [{ frameTime }] = clips;
    // Some frames at either end are for easing, and the first frame of the file is not in the clip.
    const ease = Math.round(0.05 / frameTime);
    const speeds = [];
    for (const { side, first, last } of spans()) {
      const joint = skeleton.find(side === "left" ? "LeftToeBase" : "RightToeBase");
      const at = (frame) => {
        const all = skeleton.modelPositions(clips[0].sample((frame - 1) * frameTime));
        return [all[3 * joint], all[3 * joint + 2]];
      };
      for (let frame = Math.max(first, 1) + ease; frame < last - ease; ++frame)
        speeds.push(distance(at(frame), at(frame + 1)) / frameTime);
    }
    free();
    assert.ok(speeds.length > 10, `${speeds.length} frames in contact`);
    return { mean: speeds.reduce((sum, each) => sum + each, 0) / speeds.length, most: Math.max(...speeds) };
  }

  test("a captured walk starts from its T-pose by itself, and its feet do not slide", async () => {
    await closeCards(page);
    await page.evaluate(() => {
      window.longTasks = [];
      new PerformanceObserver((list) =>
        window.longTasks.push(...list.getEntries().map((each) => each.duration)),
      ).observe({
        type: "longtask",
      });
    });
    await drop(page, [fileOf(CAPTURED)]);
    const { clip, origin } = await state();
    assert.deepEqual([clip.name, clip.frames, origin.settings.firstFrame], ["02_01.bvh", 343, true]);
    const { mean, most } = await slide();
    const tasks = await page.evaluate(() => window.longTasks);
    console.log(
      `    feet slide ${(1000 * mean).toFixed(1)} mm/s, at most ${(1000 * most).toFixed(1)}; long tasks: ${tasks.map((each) => each.toFixed(0)).join(", ") || "none"}`,
    );
    assert.ok(mean < 0.01 && most < 0.05, `${mean} m/s, at most ${most}`);
  });

  test("a switch makes the clip anew, and undo brings the one before back", async () => {
    const before = await slide();
    await press("As in the clip");
    await settled("feet === 'keep'");
    const after = await slide();
    assert.ok(after.mean > 3 * before.mean, `${after.mean} m/s is not far above ${before.mean}`);
    await panel().locator(".toggle", { hasText: "T-pose" }).click();
    await settled("!firstFrame");
    assert.equal((await state()).clip.frames, 344);
    for (let i = 0; i < 2; ++i) await page.keyboard.press("Control+z");
    const { settings } = await origin();
    assert.deepEqual([settings.feet, settings.firstFrame], ["auto", true]);
    assert.equal(await panel().getByRole("radio", { name: "Auto" }).getAttribute("aria-checked"), "true");
    assert.equal((await slide()).mean, before.mean);
  });

  test("the body of the file is shown over the character, and beside it", async () => {
    const hips = async () => (await origin()).shown.slice(0, 3);
    assert.deepEqual(await hips(), []);
    if (await look(page, (studio) => studio.playing)) await page.locator(".canvas").press(" ");
    await page.keyboard.press("Home");
    await press("Over");
    await nextFrame(page);
    const [over, own] = [await hips(), await look(page, (studio) => studio.position("Hips"))];
    assert.ok(distance(over, own) < 0.2, `${over} is not about ${own}`);
    await press("Beside");
    await nextFrame(page);
    const beside = await hips();
    assert.ok(over[0] - beside[0] > 0.5 && Math.abs(over[1] - beside[1]) < 1e-6);
    await press("Off");
  });

  test("undo takes the motions away, one after the other", async () => {
    for (const name of ["ulna-run.bvh", "walk"]) {
      await page.keyboard.press("Control+z");
      if (name === "ulna-run.bvh") assert.equal((await state()).clip.name, name);
    }
    assert.equal(await origin(), null);
    assert.equal(await panel().isVisible(), false);
  });

  test("a body that is not recognised is named, with what is missing", async () => {
    const joints = [{ name: "a" }, { name: "b", parent: "a", offset: [0, 1, 0], kind: "hinge", axis: [1, 0, 0] }];
    const clips = [
      {
        name: "bend",
        frame_time: 0.1,
        frames: [
          [0, 0, 0, 0],
          [0, 0, 0, 30],
        ],
      },
    ];
    const before = await state();
    await drop(page, [{ name: "arm.rig.json", bytes: JSON.stringify({ ulna: 1, joints, clips }) }]);
    const card = page.locator(".card.error");
    assert.match(await card.textContent(), /arm\.rig\.json cannot be played on ulna-character\.glb/);
    assert.match(await card.textContent(), /The source: /);
    assert.deepEqual(await state(), before);
    await closeCards(page);
    await page.locator(`select[title="${TITLE}"]`).selectOption("instead");
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
