// SPDX-License-Identifier: Apache-2.0

// What becomes of the work: what exported files hold, and whether this browser keeps it.
import { h, select, toggle } from "../dom.js";
import type { Projects } from "../project/projects.js";
import type { ExportContent, Studio } from "../studio.js";
import { section } from "./panel.js";
import { t } from "../language.js";

export function makeFilesPanel(studio: Studio, projects: Projects): HTMLElement {
  const content = select<ExportContent | "ask">(
    t("What an exported file holds"),
    () => [
      { value: "ask", label: t("Ask") },
      { value: "pose", label: t("The pose on screen") },
      { value: "motion", label: t("The motion") },
      { value: "both", label: t("Both") },
    ],
    () => studio.keeping.exports,
    (value) => studio.setKeeping({ exports: value }),
  );
  const keep = toggle(
    t("Keep work in this browser"),
    t("If the page closes by accident, your work is offered again. Nothing leaves this machine"),
    () => projects.keeping,
    (on) => (on ? projects.agree() : void projects.stop()),
  );
  studio.bus.on("tool", () => {
    content.refresh();
    keep.refresh();
  });
  return section(
    "Files",
    false,
    h("div", { class: "row" }, h("span", { class: "label" }, t("Exports")), content.element),
    keep.element,
  );
}
