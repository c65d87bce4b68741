// SPDX-License-Identifier: Apache-2.0

// Light or dark: what the system says, until the switch says otherwise. Not remembered.

/** Returns the switch; `changed` is called whenever the colours did. */
export function listenToTheme(changed: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  system.addEventListener("change", () => {
    if (!root.dataset.theme) changed();
  });
  return () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
    root.dataset.theme = dark ? "light" : "dark";
    changed();
  };
}
