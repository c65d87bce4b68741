// SPDX-License-Identifier: Apache-2.0

// A button that opens a list of what can be done. Arrow keys go through it; it closes by a choice, a click elsewhere,
// Tab or Escape, and the focus returns to its button.
import { h, icon, steppedTo, type IconName } from "../dom.js";

/** What a list offers: a name, what it does in a sentence, and the act. */
export type MenuItem = readonly [name: string, about: string, act: () => void];

export function menu(sign: IconName, label: string, title: string, items: readonly MenuItem[]): HTMLElement {
  const list = h("div", { class: "menu-list", role: "menu", "aria-label": label, hidden: true });
  const opener = h(
    "button",
    { type: "button", class: "button", title, "aria-label": label, "aria-haspopup": "menu", "aria-expanded": "false" },
    icon(sign),
    h("span", { class: "wide" }, label),
  );
  const element = h("div", { class: "menu" }, opener, list);
  const show = (on: boolean) => {
    list.hidden = !on;
    opener.setAttribute("aria-expanded", String(on));
  };
  const buttons = items.map(([name, about, act]) =>
    h(
      "button",
      {
        type: "button",
        role: "menuitem",
        tabindex: -1,
        onclick: () => {
          show(false);
          opener.focus(); // what opens now returns the focus there
          act();
        },
      },
      h("b", {}, name),
      h("span", {}, about),
    ),
  );
  list.append(...buttons);
  opener.addEventListener("click", (event) => {
    show(list.hidden);
    // Opened by a key: a pointer leaves no trace of a click.
    if (!list.hidden && event.detail === 0) buttons[0]?.focus();
  });
  addEventListener("pointerdown", (event) => {
    if (!element.contains(event.target as Node)) show(false);
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Tab") return show(false);
    if (list.hidden && !event.key.startsWith("Arrow")) return;
    if (event.key === "Escape") {
      show(false);
      opener.focus();
    } else {
      const next = buttons[steppedTo(event, buttons) ?? -1];
      if (!next) return;
      show(true);
      next.focus();
    }
    event.preventDefault();
  });
  return element;
}
