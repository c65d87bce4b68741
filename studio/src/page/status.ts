// SPDX-License-Identifier: Apache-2.0

// The line at the bottom: what can be done now, and what is open.
import { h, replace } from "../dom.js";
import type { Studio, Tool } from "../studio.js";
import type { Viewport } from "../view/viewport.js";
import { t } from "../language.js";

const HINTS: Record<Tool, string> = {
  drag: t("Drag a joint or the skin. Double-click a joint to pin it. Drag empty space to look around."),
  rotate: t("Click a joint, then drag its rings."),
  paint: t("Paint the weights of the selected joint. Ctrl paints less; [ and ] change the size of the brush."),
};

export function makeStatus(studio: Studio, view: Viewport, host: HTMLElement) {
  const hint = h("span", {});
  const facts = h("span", { class: "facts" });
  host.append(hint, h("span", { class: "spring" }), facts);
  let shown = "";
  const refresh = () => {
    const { active } = studio;
    hint.textContent =
      studio.solver.watch && studio.tool === "drag"
        ? t("Slow motion: drag, let go, and watch the iterations.")
        : HINTS[studio.tool];
    if (!active) shown = "";
    if (!active) return replace(facts, t("Nothing is open. Drop a file, or press O."));
    const unit = active.format === "gltf" ? " m" : "";
    const unkeyed = active.edited && active.clip !== null;
    const text = t("{name} · {joints, plural, one {# joint} other {# joints}} · {pins} pinned · grid {cell}", {
      name: active.name,
      joints: active.skeleton.jointCount,
      pins: active.pins.size,
      cell: Number((view.cell / 2).toPrecision(3)) + unit,
    });
    // Called with every frame of a drag, where nothing of it changes.
    if (text + String(unkeyed) === shown) return;
    shown = text + String(unkeyed);
    replace(facts, unkeyed && h("b", { class: "chip" }, t("edited: press K to set a key")), h("span", {}, text));
  };
  studio.bus.on(["characters", "tool", "goals", "pose"], () => {
    if (!studio.playback.playing) refresh();
  });
  refresh();
}
