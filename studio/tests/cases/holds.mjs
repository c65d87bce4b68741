// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { distance, dot, minus, positionsOf, rotationOf, unit } from "../oracle.mjs";
import { borrowStudio, chooseMethod, dragMouse, look, nextFrame, showSkin } from "../support.mjs";

/** How far a limb's middle is rotated away from a point, about the line from its start to its end. */
function rotatedAway([start, mid, end], position) {
  const axis = unit(minus(end, start));
  const across = (point) => {
    const way = minus(point, start);
    return unit(
      minus(
        way,
        axis.map((value) => value * dot(way, axis)),
      ),
    );
  };
  return Math.acos(Math.min(1, Math.max(-1, dot(across(mid), across(position)))));
}

export function holds(browser) {
  let studio, page, names, parents;
  before(async () => {
    studio = await borrowStudio(browser(), { skin: false });
    page = studio.page;
    ({ names, parents } = await look(page, ({ names, parents }) => ({ names, parents })));
  });

  const pose = () => look(page, (studio) => studio.pose);
  const screen = (joint) => look(page, (studio, name) => studio.screen(name), joint);
  const rotation = async (joint) => rotationOf(await pose(), names.indexOf(joint));
  const limb = async (...joints) => {
    const positions = positionsOf(await pose(), parents);
    return joints.map((joint) => positions[names.indexOf(joint)]);
  };
  const select = (label) => page.selectOption("#joint", { label });
  const toggle = (name) => page.locator(".holds .toggle", { hasText: name }).click();
  const pull = async (joint, dx, dy, options) => {
    const start = await screen(joint);
    await dragMouse(page, start, { x: start.x + dx, y: start.y + dy }, options);
    assert.equal(await look(page, (studio) => studio.selected), joint);
  };
  const reset = async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
    await page.keyboard.press("f");
    await nextFrame(page);
  };

  for (const [side, joints, bend, way] of [
    ["an elbow", ["LeftArm", "LeftForeArm", "LeftHand"], [40, -90], [-60, -70]],
    ["a knee", ["RightUpLeg", "RightLeg", "RightFoot"], [10, -40], [60, 10]],
  ]) {
    test(`a pole dragged by the mouse bends ${side} towards it, and the limb's end stays`, async () => {
      await reset();
      await pull(joints[2], ...bend);
      await select(joints[1]);
      await toggle("Pole");
      await nextFrame(page);
      const [before, [pole]] = [await pose(), await look(page, (studio) => studio.poles)];
      const start = await limb(...joints);
      assert.equal(pole.joint, joints[1]);
      await dragMouse(page, pole.screen, { x: pole.screen.x + way[0], y: pole.screen.y + way[1] });
      const [moved] = await look(page, (studio) => studio.poles);
      assert.ok(Math.hypot(moved.screen.x - pole.screen.x - way[0], moved.screen.y - pole.screen.y - way[1]) < 2);
      const end = await limb(...joints);
      const [was, is] = [rotatedAway(start, moved.target), rotatedAway(end, moved.target)];
      assert.ok(was > 0.3 && is < 0.15 * was, `${was} rad away, then ${is}`);
      assert.ok(distance(start[2], end[2]) < 2e-3, `the end moved by ${distance(start[2], end[2])}`);
      assert.equal(await look(page, (studio) => studio.undoLabel), "Move pole");
      await page.keyboard.press("Control+z");
      assert.deepEqual(await pose(), before);
      assert.deepEqual((await look(page, (studio) => studio.poles))[0].target, pole.target);
      await page.keyboard.press("Control+z");
      assert.deepEqual(await look(page, (studio) => studio.poles), []);
    });
  }

  test("a locked joint keeps its rotation by every method, and by none once it is let go", async () => {
    await reset();
    await pull("LeftHand", 40, -90);
    await select("LeftForeArm");
    await page.keyboard.press("l");
    assert.deepEqual(await look(page, (studio) => studio.locked), ["LeftForeArm"]);
    const [held, shoulder] = [await rotation("LeftForeArm"), await rotation("LeftArm")];
    const methods = await page.locator("#method option").allTextContents();
    for (const [i, method] of methods.filter((each) => each !== "two-bone").entries()) {
      await chooseMethod(page, method);
      await pull("LeftHand", i % 2 ? -30 : 30, i % 2 ? -25 : 25, { steps: 1 });
      assert.ok(
        distance(await rotation("LeftForeArm"), held) < 1e-9,
        `${method} rotated it by ${distance(await rotation("LeftForeArm"), held)}`,
      );
    }
    assert.ok(distance(await rotation("LeftArm"), shoulder) > 1e-3, "nothing moved at all");
    // Two bones are two joints that rotate: with one of them locked that method has nothing to do, and says so.
    await chooseMethod(page, "two-bone");
    const hand = await screen("LeftHand");
    await page.mouse.click(hand.x, hand.y);
    assert.match((await look(page, (studio) => studio.lastError)).what, /no two joints/);
    await page.locator(".card button").click();
    await chooseMethod(page, "auto");
    await select("LeftForeArm");
    await page.keyboard.press("l");
    assert.deepEqual(await look(page, (studio) => studio.locked), []);
    await pull("LeftHand", 30, 25, { steps: 3 });
    assert.ok(distance(await rotation("LeftForeArm"), held) > 1e-3);
  });

  test("a locked joint keeps its rotation even where its own skin is pulled", async () => {
    await reset();
    await select("LeftArm");
    await page.keyboard.press("l");
    await page.keyboard.press("Escape");
    await showSkin(page, true);
    await nextFrame(page);
    const held = await rotation("LeftArm");
    const [shoulder, elbow] = [await screen("LeftArm"), await screen("LeftForeArm")];
    const middle = { x: (shoulder.x + elbow.x) / 2, y: (shoulder.y + elbow.y) / 2 };
    await dragMouse(page, middle, { x: middle.x + 30, y: middle.y + 20 });
    assert.equal(await look(page, (studio) => studio.selected), "LeftArm");
    const moved = await screen("LeftForeArm");
    assert.ok(Math.hypot(moved.x - elbow.x, moved.y - elbow.y) > 10, "the arm did not follow");
    assert.ok(distance(await rotation("LeftArm"), held) < 1e-9, `${distance(await rotation("LeftArm"), held)}`);
    await page.keyboard.press("l");
    await showSkin(page, false);
  });

  test("the mirror gives each hand the position that the other had", async () => {
    await reset();
    await pull("LeftHand", 40, -90);
    const before = await limb("LeftHand", "RightHand", "LeftForeArm");
    await page.keyboard.press("m");
    await nextFrame(page);
    const after = await limb("RightHand", "LeftHand", "RightForeArm");
    before.forEach(([x, y, z], i) => assert.ok(distance(after[i], [-x, y, z]) < 2e-3, `${[-x, y, z]} and ${after[i]}`));
    await page.keyboard.press("Control+z");
    assert.deepEqual(await limb("LeftHand", "RightHand", "LeftForeArm"), before);
  });

  test("pins hold where the pose has them, after keys were set and taken back", async () => {
    await reset();
    await page.selectOption("#clip", { label: "walk" });
    const box = await page.locator(".strip").boundingBox();
    await page.mouse.click(box.x + 0.3 * box.width, box.y + 6);
    await page.keyboard.press("k");
    await nextFrame(page);
    await pull("LeftHand", 10, -30);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await nextFrame(page);
    const before = await limb("LeftFoot", "RightFoot");
    await pull("LeftHand", 10, -30);
    const then = await limb("LeftFoot", "RightFoot");
    before.forEach((position, i) =>
      assert.ok(distance(position, then[i]) < 2e-3, `a foot moved by ${distance(position, then[i])}`),
    );
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
