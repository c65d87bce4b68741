// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import studio from "./load.mjs";

const { TimeScale, tickStep } = studio;
const near = (a, b, least = 1e-9) => assert.ok(Math.abs(a - b) < least, `${a} is not ${b}`);

/** The scale of a strip of 424 pixels, 400 without its margins. */
function scaleOf(clip, spare = 0) {
  const scale = new TimeScale();
  scale.width = 424;
  scale.fit(clip, spare);
  return scale;
}

test("a clip fills the strip from margin to margin, and pixels and seconds are each other's inverse", () => {
  const scale = scaleOf({ name: "walk", duration: 4 });
  near(scale.x(0), 12);
  near(scale.x(4), 412);
  near(scale.perPixel, 0.01);
  for (const time of [-1, 0, 0.3, 2, 4, 9]) near(scale.time(scale.x(time)), time);
});

test("times are clamped to the clip and what is to spare behind it", () => {
  const scale = scaleOf({ name: "walk", duration: 4 }, 1);
  assert.deepEqual(
    [-1, 2, 4.5, 9].map((time) => scale.clamp(time)),
    [0, 2, 4.5, 5],
  );
});

test("a zoom keeps the moment under the pointer", () => {
  const scale = scaleOf({ name: "walk", duration: 4 });
  const x = scale.x(1.5);
  scale.zoom(x, -400, 0);
  near(scale.time(x), 1.5);
  near(scale.to - scale.from, 4 * Math.exp(-0.6));
});

test("zooming out ends at the whole clip, and panning at its ends", () => {
  const scale = scaleOf({ name: "walk", duration: 4 });
  scale.zoom(200, -800, 0);
  const width = scale.to - scale.from;
  scale.zoom(200, 0, -1e6);
  near(scale.from, 0);
  scale.zoom(200, 0, 1e6);
  near(scale.to, 4);
  near(scale.to - scale.from, width);
  scale.zoom(200, 1e4, 0);
  assert.deepEqual([scale.from, scale.to], [0, 4]);
});

test("no zoom goes below a twentieth of a second", () => {
  const scale = scaleOf({ name: "walk", duration: 4 });
  for (let i = 0; i < 100; ++i) scale.zoom(200, -300, 0);
  assert.ok(scale.to - scale.from >= 0.05);
});

test("an edited clip keeps what is seen of it, another one is shown whole", () => {
  const scale = scaleOf({ name: "walk", duration: 4 });
  scale.zoom(200, -400, 0);
  const seen = [scale.from, scale.to];
  scale.fit({ name: "walk", duration: 4.5 }, 0);
  assert.deepEqual([scale.from, scale.to], seen);
  scale.fit({ name: "run", duration: 1 }, 0);
  assert.deepEqual([scale.from, scale.to], [0, 1]);
});

test("a clip that was seen whole is seen whole when it grows", () => {
  const scale = scaleOf({ name: "walk", duration: 4 });
  scale.fit({ name: "walk", duration: 5 }, 0);
  assert.deepEqual([scale.from, scale.to], [0, 5]);
});

test("without a clip there are two seconds to set keys in", () => {
  assert.deepEqual([scaleOf(null).from, scaleOf(null).to], [0, 2]);
});

test("ticks are 1, 2 or 5 of a power of ten, and no closer than asked for", () => {
  for (const [least, step] of [
    [0.9, 1],
    [1, 1],
    [1.01, 2],
    [3, 5],
    [6, 10],
    [0.03, 0.05],
    [0.0061, 0.01],
  ]) {
    near(tickStep(least), step);
  }
});
