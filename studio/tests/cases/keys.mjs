// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { makeEngine, must } from "../oracle.mjs";
import { borrowStudio, dragMouse, drop, look, nextFrame } from "../support.mjs";

const DEGREE = Math.PI / 180;
const ARM = {
  ulna: 1,
  joints: [
    { name: "shoulder", kind: "ball" },
    { name: "elbow", parent: "shoulder", kind: "hinge", axis: [0, 0, 1], offset: [1, 0, 0] },
    { name: "hand", parent: "elbow", kind: "fixed", offset: [1, 0, 0] },
  ],
};
const ELBOW = ARM.joints.findIndex(({ name }) => name === "elbow");

/** The angle of a hinge about z. */
const hinge = (pose) => (2 * Math.atan2(pose[10 * ELBOW + 5], pose[10 * ELBOW + 6])) / DEGREE;

export function keys(browser) {
  let studio, page, engine;
  before(async () => {
    [studio, engine] = await Promise.all([borrowStudio(browser(), { skin: false }), makeEngine()]);
    page = studio.page;
    await drop(page, [{ name: "arm.rig.json", bytes: JSON.stringify(ARM) }]);
  });

  const keyTimes = () => look(page, (studio) => studio.keyTimes("elbow"));
  const angle = async () => hinge(await look(page, (studio) => studio.pose));
  const interpolate = (how) => page.selectOption('select[title="Interpolation between keys"]', how);

  /** Where a time is on the timeline, which has a second to spare behind what was made here. */
  const placeOf = async (time, below = false) => {
    const [box, clip] = [await page.locator(".strip").boundingBox(), await look(page, (studio) => studio.clip)];
    const span = clip ? clip.duration + (clip.own ? 1 : 0) : 2;
    return { x: box.x + 12 + (time / span) * (box.width - 24), y: below ? box.y + box.height / 2 + 8 : box.y + 6 };
  };
  const seek = async (time) => {
    const { x, y } = await placeOf(time);
    await page.mouse.click(x, y);
    return look(page, (studio) => studio.time);
  };
  const setKey = async (time, degrees) => {
    await seek(time);
    const field = page.locator('.field input[type="number"]').first();
    await field.fill(String(degrees));
    await field.press("Enter");
    await page.locator("#key").click();
  };
  /** The straight line between keys, by the angles they were given. */
  const straight = (list, time) => {
    const next = list.findIndex(([at]) => at > time);
    const [[a, from], [b, to]] = [list[next - 1], list[next]];
    return from + ((to - from) * (time - a)) / (b - a);
  };

  let made; // times and angles
  test("keys are set at times of one's own, one by one", async () => {
    await page.selectOption("#joint", { label: "elbow" });
    const angles = [0, 40, 20, 60];
    for (const [i, degrees] of angles.entries()) await setKey(0.3 * i, degrees);
    const times = await keyTimes();
    assert.equal(times.length, 4);
    times.forEach((time, i) => assert.ok(Math.abs(time - 0.3 * i) < 1e-9, `${times}`)); // on frames
    assert.ok(Math.abs((await look(page, (studio) => studio.clip.frameTime)) - 1 / 30) < 1e-12);
    made = times.map((time, i) => [time, angles[i]]);
  });

  test("the interpolation picked is the way from key to key", async () => {
    await page.keyboard.press("Escape");
    await page.selectOption("#joint", { label: "elbow" });
    await page.keyboard.press("c");
    const seen = {};
    for (const how of ["step", "linear", "catmull-rom", "linear"]) {
      await interpolate(how);
      await nextFrame(page);
      const picture = (await page.locator(".curves").screenshot()).toString("base64");
      if (seen[how]) assert.equal(picture, seen[how], "the same way is drawn otherwise");
      else assert.ok(!Object.values(seen).includes(picture), `${how} is drawn as another`);
      seen[how] = picture;
      for (const wanted of [0.08, 0.4, 0.47, 0.7]) {
        const time = await seek(wanted);
        const [now, line] = [await angle(), straight(made, time)];
        const earlier = made.filter(([at]) => at <= time).at(-1)[1];
        if (how === "step") assert.ok(Math.abs(now - earlier) < 1e-6, `${now} is not ${earlier}`);
        else if (how === "linear") assert.ok(Math.abs(now - line) < 1e-6, `${now} is not ${line}`);
        else assert.ok(Math.abs(now - line) > 0.2 && Math.abs(now - line) < 15, `${now} beside ${line}`);
      }
    }
    await page.keyboard.press("c");
  });

  test("a step is drawn where it is, and its key is taken there", async () => {
    await page.keyboard.press("c");
    await interpolate("step");
    await nextFrame(page);
    const box = await page.locator(".curves").boundingBox();
    // Angles from 0 to 60 degrees, with 12 % to spare at both ends.
    const y = (degrees) => box.y + 8 + ((box.height - 16) * (67.2 - degrees)) / 74.4;
    const { x } = await placeOf(made[1][0]);
    const dragged = async (degrees) => {
      await page.mouse.move(x, y(degrees));
      await page.mouse.down();
      await page.mouse.move(x, y(degrees) - 6);
      await page.mouse.up();
      await nextFrame(page);
      return (await look(page, (studio) => studio.undoLabel)) === "Edit key";
    };
    assert.equal(await dragged(16), false, "there is nothing to take half-way up the step");
    assert.equal(await dragged(made[1][1]), true);
    assert.ok((await angle()) > made[1][1] + 1);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("c");
  });

  test("a click on a key goes there and changes nothing", async () => {
    const [label, { x, y }] = [await look(page, (studio) => studio.undoLabel), await placeOf(made[1][0], true)];
    await page.mouse.click(x, y);
    assert.ok(Math.abs((await look(page, (studio) => studio.time)) - made[1][0]) < 1e-9);
    assert.equal(await look(page, (studio) => studio.undoLabel), label);
  });

  test("keys selected by a box are moved together, and deleted together", async () => {
    const box = async (from, to) => {
      await page.keyboard.down("Shift");
      await dragMouse(page, await placeOf(from, true), await placeOf(to, true));
      await page.keyboard.up("Shift");
    };
    const before = await keyTimes();
    await box(0.2, 0.7);
    assert.deepEqual(await keyTimes(), before);
    await dragMouse(page, await placeOf(before[1], true), await placeOf(before[1] + 0.1, true));
    const moved = await keyTimes();
    const wanted = before.map((time, i) => (i === 1 || i === 2 ? time + 0.1 : time));
    moved.forEach((time, i) => assert.ok(Math.abs(time - wanted[i]) < 0.01, `${moved}, not ${wanted}`));
    assert.ok(Math.abs(moved[2] - moved[1] - before[2] + before[1]) < 1e-9);
    await page.keyboard.press("Control+z");
    assert.deepEqual(await keyTimes(), before);
    await box(0.2, 0.7);
    await page.keyboard.press("Delete");
    assert.deepEqual(await keyTimes(), [before[0], before[3]]);
    await page.keyboard.press("Control+z");
    assert.deepEqual(await keyTimes(), before);
  });

  test("a key dragged by the mouse has its pose at the new time, and the way there is another", async () => {
    const [from, to] = [await placeOf(made[1][0], true), await placeOf(14 / 30, true)];
    await dragMouse(page, from, to, { steps: 4 });
    const times = await keyTimes();
    assert.equal(times.length, 4);
    assert.ok(Math.abs(times[1] - 14 / 30) < 1e-9, `${times}`); // on a frame
    made[1][0] = times[1];
    for (const wanted of [0.2, 0.3, 0.45, 0.5]) {
      const time = await seek(wanted);
      assert.ok(Math.abs((await angle()) - straight(made, time)) < 1e-6, `at ${time}`);
    }
    await page.keyboard.press("Control+z");
    assert.ok(Math.abs((await keyTimes())[1] - 0.3) < 0.01);
    await page.keyboard.press("Control+Shift+z");
    assert.deepEqual(await keyTimes(), times);
  });

  test("a key chosen by a click goes by Delete, and its neighbours are joined", async () => {
    const { x, y } = await placeOf(made[2][0], true);
    await page.mouse.click(x, y);
    await page.keyboard.press("Delete");
    made.splice(2, 1);
    assert.deepEqual(
      await keyTimes(),
      made.map(([time]) => time),
    );
    const time = await seek(0.6);
    assert.ok(Math.abs((await angle()) - straight(made, time)) < 1e-6);
  });

  test("what was edited is the same in every export, here and in another reader, and when it is opened again", async () => {
    for (const format of ["glb", "rig", "bvh"]) {
      const bytes = Buffer.from(await look(page, (studio, format) => studio.exported(format), format), "base64");
      const file = `again.${format === "rig" ? "rig.json" : format}`;
      const { clips } = must(engine.open(bytes, file));
      // Frames stand in for keys in BVH and rig files: between two of them a corner is cut.
      const most = format === "glb" ? 1e-3 : 1.5;
      for (const time of [0, 0.1, 0.44, 0.6, 0.88]) {
        const read = hinge(clips[0].sample(time));
        assert.ok(
          Math.abs(read - straight(made, time)) < most,
          `${format} at ${time}: ${read}, not ${straight(made, time)}`,
        );
      }
      await drop(page, [{ name: file, bytes }]);
      assert.equal((await look(page, (studio) => studio.characters))[0].name, file);
      for (const wanted of [0.1, 0.6]) {
        const time = await seek(wanted);
        assert.ok(Math.abs((await angle()) - straight(made, time)) < most, `${format} opened again, at ${time}`);
      }
    }
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
