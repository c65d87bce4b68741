// SPDX-License-Identifier: Apache-2.0

// What each curve is, in its colour, and its value at the moment under the pointer, or at the one that is shown.
import { h, replace } from "../dom.js";

export interface LegendEntry {
  readonly name: string;
  readonly colour: string;
  readonly value: number; // degrees, or units of length
  readonly unit: string;
}

export function makeLegend() {
  const element = h("div", { class: "curves-legend", hidden: true });
  let shown = "";
  /** Nothing for no entries. */
  function show(entries: readonly LegendEntry[], time: number) {
    element.hidden = entries.length === 0;
    const values = entries.map(({ value, unit }) => `${value.toFixed(unit === "°" ? 1 : 3)}${unit}`);
    const text = JSON.stringify([entries.map(({ name, colour }) => [name, colour]), values, time.toFixed(2)]);
    if (text === shown) return;
    shown = text;
    replace(
      element,
      h("span", { class: "at" }, `${time.toFixed(2)} s`),
      ...entries.map(({ name, colour }, i) => {
        const swatch = h("i", { class: "swatch" });
        swatch.style.background = colour;
        return h("span", {}, swatch, name, h("b", {}, values[i]));
      }),
    );
  }
  return { element, show };
}
