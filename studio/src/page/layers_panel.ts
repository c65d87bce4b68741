// SPDX-License-Identifier: Apache-2.0

// The layers on the motion shown: weighed, muted, merged, the one on top first.
import type { Layer } from "@ulna/engine";
import { perform } from "../commands/command.js";
import { addLayer, changeLayer, isLayered, LayerDrag, mergeLayers, removeLayer } from "../commands/layers.js";
import { button, h, replace } from "../dom.js";
import type { Studio } from "../studio.js";
import { section } from "./panel.js";
import { t } from "../language.js";

const LARGEST_WEIGHT = 2;

export function makeLayersPanel(studio: Studio): HTMLElement {
  const list = h("div", { class: "layers" });
  const none = h("p", {}, t("K keys a change on a layer: the motion below stays as it is."));
  const add = button(
    {
      text: t("New layer"),
      title: t("Further keys go into a new layer on top"),
      class: "button text",
      id: "new-layer",
    },
    () => perform(studio, addLayer),
  );
  const element = section("Layers", true, list, none, add);
  let shown: readonly Layer[] | null = null;
  let held = false; // a slider that is being dragged stays
  const hold = (on: boolean) => (held = on);
  const refresh = () => {
    const clip = studio.active?.clip ?? null;
    element.hidden = !isLayered(clip);
    const layers = clip?.layers ?? [];
    none.hidden = layers.length > 0;
    if (layers === shown || held) return;
    shown = layers;
    replace(list, ...layers.map((layer, index) => rowOf(studio, layer, index, hold)).reverse());
  };
  studio.bus.on(["clip", "characters", "history"], refresh);
  refresh();
  return element;
}

function rowOf(studio: Studio, layer: Layer, index: number, hold: (on: boolean) => void): HTMLElement {
  const { name, weight, muted, keys } = layer;
  const slider = h("input", {
    ...{ type: "range", min: 0, max: LARGEST_WEIGHT, step: 0.01, value: weight },
    "aria-label": t("Weight of {name}", { name }),
  });
  const output = h("output", {}, weight.toFixed(2));
  let drag: LayerDrag | null = null;
  slider.addEventListener("input", () => {
    hold(true);
    drag ??= new LayerDrag(studio, index);
    drag.set({ weight: Number(slider.value) });
    output.textContent = Number(slider.value).toFixed(2);
  });
  slider.addEventListener("change", () => {
    hold(false);
    drag?.finish();
    drag = null;
  });
  const mute = button(
    {
      text: muted ? t("Unmute") : t("Mute"),
      title: muted ? t("Let {name} count again", { name }) : t("Leave {name} out", { name }),
      class: "button text",
    },
    () => perform(studio, changeLayer(index, { muted: !muted })),
  );
  const merge = button(
    {
      text: t("Merge"),
      title: t("Make {name} and what is below it part of the motion", { name }),
      class: "button text",
    },
    () => perform(studio, mergeLayers(index)),
  );
  const remove = button({ icon: "close", title: t("Delete {name}", { name }), class: "button small" }, () =>
    perform(studio, removeLayer(index)),
  );
  const count = t("{count, plural, one {# key} other {# keys}}", { count: keys.length });
  return h(
    "div",
    { class: "layer" },
    h("div", { class: "row" }, h("b", {}, name), h("span", { class: "label" }, count), mute, merge, remove),
    h("label", { class: "slider" }, h("span", {}, t("Weight")), slider, output),
  );
}
