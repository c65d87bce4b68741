// SPDX-License-Identifier: Apache-2.0

// Sections of the panel that fold.
import { h } from "../dom.js";
import { t } from "../language.js";

type Child = Node | string | null | undefined | false;

export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  return h(
    "details",
    { class: "section", open, "data-section": title.toLowerCase() },
    h("summary", {}, t(title)),
    h("div", { class: "section-body" }, ...children),
  );
}
