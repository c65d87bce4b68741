// SPDX-License-Identifier: Apache-2.0

// Goals beside the one under the pointer: several joints together, a point that is looked at, positions as numbers.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { distance as away, dot, minus, unit } from "../oracle.mjs";
import { borrowStudio, closeCards, dragMouse, look, nextFrame } from "../support.mjs";

const MILLIMETRE = 1e-3;

export function goals(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser());
    page = studio.page;
  });

  const screen = (joint) => look(page, (studio, name) => studio.screen(name), joint);
  const position = (joint) => look(page, (studio, name) => studio.position(name), joint);
  const undo = () => page.locator(".canvas").press("Control+z");
  const also = async (joint) => {
    const { x, y } = await screen(joint);
    await page.keyboard.down("Control");
    await page.mouse.click(x, y);
    await page.keyboard.up("Control");
    await nextFrame(page);
  };

  test("joints that are selected with Ctrl move alike, and feet stay", async () => {
    const hands = ["LeftHand", "RightHand"];
    const [before, feet] = [await Promise.all(hands.map(position)), await position("LeftFoot")];
    for (const hand of hands) await also(hand);
    assert.equal((await look(page, (studio) => studio.together)).length, 1);
    const from = await screen("LeftHand");
    await dragMouse(page, from, { x: from.x, y: from.y - 45 });
    const moved = (await Promise.all(hands.map(position))).map((each, i) => minus(each, before[i]));
    assert.ok(moved[0][1] > 0.05, `${moved[0]}`);
    assert.ok(away(moved[0], moved[1]) < 5 * MILLIMETRE, `${moved[0]} and ${moved[1]}`);
    assert.ok(away(await position("LeftFoot"), feet) < MILLIMETRE);
    assert.equal(await look(page, (studio) => studio.undoLabel), "Drag together");
    await undo();
    for (const [i, hand] of hands.entries()) assert.ok(away(await position(hand), before[i]) < 1e-9);
    // A click on another joint lets the others go.
    const knee = await screen("LeftLeg");
    await page.mouse.click(knee.x, knee.y);
    assert.deepEqual(await look(page, (studio) => studio.together), []);
  });

  test("a position that is typed is where the joint goes, and its pin goes along", async () => {
    const start = await position("RightHand");
    await page.selectOption("#joint", { label: "RightHand" });
    const fields = page.locator(".place input");
    assert.ok(Math.abs(Number(await fields.nth(1).inputValue()) - start[1]) < 1e-4);
    await fields.nth(1).fill(String((start[1] + 0.2).toFixed(4)));
    await fields.nth(1).press("Enter");
    await nextFrame(page);
    const reached = await position("RightHand");
    assert.ok(away(reached, [start[0], start[1] + 0.2, start[2]]) < MILLIMETRE, `${reached}`);
    assert.equal(await look(page, (studio) => studio.undoLabel), "Move joint");
    await undo();
    assert.ok(away(await position("RightHand"), start) < 1e-9);
  });

  /** The cosine of the angle between where the head faces (z at rest) and the point that is looked at. */
  const facing = async () => {
    const { eyes, gaze, head } = await look(page, (studio) => ({
      eyes: [studio.position("LeftEye"), studio.position("RightEye")],
      gaze: studio.gaze.target,
      head: studio.orientation("Head"),
    }));
    const [x, y, z, w] = head;
    const forward = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
    const middle = eyes[0].map((value, i) => (value + eyes[1][i]) / 2);
    return dot(unit(minus(gaze, middle)), forward);
  };

  test("the head turns to a point, goes with it when it is dragged, and keeps to it while a hand is dragged", async () => {
    const toggle = page.locator('[data-section="pose"] .toggle', { hasText: "Look at" });
    await toggle.click();
    assert.ok((await facing()) > 0.99);
    const point = await look(page, (studio) => studio.gaze.screen);
    await dragMouse(page, point, { x: point.x - 70, y: point.y - 30 });
    assert.equal(await look(page, (studio) => studio.undoLabel), "Look at a point");
    const turned = await facing();
    assert.ok(turned > 0.995, `${turned}`);
    const hand = await screen("LeftHand");
    await dragMouse(page, hand, { x: hand.x + 10, y: hand.y - 60 });
    assert.ok((await facing()) > 0.995, `${await facing()}`);
    const { target: held } = await look(page, (studio) => studio.gaze);
    await undo();
    await undo();
    assert.ok(away(await look(page, (studio) => studio.gaze.target), held) > 0.05);
    await toggle.click();
    assert.equal(await look(page, (studio) => studio.gaze), null);
    await closeCards(page);
  });

  test("poses to begin with have pictures, which a click takes, and so have the shapes of hands", async () => {
    const before = await position("LeftHand");
    await page.locator(".library summary").click();
    const poses = page.locator(".library .kept-pose");
    await poses.first().waitFor();
    const count = await poses.count();
    assert.ok(count >= 10, `${count} poses`);
    const widths = await poses.locator("img").evaluateAll((all) => all.map((each) => each.naturalWidth));
    assert.ok(widths.every((width) => width > 20));
    await poses.filter({ hasText: "Cheer" }).click();
    assert.ok((await position("LeftHand"))[1] > (await position("Head"))[1]);
    await undo();
    assert.ok(away(await position("LeftHand"), before) < 1e-9);
    await page.locator(".library summary").click();
    const hands = page.locator('[data-section="hands"]');
    await hands.locator("summary").click();
    const tip = await position("RightHandIndex3");
    await hands.locator('[data-hand="right"] .hand-shapes button').nth(4).click();
    assert.ok(away(await position("RightHandIndex3"), tip) > 0.02);
    const drawn = await hands
      .locator('[data-hand="right"] .hand-shapes svg')
      .evaluateAll((all) => all.map((each) => each.innerHTML));
    assert.equal(new Set(drawn).size, 7);
    await undo();
    await hands.locator("summary").click();
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
