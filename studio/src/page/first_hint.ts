// SPDX-License-Identifier: Apache-2.0

// The hint of the first visit: a hand that takes the wrist and pulls, until somebody does so, or anything else. It lies
// over the view and catches nothing.
import { h, icon } from "../dom.js";
import { itemAt } from "../lists.js";
import type { Studio } from "../studio.js";
import type { Viewport } from "../view/viewport.js";
import { t } from "../language.js";

export interface FirstHint {
  show(): void;
}

export function makeFirstHint(studio: Studio, view: Viewport, overlay: HTMLElement): FirstHint {
  const element = h("div", { class: "first-hint", hidden: true }, icon("hand"), h("span", {}, t("Drag a hand")));
  overlay.append(element);

  function place() {
    const figure = view.activeFigure;
    const hand = figure ? handOf(figure.character.skeleton.joints, figure.screen) : -1;
    element.hidden = hand < 0;
    if (!figure || hand < 0) return;
    const [x, y] = [itemAt(figure.screen, 3 * hand), itemAt(figure.screen, 3 * hand + 1)];
    element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }
  function end() {
    element.hidden = true;
    studio.bus.off("frame", place);
    for (const event of ENDS) removeEventListener(event, end, true);
  }
  return {
    show() {
      studio.bus.on("frame", place);
      for (const event of ENDS) addEventListener(event, end, true);
      place();
    },
  };
}

const ENDS = ["pointerdown", "keydown", "drop"] as const;

/** The end of a limb that is farthest to the right of the screen among those above the middle: a hand, not a foot. */
function handOf(joints: readonly { index: number; rank: string }[], screen: Float32Array): number {
  const ends = joints.filter(({ rank }) => rank === "end");
  const at = (index: number, axis: number) => itemAt(screen, 3 * index + axis);
  const middle = ends.reduce((sum, { index }) => sum + at(index, 1), 0) / Math.max(ends.length, 1);
  const high = ends.filter(({ index }) => at(index, 1) <= middle + 1);
  return high.reduce((best, { index }) => (best < 0 || at(index, 0) > at(best, 0) ? index : best), -1);
}
