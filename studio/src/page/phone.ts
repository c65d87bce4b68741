// SPDX-License-Identifier: Apache-2.0

// What narrow windows have instead: the panel as a sheet from below, and a key button within reach of the thumb.
import { perform } from "../commands/command.js";
import { setKey } from "../commands/keys.js";
import { button, h } from "../dom.js";
import type { Studio } from "../studio.js";
import type { Shell } from "./shell.js";
import { t } from "../language.js";

const OPEN = "panel-open";

/** Opens or closes the sheet; the focus goes into it, and back to where it was. */
export function togglePanel({ root, panel }: Shell) {
  const open = root.classList.toggle(OPEN);
  if (open) panel.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
  else root.querySelector<HTMLElement>("#panel")?.focus({ preventScroll: true });
}

export function makePhoneParts(studio: Studio, shell: Shell) {
  const key = button(
    { icon: "key", title: t("Set a key at this time (K)"), class: "button floating", id: "phone-key" },
    () => perform(studio, setKey()),
  );
  const close = h(
    "button",
    {
      type: "button",
      class: "grip",
      title: t("Close the panel"),
      "aria-label": t("Close the panel"),
      onclick: () => togglePanel(shell),
    },
    h("i", {}),
  );
  shell.view.append(key);
  shell.panel.prepend(close);
  shell.panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !shell.root.classList.contains(OPEN)) return;
    event.preventDefault();
    togglePanel(shell);
  });
  const refresh = () =>
    void key.classList.toggle("wanted", studio.active?.edited === true && studio.active.clip !== null);
  studio.bus.on(["pose", "time", "characters", "clip"], refresh);
  refresh();
}
