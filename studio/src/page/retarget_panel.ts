// SPDX-License-Identifier: Apache-2.0

// A clip that was made of another body's: where it came from, how well it went, and what can be chosen.
import { h, replace, segment, toggle } from "../dom.js";
import type { Origin, RetargetSettings } from "../origin.js";
import type { Retargeting } from "../retargeting.js";
import type { Studio, ViewSettings } from "../studio.js";
import { section } from "./panel.js";
import { t } from "../language.js";

const DEGREES = 180 / Math.PI;

export function makeRetargetPanel(studio: Studio, retargeting: Retargeting): HTMLElement {
  const about = h("p", { class: "about" });
  const feet = segment<RetargetSettings["feet"]>(
    t("Feet"),
    [
      {
        value: "auto",
        label: t("Auto"),
        title: t("Feet that stand stay where they are, unless both bodies are built alike"),
      },
      { value: "lock", label: t("Lock"), title: t("Feet that stand stay where they are, on the floor") },
      { value: "keep", label: t("As in the clip"), title: t("Feet go where their legs point: they may slide") },
    ],
    () => retargeting.settings?.feet ?? "auto",
    (value) => void retargeting.change({ feet: value }),
  );
  const box = (key: "floor" | "pair" | "firstFrame", label: string, title: string) =>
    toggle(
      label,
      title,
      () => retargeting.settings?.[key] ?? false,
      (on) => void retargeting.change({ [key]: on }),
    );
  const boxes = [
    box("floor", t("Hands on the floor"), t("Hands near the floor keep their height, whatever the length of the arms")),
    box("pair", t("Hands together"), t("Hands near each other keep their distance, whatever the length of the arms")),
    box(
      "firstFrame",
      t("T-pose in first frame"),
      t(
        "The first frame of the clip is its rest pose, and no part of the motion; for files whose own rest pose is none",
      ),
    ),
  ];
  const before = segment<ViewSettings["source"]>(
    t("Before"),
    [
      { value: "off", label: t("Off"), title: t("Show the character alone") },
      { value: "over", label: t("Over"), title: t("Show the body of the file over the character") },
      { value: "beside", label: t("Beside"), title: t("Show the body of the file beside the character") },
    ],
    () => studio.view.source,
    (value) => studio.setView({ source: value }),
  );
  const figures = h("p", { class: "figures" });
  const element = section(
    "Retarget",
    true,
    about,
    h("div", { class: "row" }, h("span", { class: "label" }, t("Feet")), feet.element),
    ...boxes.map((each) => each.element),
    h("div", { class: "row" }, h("span", { class: "label" }, t("Before")), before.element),
    figures,
  );

  function refresh() {
    const { active } = studio;
    const origin = active?.clip ? studio.originOf(active.clip) : null;
    element.hidden = origin === null;
    if (!active || !origin) return;
    about.textContent = t("From {name}: {joints, plural, one {# joint} other {# joints}}, {duration} s", {
      name: origin.file.name,
      joints: origin.skeleton.jointCount,
      duration: origin.clip.duration.toFixed(1),
    });
    for (const each of [feet, before, ...boxes]) each.refresh();
    replace(figures, ...describe(origin, active.size));
  }
  studio.bus.on(["characters", "clip", "view"], refresh);
  refresh();
  return element;
}

/** Lengths are shares of the character's size, so that they say something in every unit. */
function describe({ report }: Origin, size: number): Node[] {
  const { scale, directionMean, slideMean, slideMost } = report;
  const percent = (speed: number) => `${((100 * speed) / size).toFixed(1)} %`;
  const feet =
    percent(slideMost) === percent(0)
      ? t("Standing feet do not slide.")
      : t("Standing feet slide {percent} of its height a second, at most {percent2}.", {
          percent: percent(slideMean),
          percent2: percent(slideMost),
        });
  return [
    h("span", {}, t("Path × {scale}", { scale: scale.toPrecision(3) })),
    h("span", {}, " · ", t("limbs {angle} off", { angle: `${(directionMean * DEGREES).toFixed(1)}°` })),
    h("span", { class: "soft" }, feet),
  ];
}
