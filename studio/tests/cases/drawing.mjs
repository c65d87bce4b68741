// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { join } from "node:path";
import { boxOf, makeEngine, must, positionsOf, wider, within } from "../oracle.mjs";
import { difference } from "../picture.mjs";
import { borrowStudio, dragMouse, fileOf, look, projection, root, shoot } from "../support.mjs";

const TOUCH = 4; // pixels that a line may be off, half its width and its smoothing

export function drawing(browser) {
  let studio, page, clip, parents, names, meshes;
  before(async () => {
    const engine = await makeEngine();
    const { name, bytes } = fileOf(join(root, "assets/ulna-character.glb"));
    const { skeleton, clips, ...document } = must(engine.open(bytes, name));
    [clip, parents, names] = [clips.find((each) => each.name === "walk"), [...skeleton.parents], skeleton.names];
    meshes = document.meshes;
    studio = await borrowStudio(browser());
    page = studio.page;
    await page.selectOption("#clip", { label: "walk" });
    const box = await page.locator(".strip").boundingBox();
    await page.mouse.click(box.x + 0.3 * box.width, box.y + 6);
    await page.keyboard.press("f");
  });

  const toggle = async (name) => {
    await page.locator('[data-section="view"] .toggle', { hasText: name }).click();
    return shoot(page);
  };
  const original = async () => positionsOf(clip.sample(await look(page, (studio) => studio.time)), parents);

  test("a click on a joint leaves the pose as the clip has it, and no ghost", async () => {
    const hand = await look(page, (studio) => studio.screen("LeftHand"));
    await page.mouse.click(hand.x, hand.y);
    const withGhost = await shoot(page);
    assert.equal(difference(withGhost, await toggle("Ghost")).count, 0);
    await toggle("Ghost");
    assert.equal(await page.locator("#key.wanted").count(), 0);
  });

  /** Where the clip has the vertices at a time. */
  const bodyAt = (time) => {
    const points = [];
    for (const mesh of meshes) {
      const positions = new Float32Array(3 * mesh.vertexCount);
      mesh.deform(clip.sample(time), { positions }, { blend: "dual-quaternion" });
      for (let i = 0; i < positions.length; i += 3) points.push([...positions.subarray(i, i + 3)]);
    }
    return points;
  };

  test("the ghost of an edited motion is a body where the clip has it, and goes by its switch", async () => {
    const hand = await look(page, (studio) => studio.screen("LeftHand"));
    await dragMouse(page, hand, { x: hand.x + 40, y: hand.y - 90 });
    const off = await shoot(page);
    const on = await toggle("Ghost");
    const again = await toggle("Ghost");
    assert.equal(difference(off, again, { least: 0 }).count, 0, "the same switch draws something else");
    const project = await projection(page);
    const where = boxOf(bodyAt(await look(page, (studio) => studio.time)).map(project));
    const seen = difference(on, off);
    assert.ok(seen.count > 100, `${seen.count} pixels`);
    assert.ok(within(seen, wider(where, TOUCH)), `${JSON.stringify(seen)} is not within ${JSON.stringify(where)}`);
    // The arm alone has left: there the ghost is seen by itself, all the way to the hand.
    const old = project((await original())[names.indexOf("LeftHand")]);
    const there = wider({ left: old.x, right: old.x, top: old.y, bottom: old.y }, 2 * TOUCH);
    assert.ok(difference(on, off, { within: there }).count > 3, "there is no ghost at the hand's old position");
  });

  test("onion skins are bodies a little before and after, and no others", async () => {
    await page.keyboard.press("r");
    const off = await shoot(page);
    const on = await toggle("Onion");
    await toggle("Onion");
    const project = await projection(page);
    const now = await look(page, (studio) => studio.time);
    const bodies = [-0.24, -0.12, 0.12, 0.24].map((by) => boxOf(bodyAt(now + by).map(project)));
    const where = boxOf(
      bodies.flatMap(({ left, right, top, bottom }) => [
        { x: left, y: top },
        { x: right, y: bottom },
      ]),
    );
    const seen = difference(on, off, { least: 4 });
    for (const side of ["left", "right", "top", "bottom"])
      assert.ok(Math.abs(seen[side] - where[side]) < TOUCH, `${side}: drawn to ${seen[side]}, not ${where[side]}`);
  });

  test("the trail goes where the joint goes in the clip, and goes by its switch", async () => {
    await page.keyboard.press("r");
    await page.selectOption("#joint", { label: "RightHand" });
    const off = await shoot(page);
    const on = await toggle("Trail");
    const again = await toggle("Trail");
    assert.equal(difference(off, again, { least: 0 }).count, 0);
    const project = await projection(page);
    const joint = names.indexOf("RightHand");
    const times = Array.from({ length: 200 }, (_, i) => (clip.duration * i) / 199);
    const way = boxOf(times.map((time) => project(positionsOf(clip.sample(time), parents)[joint])));
    const seen = difference(on, off);
    assert.ok(way.right - way.left > 15, "the hand hardly moves");
    for (const side of ["left", "right", "top", "bottom"]) {
      assert.ok(
        Math.abs(seen[side] - way[side]) < TOUCH,
        `${side}: drawn at ${seen[side]}, the way goes to ${way[side]}`,
      );
    }
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
