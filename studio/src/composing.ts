// SPDX-License-Identifier: Apache-2.0

// Makes the frames that layers change, in slices between which the page goes on: what is looked at is made at once
// anyway, and the rest is there before it is played or exported.
import type { Clip } from "@ulna/engine";
import type { Studio } from "./studio.js";

const SLICE = 6; // milliseconds
const AT_ONCE = 2; // frames

export function composeMeanwhile(studio: Studio) {
  let clip: Clip | null = null;
  let timer = 0;
  const work = () => {
    timer = 0;
    if (!clip || clip !== studio.active?.clip) return;
    const start = performance.now();
    let left = 1;
    while (left > 0 && performance.now() - start < SLICE) left = clip.compose(AT_ONCE);
    if (left > 0) timer = window.setTimeout(work);
  };
  studio.bus.on(["clip", "characters"], () => {
    clip = studio.active?.clip ?? null;
    if (clip && clip.layers.length > 0 && timer === 0) timer = window.setTimeout(work, 50);
  });
}
