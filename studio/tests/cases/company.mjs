// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { join } from "node:path";
import { borrowStudio, distance, dragMouse, drop, fileOf, look, nextFrame, root } from "../support.mjs";

export function company(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser());
    page = studio.page;
    const { bytes } = fileOf(join(root, "assets/ulna-character.glb"));
    await drop(page, [{ name: "second.glb", bytes }], { shift: true });
    await nextFrame(page);
  });

  const poses = () => look(page, (studio) => studio.characters.map((_, i) => studio.poseOf(i)));
  const screen = (joint, of) => look(page, (studio, [joint, of]) => studio.screen(joint, of), [joint, of]);
  const position = (joint, of) => look(page, (studio, [joint, of]) => studio.position(joint, of), [joint, of]);
  const chosen = () => look(page, ({ active, selected }) => [active, selected]);
  const pull = async (joint, of, dx, dy) => {
    const start = await screen(joint, of);
    await dragMouse(page, start, { x: start.x + dx, y: start.y + dy });
    const end = await screen(joint, of);
    assert.ok(
      Math.hypot(end.x - start.x - dx, end.y - start.y - dy) < 3,
      `${joint} went by ${end.x - start.x}, ${end.y - start.y}`,
    );
  };

  let start, first, second;
  test("two characters stand side by side, and the one whose joint is taken is dragged alone", async () => {
    assert.ok((await screen("Hips", 1)).x - (await screen("Hips", 0)).x > 60);
    start = await poses();
    const feet = await position("LeftFoot", 0);
    await pull("LeftHand", 0, 8, -40);
    assert.deepEqual(await chosen(), [0, "LeftHand"]);
    assert.ok(distance(feet, await position("LeftFoot", 0)) < 1e-3);
    first = await poses();
    assert.notDeepEqual(first[0], start[0]);
    assert.deepEqual(first[1], start[1]);
    await pull("RightHand", 1, -8, -40);
    assert.deepEqual(await chosen(), [1, "RightHand"]);
    second = await poses();
    assert.deepEqual(second[0], first[0]);
    assert.notDeepEqual(second[1], first[1]);
  });

  test("pins are each character's own", async () => {
    const head = await screen("Head", 0);
    await page.mouse.dblclick(head.x, head.y);
    assert.deepEqual(await chosen(), [0, "Head"]);
    assert.ok((await look(page, (studio) => studio.pins)).includes("Head"));
    await page.locator(".character", { hasText: "second.glb" }).locator(".plain").click();
    assert.ok(!(await look(page, (studio) => studio.pins)).includes("Head"));
  });

  test("undo and redo go to the character that was changed", async () => {
    await page.keyboard.press("Control+z");
    assert.equal(await look(page, (studio) => studio.active), 0);
    assert.ok(!(await look(page, (studio) => studio.pins)).includes("Head"));
    assert.deepEqual(await poses(), second);
    await page.keyboard.press("Control+z");
    assert.deepEqual(await poses(), first);
    await page.keyboard.press("Control+z");
    assert.deepEqual(await poses(), start);
    for (let i = 0; i < 2; ++i) await page.keyboard.press("Control+Shift+z");
    assert.deepEqual(await poses(), second);
  });

  test("closing one leaves the other as it is, with what can be undone of it", async () => {
    await page.locator(".character", { hasText: "ulna-character.glb" }).locator(".plain").click();
    await page.locator('button[title="Remove second.glb"]').click();
    await nextFrame(page);
    assert.deepEqual(
      (await look(page, (studio) => studio.characters)).map(({ name }) => name),
      ["ulna-character.glb"],
    );
    assert.deepEqual(await poses(), [second[0]]);
    await pull("RightHand", 0, 0, 12);
    await page.keyboard.press("Control+z");
    assert.deepEqual(await poses(), [second[0]]);
    assert.equal(await look(page, (studio) => studio.undoLabel), "Close second.glb");
    await page.keyboard.press("Control+z");
    assert.deepEqual(await poses(), second);
    for (let i = 0; i < 2; ++i) await page.keyboard.press("Control+z");
    assert.deepEqual(await poses(), start);
    await page.locator('button[title="Remove second.glb"]').click();
    assert.deepEqual(await poses(), [start[0]]);
  });

  test("closing another than the active one keeps what is selected", async () => {
    const { bytes } = fileOf(join(root, "assets/ulna-run.bvh"));
    for (const name of ["a.bvh", "b.bvh"]) await drop(page, [{ name, bytes }], { shift: true });
    await page.locator(".character", { hasText: "a.bvh" }).locator(".plain").click();
    await page.selectOption("#joint", { label: "Head" });
    await page.locator('button[title="Remove ulna-character.glb"]').click();
    assert.deepEqual(
      await look(page, ({ characters, active, selected }) => [characters[active].name, characters.length, selected]),
      ["a.bvh", 2, "Head"],
    );
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
