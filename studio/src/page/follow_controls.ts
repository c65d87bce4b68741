// SPDX-License-Identifier: Apache-2.0

// How a dragged body follows: inside which limits, and what it keeps as people do.
import { perform } from "../commands/command.js";
import { setLimits } from "../commands/holds.js";
import { h, segment, toggle } from "../dom.js";
import type { LimitsMode } from "../snapshot.js";
import type { Studio } from "../studio.js";
import { t } from "../language.js";

export function makeFollowControls(studio: Studio): HTMLElement[] {
  const limits = segment<LimitsMode>(
    t("Limits"),
    [
      { value: "own", label: t("File"), title: t("The limits that the file has") },
      {
        value: "anatomical",
        label: t("Human"),
        title: t("Limits of the human body; joints are recognised by their names"),
      },
      { value: "none", label: t("None"), title: t("No limits") },
    ],
    () => studio.active?.limits ?? "own",
    (value) => perform(studio, setLimits(value)),
  );
  const kept = (key: "natural" | "balance" | "floor" | "bulk" | "pairs", label: string, title: string) =>
    toggle(
      label,
      title,
      () => studio.solver[key],
      (on) => studio.setSolver({ [key]: on }),
    );
  const natural = kept(
    "natural",
    t("Natural"),
    t("A human body moves as people do; otherwise it moves as little as it can"),
  );
  const rules = [
    kept("balance", t("Balance"), t("The weight stays over the feet that stand")),
    kept("floor", t("Floor"), t("Nothing goes below the floor, and feet that stand stay flat")),
    kept("bulk", t("Bulk"), t("Arms and legs do not go through the body or each other")),
    kept("pairs", t("Pairs"), t("Angles of shoulders, elbows, hips and knees go together as people take them")),
  ];
  const body = h("div", { class: "toggles" }, natural.element, ...rules.map(({ element }) => element));
  const refresh = () => {
    limits.refresh();
    natural.refresh();
    body.hidden = studio.solver.method !== "auto";
    for (const rule of rules) {
      rule.refresh();
      rule.element.hidden = !studio.solver.natural;
    }
  };
  studio.bus.on(["tool", "goals", "characters"], refresh);
  queueMicrotask(refresh);
  return [h("div", { class: "row" }, h("span", { class: "label" }, t("Limits")), limits.element), body];
}
