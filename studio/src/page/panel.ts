// SPDX-License-Identifier: Apache-2.0

// Sections of the panel that fold.
import { h } from "../dom.js";

type Child = Node | string | null | undefined | false;

export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  return h(
    "details",
    { class: "section", open, "data-section": title.toLowerCase() },
    h("summary", {}, title),
    h("div", { class: "section-body" }, ...children),
  );
}
