// SPDX-License-Identifier: Apache-2.0

// What the panel is for: to pose, or to learn how solvers work.
import { h, segment } from "../dom.js";
import type { Studio } from "../studio.js";
import { t } from "../language.js";

export function makeModes(studio: Studio, pose: readonly HTMLElement[], learn: readonly HTMLElement[]): HTMLElement[] {
  const modes = segment<"pose" | "learn">(
    t("Mode"),
    [
      { value: "pose", label: t("Pose"), title: t("Pose, animate and look at characters") },
      { value: "learn", label: t("Learn"), title: t("Watch solvers at work, compare methods, play in the plane") },
    ],
    () => (studio.view.learning ? "learn" : "pose"),
    (value) => studio.setView({ learning: value === "learn" }),
  );
  modes.element.classList.add("modes");
  const [posing, learning] = [h("div", {}, ...pose), h("div", { hidden: true }, ...learn)];
  studio.bus.on("view", () => {
    modes.refresh();
    posing.hidden = studio.view.learning;
    learning.hidden = !studio.view.learning;
  });
  return [modes.element, posing, learning];
}
