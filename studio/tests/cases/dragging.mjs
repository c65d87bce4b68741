// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { positionsOf } from "../oracle.mjs";
import {
  borrowStudio,
  chooseMethod,
  distance,
  dragMouse,
  learn,
  look,
  nextFrame,
  projection,
  showSkin,
} from "../support.mjs";

const FEET = ["LeftFoot", "RightFoot"];
const MILLIMETRE = 1e-3; // of the bundled character, in metres

// All of them solve to a ten-thousandth of the body, far less than a pixel; the slow ones go on over frames until then.
const REACHED = 0.5; // pixels
/** How far a method may move the pinned feet, which `auto` alone holds above all else; and what it says it leaves out. */
const METHODS = {
  auto: { feet: MILLIMETRE },
  "two-bone": { feet: 1e-9, leaves: /the pins are left out/ },
  ccd: { feet: 5 * MILLIMETRE, leaves: /orientations and poles are left out/ },
  fabrik: { feet: 1e-9, leaves: /the pins are left out/ },
  transpose: { feet: 5 * MILLIMETRE },
  gradient: { feet: 5 * MILLIMETRE },
  "projected-gradient": { feet: 5 * MILLIMETRE },
  pinv: { feet: 5 * MILLIMETRE },
  dls: { feet: 5 * MILLIMETRE },
};

export function dragging(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser(), { skin: false });
    page = studio.page;
  });

  const feet = () => look(page, (studio, names) => names.map((name) => studio.position(name)), FEET);
  const screen = (joint) => look(page, (studio, name) => studio.screen(name), joint);
  const limits = (value) => page.locator(`.segment-item[data-value="${value}"]`).click();
  const reset = async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("1");
    await page.keyboard.press("r");
    await nextFrame(page);
  };

  test("the bundled character stands there with its feet pinned, within human limits", async () => {
    assert.deepEqual(await look(page, (studio) => studio.pins), FEET);
    assert.equal(await look(page, (studio) => studio.limits), "anatomical");
  });

  test("a hand dragged by the mouse gets there, and both pinned feet stay", async () => {
    const [start, before] = [await screen("LeftHand"), await feet()];
    const target = { x: start.x + 50, y: start.y - 120 };
    await dragMouse(page, start, target);
    const [end, then] = [await screen("LeftHand"), await feet()];
    assert.ok(Math.hypot(end.x - target.x, end.y - target.y) < 3, `the hand is at ${end.x}, ${end.y}`);
    for (const i of [0, 1])
      assert.ok(distance(before[i], then[i]) < MILLIMETRE, `${FEET[i]} moved ${distance(before[i], then[i])}`);
    assert.ok((await look(page, (studio) => studio.excess)) < 1e-6);
  });

  test("undo gives back the very pose, and redo the other", async () => {
    const dragged = await look(page, (studio) => studio.pose);
    await page.keyboard.press("Control+z");
    await nextFrame(page);
    const start = await screen("LeftHand");
    assert.notDeepEqual(await look(page, (studio) => studio.pose), dragged);
    await page.keyboard.press("Control+Shift+z");
    assert.deepEqual(await look(page, (studio) => studio.pose), dragged);
    await page.keyboard.press("Control+z");
    await nextFrame(page);
    assert.deepEqual(await screen("LeftHand"), start);
  });

  test("a foot that is lifted takes the weight off it, unless balance is off or poses are not natural", async () => {
    const hips = async (off) => {
      await reset();
      for (const name of off) await page.locator(".toggle", { hasText: name }).click();
      const start = await screen("LeftFoot");
      await dragMouse(page, start, { x: start.x + 20, y: start.y - 70 });
      const position = await look(page, (studio) => studio.position("Hips"));
      for (const name of off) await page.locator(".toggle", { hasText: name }).click();
      return position;
    };
    const right = (await feet())[1];
    const [stands, falls, plain] = [await hips([]), await hips(["Balance"]), await hips(["Natural"])];
    const off = (position) => Math.hypot(position[0] - right[0], position[2] - right[2]);
    assert.ok(
      off(stands) < off(falls) - 0.01,
      `${off(stands)} m from the standing foot, ${off(falls)} m without balance`,
    );
    assert.ok(distance(plain, falls) > MILLIMETRE);
    await reset();
  });

  test("a hand pulled far out of reach moves no foot, and the way that is missing is shown", async () => {
    await reset();
    const [start, before] = [await screen("RightHand"), await feet()];
    await dragMouse(page, start, { x: start.x - 200, y: 60 }, { hold: true, steps: 8 });
    assert.ok((await look(page, (studio) => studio.report.error)) > 0.05);
    assert.equal(await page.locator(".tag.goal").isVisible(), true);
    const then = await feet();
    await page.mouse.up();
    for (const i of [0, 1])
      assert.ok(distance(before[i], then[i]) < MILLIMETRE, `${FEET[i]} moved ${distance(before[i], then[i])}`);
  });

  test("Escape gives back what a drag has moved, and leaves no step to undo", async () => {
    await reset();
    const [pose, label, start] = [
      await look(page, (studio) => studio.pose),
      await look(page, (studio) => studio.undoLabel),
      await screen("LeftHand"),
    ];
    await dragMouse(page, start, { x: start.x + 30, y: start.y - 60 }, { hold: true, steps: 2 });
    assert.notDeepEqual(await look(page, (studio) => studio.pose), pose);
    await page.keyboard.press("Escape");
    await page.mouse.move(start.x + 60, start.y - 90);
    await page.mouse.up();
    assert.deepEqual(await look(page, (studio) => studio.pose), pose);
    assert.equal(await look(page, (studio) => studio.undoLabel), label);
    assert.equal(await page.locator("#key.wanted").count(), 0);
  });

  test("the skin can be dragged where there is no joint", async () => {
    await reset();
    await showSkin(page, true);
    await nextFrame(page);
    const [shoulder, elbow] = [await screen("LeftArm"), await screen("LeftForeArm")];
    const middle = { x: (shoulder.x + elbow.x) / 2, y: (shoulder.y + elbow.y) / 2 };
    await dragMouse(page, middle, { x: middle.x + 40, y: middle.y - 10 });
    assert.equal(await look(page, (studio) => studio.selected), "LeftArm");
    const moved = await screen("LeftForeArm");
    assert.ok(Math.hypot(moved.x - elbow.x, moved.y - elbow.y) > 15);
    await showSkin(page, false);
  });

  test("a double click pins a joint, which then stays; another lets it go", async () => {
    await reset();
    const hand = await screen("RightHand");
    await page.mouse.dblclick(hand.x, hand.y);
    assert.deepEqual(await look(page, (studio) => studio.pins), [...FEET, "RightHand"]);
    const before = await look(page, (studio) => studio.position("RightHand"));
    const start = await screen("LeftHand");
    await dragMouse(page, start, { x: start.x + 30, y: start.y - 40 });
    assert.ok(distance(before, await look(page, (studio) => studio.position("RightHand"))) < MILLIMETRE);
    await nextFrame(page);
    const again = await screen("RightHand");
    await page.mouse.dblclick(again.x, again.y);
    assert.deepEqual(await look(page, (studio) => studio.pins), FEET);
  });

  test("limits can be switched off", async () => {
    await limits("none");
    assert.equal(await look(page, (studio) => studio.limits), "none");
  });

  for (const [method, { feet: most, leaves }] of Object.entries(METHODS)) {
    test(`${method} takes the hand to its goal${leaves ? ", and says what it leaves out" : ", and the feet stay"}`, async () => {
      await reset();
      await chooseMethod(page, method);
      const [start, before] = [await screen("LeftHand"), await feet()];
      const target = { x: start.x + 25, y: start.y - 35 };
      await dragMouse(page, start, target, { steps: 3 });
      // Where the pose has the hand, by a kinematics and a camera of the test's own.
      const { pose, names, parents, report } = await look(page, ({ pose, names, parents, report }) => ({
        pose,
        names,
        parents,
        report,
      }));
      const [project, canvas] = [await projection(page), await page.locator(".canvas").boundingBox()];
      const hand = project(positionsOf(pose, parents)[names.indexOf("LeftHand")]);
      const left = Math.hypot(hand.x + canvas.x - target.x, hand.y + canvas.y - target.y);
      assert.ok(left < REACHED, `${left.toFixed(2)} of 43 pixels are left`);
      assert.equal(report.status, "reached");
      assert.equal(await look(page, (studio) => studio.lastError), null);
      assert.match(report.note, leaves ?? /^$/);
      const then = await feet();
      for (const i of [0, 1])
        assert.ok(distance(before[i], then[i]) < most, `${FEET[i]} moved ${distance(before[i], then[i])}`);
    });
  }

  test("there are no methods but these", async () => {
    assert.deepEqual(await page.locator("#method option").allTextContents(), Object.keys(METHODS));
    await chooseMethod(page, "auto");
    await limits("anatomical");
  });

  test("slow motion shows the iterations one by one", async () => {
    await reset();
    await chooseMethod(page, "ccd");
    await learn(page);
    await page.locator(".toggle", { hasText: "Slow motion" }).click();
    await learn(page, false);
    const start = await screen("LeftHand");
    await dragMouse(page, start, { x: start.x + 60, y: start.y - 90 }, { steps: 4 });
    const watched = await look(page, (studio) => studio.watched);
    assert.ok(watched.steps > 2, `${watched.steps} steps`);
    await learn(page);
    await page.locator(".toggle", { hasText: "Slow motion" }).click();
    await learn(page, false);
    await chooseMethod(page, "auto");
  });

  test("rings rotate a joint about its axes, within limits", async () => {
    await reset();
    await page.keyboard.press("2");
    const elbow = await screen("LeftForeArm");
    await page.mouse.click(elbow.x, elbow.y);
    await nextFrame(page);
    const rings = await look(page, (studio) => studio.rings);
    assert.ok(rings.length > 0);
    const before = await look(page, (studio) => studio.pose);
    await dragMouse(page, rings[0].screen, { x: rings[0].screen.x + 25, y: rings[0].screen.y - 25 });
    assert.notDeepEqual(await look(page, (studio) => studio.pose), before);
    assert.ok((await look(page, (studio) => studio.excess)) < 1e-6);
    await page.keyboard.press("Control+z");
    assert.deepEqual(await look(page, (studio) => studio.pose), before);
  });

  test("a number typed into a field is the joint's angle", async () => {
    await page.selectOption("#joint", { label: "LeftForeArm" });
    const field = page.locator('.field input[type="number"]').first();
    await field.fill("40");
    await field.press("Enter");
    await nextFrame(page);
    const rings = await look(page, (studio) => studio.rings);
    assert.ok(Math.abs(rings[0].value - (40 * Math.PI) / 180) < 1e-6, `${rings[0].value}`);
    await reset();
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
