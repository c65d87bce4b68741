// SPDX-License-Identifier: Apache-2.0

// Which characters there are, what is drawn of them, and the brush.
import { perform } from "../commands/command.js";
import { mirrorPose } from "../commands/pose.js";
import { smoothWeights } from "../commands/skin.js";
import { button, h, replace, segment, slider, toggle } from "../dom.js";
import { LARGEST_BRUSH, SMALLEST_BRUSH, type BrushMode, type Studio, type ViewSettings } from "../studio.js";
import { section } from "./panel.js";

export function makeCharacterPanel(studio: Studio): HTMLElement {
  const list = h("div", { class: "characters" });
  const warnings = h("details", { class: "warnings" });
  const mirror = button({ text: "Mirror pose", title: "Left does what right did (M)", class: "button text" }, () =>
    perform(studio, mirrorPose),
  );
  const refresh = () => {
    replace(
      list,
      ...studio.characters.map((character) =>
        h(
          "div",
          { class: `character${character === studio.active ? " on" : ""}` },
          h(
            "button",
            { type: "button", class: "plain", onclick: () => studio.activate(character) },
            h("b", {}, character.name),
            h(
              "span",
              {},
              `${character.skeleton.jointCount} joints, ${character.meshes.reduce((sum, mesh) => sum + mesh.triangleCount, 0).toLocaleString("en")} triangles, ${character.clips.length} clip${character.clips.length === 1 ? "" : "s"}`,
            ),
          ),
          studio.characters.length > 1 &&
            button({ icon: "close", title: `Remove ${character.name}`, class: "button small" }, () =>
              studio.remove(character),
            ),
        ),
      ),
    );
    const all = studio.active?.warnings ?? [];
    warnings.hidden = all.length === 0;
    replace(
      warnings,
      h("summary", {}, `${all.length} warning${all.length === 1 ? "" : "s"}`),
      ...all.slice(0, 50).map(({ message }) => h("p", {}, message)),
    );
  };
  studio.bus.on(["characters", "clip", "meshes"], refresh);
  return section("Character", true, list, warnings, mirror);
}

export function makeViewPanel(studio: Studio): HTMLElement {
  const box = (key: keyof ViewSettings, label: string, title: string) =>
    toggle(
      label,
      title,
      () => studio.view[key],
      (on) => studio.setView({ [key]: on }),
    );
  const boxes = [
    box("mesh", "Skin", "The shaded mesh (S)"),
    box("textures", "Textures", "Colours and images of the file's materials"),
    box("wire", "Wireframe", "Edges of the mesh (W)"),
    box("bones", "Skeleton", "Bones and joints (B)"),
    box("limits", "Limits", "Arcs and cones at the selected joint"),
    box("trail", "Trail", "The way of the selected joint"),
    box("ghost", "Ghost", "The motion before it was edited"),
    box("follow", "Follow", "The camera goes along while playing"),
    box("figures", "Figures", "Milliseconds of each frame"),
  ];
  studio.bus.on("view", () => boxes.forEach((each) => each.refresh()));
  return section("View", true, h("div", { class: "toggles" }, ...boxes.map(({ element }) => element)));
}

export function makeSkinPanel(studio: Studio): HTMLElement {
  const blend = segment<"linear" | "dual">(
    "Blend",
    [
      { value: "linear", label: "Linear", title: "Linear blend skinning: twisted joints thin out" },
      { value: "dual", label: "Dual quaternion", title: "Dual quaternions keep the volume of twisted joints" },
    ],
    () => (studio.view.dualQuaternion ? "dual" : "linear"),
    (value) => studio.setView({ dualQuaternion: value === "dual" }),
  );
  const weights = toggle(
    "Weight colours",
    "How much the selected joint moves each vertex",
    () => studio.view.weights,
    (on) => studio.setView({ weights: on }),
  );
  const mode = segment<BrushMode>(
    "Brush",
    [
      { value: "add", label: "Add", title: "More of the selected joint; Ctrl takes away" },
      { value: "subtract", label: "Less", title: "Less of the selected joint" },
      { value: "smooth", label: "Smooth", title: "Towards the neighbours" },
    ],
    () => studio.brush.mode,
    (value) => studio.setBrush({ mode: value }),
  );
  const size = slider(
    "Size",
    { min: SMALLEST_BRUSH, max: LARGEST_BRUSH, step: 0.005 },
    () => studio.brush.size,
    (value) => studio.setBrush({ size: value }),
    (value) => `${(value * 100).toFixed(1)}%`,
  );
  const strength = slider(
    "Strength",
    { min: 0.05, max: 1, step: 0.05 },
    () => studio.brush.strength,
    (value) => studio.setBrush({ strength: value }),
    (value) => value.toFixed(2),
  );
  const smooth = button(
    { text: "Smooth all", title: "Every vertex towards its neighbours", class: "button text" },
    () => perform(studio, smoothWeights),
  );
  const element = section(
    "Skin",
    false,
    blend.element,
    weights.element,
    h("div", { class: "row" }, h("span", { class: "label" }, "Brush"), mode.element),
    size.element,
    strength.element,
    smooth,
  );
  studio.bus.on(["view", "tool"], () => {
    blend.refresh();
    weights.refresh();
    size.refresh();
    if (studio.tool === "paint") element.open = true;
  });
  studio.bus.on(["characters", "meshes"], () => {
    element.hidden = (studio.active?.meshes.length ?? 0) === 0;
  });
  return element;
}
