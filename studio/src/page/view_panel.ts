// SPDX-License-Identifier: Apache-2.0

// Which characters there are, what is drawn of them, and the brush.
import { perform } from "../commands/command.js";
import { smoothWeights } from "../commands/skin.js";
import { button, h, replace, segment, select, slider, toggle } from "../dom.js";
import { LARGEST_BRUSH, SMALLEST_BRUSH, type Arrival, type ArrivalSettings } from "../studio.js";
import type { BrushMode, Studio, ViewSettings } from "../studio.js";
import { inPageWords } from "../page_words.js";
import type { LookFrom } from "../view/viewport.js";
import { section } from "./panel.js";
import { t } from "../language.js";

// As the body's own sides are: its left is on the right of who sees it from the front.
const CAMERAS: readonly (readonly [LookFrom, string, string])[] = [
  ["corner", t("¾"), t("From the front, a little to the side and from above")],
  ["front", t("Front"), t("Straight at the front of the body")],
  ["left", t("Left"), t("Straight at the left side of the body")],
  ["right", t("Right"), t("Straight at the right side of the body")],
  ["back", t("Back"), t("Straight at the back of the body")],
  ["top", t("Top"), t("Straight from above, the front of the body below")],
];

export function makeCharacterPanel(studio: Studio): HTMLElement {
  const list = h("div", { class: "characters" });
  const warnings = h("details", { class: "warnings" });
  const arrivals = [
    arrivalOf(studio, "motion", t("Motions"), t("What becomes of a file that brings a motion alone")),
    arrivalOf(studio, "character", t("Characters"), t("What becomes of a character that brings a motion")),
  ];
  const refresh = () => {
    for (const each of arrivals) each.refresh();
    replace(
      list,
      ...studio.characters.map((character) =>
        h(
          "div",
          { class: `character${character === studio.active ? " on" : ""}` },
          h(
            "button",
            { type: "button", class: "plain", onclick: () => studio.activate(character) },
            h("b", { translate: "no" }, character.name),
            h(
              "span",
              {},
              t(
                "{joints, plural, one {# joint} other {# joints}}, {triangles, plural, one {# triangle} other {# triangles}}, {clips, plural, one {# clip} other {# clips}}",
                {
                  joints: character.skeleton.jointCount,
                  triangles: character.meshes.reduce((sum, mesh) => sum + mesh.triangleCount, 0),
                  clips: character.clips.length,
                },
              ),
            ),
          ),
          studio.characters.length > 1 &&
            button({ icon: "close", title: t("Remove {name}", { name: character.name }), class: "button small" }, () =>
              studio.remove(character),
            ),
        ),
      ),
    );
    const all = studio.active?.warnings ?? [];
    warnings.hidden = all.length === 0;
    replace(
      warnings,
      h("summary", {}, t("{count, plural, one {# warning} other {# warnings}}", { count: all.length })),
      ...all.slice(0, 50).map(({ message }) => h("p", { lang: "en" }, inPageWords(message))),
    );
  };
  studio.bus.on(["characters", "clip", "meshes"], refresh);
  return section("Character", true, list, warnings, ...arrivals.map(({ element }) => element));
}

/** Where files of a kind go that are opened next. Shown once it was asked. */
function arrivalOf(studio: Studio, key: keyof ArrivalSettings, label: string, title: string) {
  let asked = false;
  const choice = select<Arrival | "ask">(
    title,
    () => [
      { value: "ask", label: t("Ask") },
      { value: "play", label: t("Play on the character") },
      { value: "beside", label: t("Open beside") },
      { value: "instead", label: t("Open instead") },
    ],
    () => studio.arrivals[key],
    (value) => studio.setArrivals({ [key]: value }),
  );
  const element = h("div", { class: "row" }, h("span", { class: "label" }, label), choice.element);
  const refresh = () => {
    asked ||= studio.arrivals[key] !== "ask";
    element.hidden = !asked;
    choice.refresh();
  };
  return { element, refresh };
}

export function makeViewPanel(studio: Studio, look: (from: LookFrom) => void): HTMLElement {
  const box = (key: Exclude<keyof ViewSettings, "source" | "lens">, label: string, title: string) =>
    toggle(
      label,
      title,
      () => studio.view[key],
      (on) => studio.setView({ [key]: on }),
    );
  const boxes = [
    box("mesh", t("Skin"), t("Show the skin (S)")),
    box("textures", t("Textures"), t("Show the colours and images of the file's materials")),
    box("wire", t("Wireframe"), t("Show the edges of the mesh (W)")),
    box("bones", t("Skeleton"), t("Show bones and joints (B)")),
    box("shadow", t("Shadow"), t("Show the shadow on the ground")),
    box("limits", t("Limits"), t("Show the limits of the selected joint as arcs and cones")),
    box("trail", t("Trail"), t("Show the path of the selected joint")),
    box("ghost", t("Ghost"), t("Show the motion before it was edited, as a translucent body")),
    box("onion", t("Onion"), t("Onion skin: show the body a little before (teal) and after (red)")),
    box("follow", t("Follow"), t("The camera follows the character while the clip plays")),
    box("figures", t("Figures"), t("Show how many milliseconds a frame takes")),
    box(
      "orthographic",
      t("Orthographic"),
      t("Parallel lines stay parallel: nothing is smaller because it is farther away"),
    ),
  ];
  const lens = slider(
    t("Lens"),
    { min: 18, max: 135, step: 1 },
    () => studio.view.lens,
    (value) => studio.setView({ lens: value }),
    (value) => `${value} mm`,
  );
  const cameras = CAMERAS.map(([from, text, title]) =>
    button({ text, title, class: "button text small" }, () => look(from)),
  );
  studio.bus.on("view", () => {
    for (const each of [...boxes, lens]) each.refresh();
    lens.element.hidden = studio.view.orthographic;
  });
  return section(
    "View",
    true,
    h("div", { class: "buttons", role: "group", "aria-label": t("Camera") }, ...cameras),
    lens.element,
    h("div", { class: "toggles" }, ...boxes.map(({ element }) => element)),
  );
}

export function makeSkinPanel(studio: Studio): HTMLElement {
  const blend = segment<"linear" | "dual">(
    t("Blend"),
    [
      {
        value: "linear",
        label: t("Linear"),
        title: t("Linear blend skinning: the skin becomes thin at twisted joints"),
      },
      {
        value: "dual",
        label: t("Dual quaternion"),
        title: t("Dual quaternion skinning: twisted joints keep their volume"),
      },
    ],
    () => (studio.view.dualQuaternion ? "dual" : "linear"),
    (value) => studio.setView({ dualQuaternion: value === "dual" }),
  );
  const twist = toggle(
    t("Spread twist"),
    t("Arms and legs of a human body twist evenly over their length instead of at a joint"),
    () => studio.view.limbTwist,
    (on) => studio.setView({ limbTwist: on }),
  );
  const weights = toggle(
    t("Weight colours"),
    t("Show how much the selected joint moves each vertex"),
    () => studio.view.weights,
    (on) => studio.setView({ weights: on }),
  );
  const mode = segment<BrushMode>(
    t("Brush"),
    [
      { value: "add", label: t("Add"), title: t("Add weight of the selected joint; with Ctrl, subtract it") },
      { value: "subtract", label: t("Less"), title: t("Subtract weight of the selected joint") },
      { value: "smooth", label: t("Smooth"), title: t("Blend weights with those of neighbouring vertices") },
    ],
    () => studio.brush.mode,
    (value) => studio.setBrush({ mode: value }),
  );
  const size = slider(
    t("Size"),
    { min: SMALLEST_BRUSH, max: LARGEST_BRUSH, step: 0.005 },
    () => studio.brush.size,
    (value) => studio.setBrush({ size: value }),
    (value) => `${(value * 100).toFixed(1)}%`,
  );
  const strength = slider(
    t("Strength"),
    { min: 0.05, max: 1, step: 0.05 },
    () => studio.brush.strength,
    (value) => studio.setBrush({ strength: value }),
    (value) => value.toFixed(2),
  );
  const smooth = button(
    { text: t("Smooth all"), title: t("Blend the weights of every vertex with its neighbours'"), class: "button text" },
    () => perform(studio, smoothWeights),
  );
  const element = section(
    "Skin",
    false,
    blend.element,
    twist.element,
    weights.element,
    h("div", { class: "row" }, h("span", { class: "label" }, t("Brush")), mode.element),
    size.element,
    strength.element,
    smooth,
  );
  studio.bus.on(["view", "tool"], () => {
    blend.refresh();
    twist.refresh();
    weights.refresh();
    size.refresh();
    if (studio.tool === "paint") element.open = true;
  });
  studio.bus.on(["characters", "meshes"], () => {
    element.hidden = (studio.active?.meshes.length ?? 0) === 0;
  });
  return element;
}
