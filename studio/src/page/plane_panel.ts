// SPDX-License-Identifier: Apache-2.0

// Small skeletons in the plane, on which a method is seen at work more easily than on a body.
import { button, h } from "../dom.js";
import type { Studio } from "../studio.js";
import { section } from "./panel.js";
import { t } from "../language.js";

export function makePlanePanel(studio: Studio, home: () => void): HTMLElement {
  const choice = (text: string, title: string, act: () => void) => button({ text, title, class: "button text" }, act);
  return section(
    "Plane",
    true,
    h("p", { class: "about" }, t("In the plane a chain shows what a method does, bone by bone.")),
    h(
      "div",
      { class: "buttons" },
      choice(t("Planar chain"), t("A chain of seven hinges"), () => studio.playInThePlane("chain")),
      choice(t("Planar tree"), t("A trunk with two arms, for two goals at once"), () => studio.playInThePlane("tree")),
      choice(t("Bundled character"), t("Return to the character that comes with the studio"), home),
    ),
  );
}
