// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { borrowStudio, closeCards, distance, dragMouse, look, nextFrame, until } from "../support.mjs";

/** What a person poses by: fifteen at most. */
const SHOWN = ["Hips", "Spine2", "Head"].concat(
  ...["Left", "Right"].map((side) => ["Arm", "ForeArm", "Hand", "Leg", "Foot"].map((part) => side + part)),
);

export function handles(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser());
    page = studio.page;
  });
  after(() => closeCards(page));

  const screen = (joint) => look(page, (studio, name) => studio.screen(name), joint);
  const position = (joint) => look(page, (studio, name) => studio.position(name), joint);
  const drawn = () => look(page, (studio) => studio.drawn);
  const panelButton = (name) => page.locator('[data-section="pose"]').getByRole("button", { name, exact: true });
  const box = (name) => page.locator(".panel .toggle", { hasText: name });

  test("few joints have dots, none of them an eye; those near the pointer have one too", async () => {
    await page.mouse.move(5, 5);
    await nextFrame(page);
    assert.deepEqual((await drawn()).sort(), [...SHOWN].sort());
    const hand = await screen("LeftHand");
    await page.mouse.move(hand.x, hand.y + 4);
    await until(page, "window.ulnaStudio.drawn.length > 13");
    const more = (await drawn()).filter((name) => !SHOWN.includes(name));
    assert.ok(more.some((name) => name.startsWith("LeftHand")));
    for (const name of more) {
      const { x, y } = await screen(name);
      assert.ok(Math.hypot(x - hand.x, y - hand.y - 4) < 60, name);
    }
    await page.mouse.move(5, 5);
    await until(page, "window.ulnaStudio.drawn.length === 13");
  });

  test("cameras look straight at the sides of the body, with or without perspective, and lenses keep its size", async () => {
    const camera = async (name) => {
      await page.locator('[data-section="view"]').getByRole("button", { name, exact: true }).click();
      await nextFrame(page);
      const { position, target } = await look(page, (studio) => studio.camera);
      const away = position.map((value, i) => value - target[i]);
      return away.map((value) => value / Math.hypot(...away));
    };
    // The bundled character faces z, and its left is x.
    for (const [name, direction] of [
      ["Front", [0, 0, 1]],
      ["Back", [0, 0, -1]],
      ["Left", [1, 0, 0]],
      ["Right", [-1, 0, 0]],
      ["Top", [0, 1, 0]],
    ])
      assert.ok(distance(await camera(name), direction) < 1e-3, name);
    await camera("Front");
    const height = async () => (await screen("LeftFoot")).y - (await screen("Head")).y;
    const before = await height();
    await box("Orthographic").click();
    await nextFrame(page);
    assert.equal(await look(page, (studio) => studio.camera.fov), null);
    assert.ok(Math.abs((await height()) / before - 1) < 0.03, `${await height()} of ${before}`);
    // Without perspective a foot in front is as large as one behind: both hands have the same scale.
    await box("Orthographic").click();
    await page.locator('[data-section="view"] input[aria-label="Lens"]').evaluate((input) => {
      input.value = "100";
      input.dispatchEvent(new Event("input"));
    });
    await nextFrame(page);
    const { fov } = await look(page, (studio) => studio.camera);
    assert.ok(Math.abs(fov - (2 * Math.atan(12 / 100) * 180) / Math.PI) < 1e-6, `${fov}`);
    assert.ok(Math.abs((await height()) / before - 1) < 0.03, `${await height()} of ${before}`);
    await page.locator('[data-section="view"] input[aria-label="Lens"]').evaluate((input) => {
      input.value = "42";
      input.dispatchEvent(new Event("input"));
    });
    await page.keyboard.press("f");
    await nextFrame(page);
  });

  test("an arm is copied to the other side, and reset by itself", async () => {
    const hand = await screen("LeftHand");
    await dragMouse(page, hand, { x: hand.x + 30, y: hand.y - 60 });
    const [left, right, head] = [await position("LeftHand"), await position("RightHand"), await position("Head")];
    await page.getByRole("radio", { name: "Part" }).click();
    await panelButton("Mirror").click();
    assert.ok(distance(await position("RightHand"), right) > 0.1);
    assert.ok(distance(await position("LeftHand"), left) < 1e-9);
    assert.ok(distance(await position("Head"), head) < 1e-9);
    await page.keyboard.press("Control+z");
    assert.ok(distance(await position("RightHand"), right) < 1e-9);
    const before = await look(page, (studio) => studio.pose);
    await panelButton("Copy").click();
    await panelButton("Reset").click();
    assert.ok(distance(await position("LeftHand"), left) > 0.1);
    await panelButton("Paste").click();
    assert.deepEqual(await look(page, (studio) => studio.pose), before);
    await page.getByRole("radio", { name: "Whole body" }).click();
    await page.keyboard.press("r");
  });

  test("a pose that is kept has a picture, and is taken again by a click", async () => {
    const hand = await screen("RightHand");
    await dragMouse(page, hand, { x: hand.x - 40, y: hand.y - 60 });
    const before = await look(page, (studio) => studio.pose);
    await panelButton("Keep pose").click();
    await until(page, "document.querySelector('.own .kept-pose img')?.naturalWidth === 96");
    await page.keyboard.press("r");
    assert.notDeepEqual(await look(page, (studio) => studio.pose), before);
    await page.locator(".own .kept-pose").click();
    assert.deepEqual(await look(page, (studio) => studio.pose), before);
    await page.keyboard.press("r");
  });

  test("a symmetric drag takes the other hand along, as in a mirror", async () => {
    await page.keyboard.press("r");
    const right = await position("RightHand");
    await box("Symmetric").click();
    const hand = await screen("LeftHand");
    await dragMouse(page, hand, { x: hand.x + 25, y: hand.y - 70 });
    // A far pose is gone to over several frames.
    for (let i = 0; i < 60 && distance(await position("RightHand"), right) <= 0.1; ++i) await nextFrame(page);
    assert.ok(distance(await position("RightHand"), right) > 0.1);
    for (let i = 0; i < 5; ++i) await nextFrame(page);
    const pose = await look(page, (studio) => studio.pose);
    await box("Symmetric").click();
    // Mirroring the arm once more changes nothing.
    await page.getByRole("radio", { name: "Part" }).click();
    await panelButton("Mirror").click();
    const again = await look(page, (studio) => studio.pose);
    assert.ok(Math.max(...pose.map((value, i) => Math.abs(value - again[i]))) < 1e-9);
    await page.getByRole("radio", { name: "Whole body" }).click();
    await page.keyboard.press("r");
  });

  test("a pinned foot that keeps the knee from going somewhere is named, and let go where one wants it", async () => {
    const knee = await screen("LeftLeg");
    await dragMouse(page, knee, { x: knee.x + 60, y: knee.y - 110 }, { steps: 8 });
    await until(page, "document.querySelector('.card footer .button') !== null");
    const card = page.locator(".card", { hasText: "pinned" });
    assert.match(await card.textContent(), /LeftFoot/);
    assert.match(await card.textContent(), /LeftLeg/);
    await card.locator("footer .button").click();
    assert.ok(!(await look(page, (studio) => studio.pins)).includes("LeftFoot"));
    await page.keyboard.press("Control+z");
    assert.ok((await look(page, (studio) => studio.pins)).includes("LeftFoot"));
    await page.keyboard.press("r");
  });

  test("angles are called by what they do, with the same colours under every limits", async () => {
    await page.selectOption("#joint", { label: "LeftUpLeg" });
    const words = async (limits) => {
      await page.locator(`.segment-item[data-value="${limits}"]`).click();
      return page
        .locator(".field")
        .evaluateAll((fields) =>
          fields.map((field) => [
            field.textContent.replace("°", ""),
            getComputedStyle(field.querySelector(".swatch")).backgroundColor,
          ]),
        );
    };
    const sorted = (list) => [...list].sort(([a], [b]) => (a < b ? -1 : 1));
    const [human, none] = [sorted(await words("anatomical")), sorted(await words("none"))];
    assert.deepEqual(
      human.map(([word]) => word),
      ["Bend", "Side", "Twist"],
    );
    assert.deepEqual(none, human);
    await page.locator('.segment-item[data-value="anatomical"]').click();
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
