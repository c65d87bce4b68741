// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { borrowStudio, distance, look, nextFrame, until } from "../support.mjs";

export function touch(browser) {
  let studio, page, client;
  before(async () => {
    studio = await borrowStudio(browser(), { viewport: { width: 420, height: 760 } });
    page = studio.page;
    client = await page.context().newCDPSession(page);
  });

  const send = async (type, points) => {
    await client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    await nextFrame(page);
  };
  /** Fingers come down one after the other, go their ways together, and leave. */
  const fingers = async (...ways) => {
    for (let i = 1; i <= ways.length; ++i)
      await send(
        "touchStart",
        ways.slice(0, i).map(([from]) => from),
      );
    for (let step = 1; step <= 4; ++step) {
      await send(
        "touchMove",
        ways.map(([[x, y], [dx, dy]]) => [x + (dx * step) / 4, y + (dy * step) / 4]),
      );
    }
    await send("touchEnd", []);
  };
  const state = () => look(page, ({ pose, pins, undoLabel, camera }) => ({ body: { pose, pins, undoLabel }, camera }));
  const away = ({ position, target }) => distance(position, target);
  const screen = async (joint) => {
    const { x, y } = await look(page, (studio, name) => studio.screen(name), joint);
    return [x, y];
  };
  /** Where there is nothing but ground. */
  const empty = async (below) => {
    const box = await page.locator(".canvas").boundingBox();
    return [box.x + 40, box.y + box.height - 30 - below];
  };

  /** The same, once a window of another size has been laid out. */
  const steady = async (joint) => {
    let now = await screen(joint);
    for (let frame = 0, same = 0; frame < 120 && same < 3; ++frame) {
      await nextFrame(page);
      const next = await screen(joint);
      same = distance(next, now) === 0 ? same + 1 : 0;
      now = next;
    }
    return now;
  };

  test("a finger drags as a mouse does", async () => {
    const [x, y] = await steady("LeftHand");
    await fingers([
      [x, y],
      [40, -60],
    ]);
    const [endX, endY] = await screen("LeftHand");
    assert.ok(Math.hypot(endX - x - 40, endY - y + 60) < 6, `${endX - x}, ${endY - y}`);
  });

  test("a finger on empty ground rotates the view, and the body stays", async () => {
    const before = await state();
    await fingers([await empty(0), [60, -10]]);
    const after = await state();
    assert.deepEqual(after.body, before.body);
    assert.ok(distance(after.camera.position, before.camera.position) > 0.2);
    assert.ok(
      Math.abs(away(after.camera) - away(before.camera)) < 1e-3 &&
        distance(after.camera.target, before.camera.target) < 1e-6,
    );
  });

  for (const where of ["on empty ground", "on the body"]) {
    test(`two fingers ${where} zoom as they part and shift the view as they go together; the body stays`, async () => {
      await page.keyboard.press("f");
      await nextFrame(page);
      const before = await state();
      const start = where === "on the body" ? await screen("Spine1") : await empty(60);
      const other = [start[0] + 50, start[1] + 20];
      await fingers([start, [-20, 0]], [other, [40, 10]]);
      const near = await state();
      assert.deepEqual(near.body, before.body);
      const parted = Math.hypot(110, 30) / Math.hypot(50, 20);
      assert.ok(
        away(near.camera) < away(before.camera) / Math.sqrt(parted),
        `${away(before.camera)} to ${away(near.camera)}`,
      );
      await page.keyboard.press("f");
      await nextFrame(page);
      await fingers([start, [30, 15]], [other, [30, 15]]);
      const shifted = await state();
      assert.deepEqual(shifted.body, before.body);
      assert.ok(Math.abs(away(shifted.camera) - away(before.camera)) < 0.02 * away(before.camera));
      assert.ok(distance(shifted.camera.target, before.camera.target) > 0.05);
      await page.keyboard.press("f");
      await nextFrame(page);
    });
  }

  test("two fingers on the skin paint nothing", async () => {
    await look(page, () => document.querySelector('.segment-item[data-value="paint"]').click());
    const weights = () => look(page, (studio) => studio.weightsOf(studio.selected));
    const before = await weights();
    const [x, y] = await screen("Spine1");
    await fingers(
      [
        [x, y],
        [-20, 0],
      ],
      [
        [x + 40, y],
        [20, 0],
      ],
    );
    assert.deepEqual(await weights(), before);
    await fingers([await screen("Spine1"), [5, 10]]);
    assert.notDeepEqual(await weights(), before, "one finger paints");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("1");
  });

  test("two taps pin a joint", async () => {
    await page.keyboard.press("f");
    await nextFrame(page);
    const pins = () => look(page, (studio) => studio.pins);
    const before = await pins();
    const at = await screen("Head");
    const client = await page.context().newCDPSession(page);
    // Sent at once, so that a busy machine does not part them.
    const tap = () =>
      [
        ["touchStart", [{ x: at[0], y: at[1] }]],
        ["touchEnd", []],
      ].map(([type, touchPoints]) => client.send("Input.dispatchTouchEvent", { type, touchPoints }));
    await Promise.all([...tap(), ...tap()]);
    assert.deepEqual(await pins(), [...before, "Head"]);
  });

  test("the panel is a sheet from below, beside which all of the character stays in view", async () => {
    await page.keyboard.press("f");
    await page.locator("#panel").click();
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    const sheet = await page.locator(".panel").boundingBox();
    assert.deepEqual([sheet.x, Math.round(sheet.y + sheet.height), sheet.width], [0, 760, 420]);
    for (const joint of ["Head", "LeftHand", "RightHand", "LeftFoot", "RightFoot"]) {
      const [x, y] = await steady(joint);
      assert.ok(x > 0 && x < 420 && y > 50 && y < sheet.y, `${joint}: ${x}, ${y}`);
    }
    const inside = () => page.evaluate(() => document.querySelector(".panel").contains(document.activeElement));
    assert.equal(await inside(), true);
    await page.keyboard.press("Escape");
    assert.equal(await inside(), false);
    assert.equal(await page.evaluate(() => document.activeElement.id), "panel");
    await until(page, "getComputedStyle(document.querySelector('.panel')).visibility === 'hidden'");
  });

  test("a key is set by a thumb, by a button that nothing covers", async () => {
    const button = await page.locator("#phone-key").boundingBox();
    assert.ok(button.width >= 44 && button.height >= 44);
    const at = [button.x + button.width / 2, button.y + button.height / 2];
    assert.equal(
      await page.evaluate(([x, y]) => document.elementFromPoint(x, y).closest("button").id, at),
      "phone-key",
    );
    await page.touchscreen.tap(...at);
    assert.equal(await look(page, (studio) => studio.undoLabel), "Set key");
    await page.keyboard.press("Control+z");
  });

  test("nothing is wider than the window", async () => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 420);
    const bar = await page.locator(".bar").boundingBox();
    assert.ok(bar.height < 60, `the bar takes ${bar.height} pixels`);
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
