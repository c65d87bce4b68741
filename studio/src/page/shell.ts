// SPDX-License-Identifier: Apache-2.0

// The page's frame: bar, view, panel, timeline, status line, and what floats above them.
import { button, h } from "../dom.js";
import { filesOf, type Dropped } from "../dropped.js";
import { t } from "../language.js";

export interface Shell {
  readonly bar: HTMLElement;
  readonly view: HTMLElement;
  readonly overlay: HTMLElement; // labels over the view
  readonly panel: HTMLElement;
  readonly timeline: HTMLElement;
  readonly status: HTMLElement;
  readonly cards: HTMLElement;
  readonly progress: HTMLElement;
  readonly progressText: HTMLElement;
  readonly drop: HTMLElement;
  readonly root: HTMLElement;
}

export function makeShell(): Shell {
  const bar = h("header", { class: "bar" });
  const overlay = h("div", { class: "overlay" });
  const cards = h("div", { class: "cards", "aria-live": "polite" });
  const progressText = h("span", { class: "progress-text" });
  const progress = h("div", { class: "progress", hidden: true }, h("div", { class: "progress-bar" }), progressText);
  const view = h("main", { class: "view" }, overlay, cards, progress);
  const panel = h("aside", { class: "panel", "aria-label": t("Settings") });
  const timeline = h("section", { class: "timeline", "aria-label": t("Motion") });
  const status = h("footer", { class: "status" });
  const drop = h(
    "div",
    { class: "drop", hidden: true },
    h(
      "div",
      {},
      h("strong", {}, t("Drop to open")),
      h(
        "span",
        {},
        t(
          "BVH, FBX, GLB, glTF, rig JSON or a project: a motion can be played on the character. Hold Shift to open it beside the others. OBJ and PLY become a skin.",
        ),
      ),
    ),
  );
  const root = h("div", { class: "studio" }, bar, view, panel, timeline, status, drop);
  document.body.append(root);
  return { bar, view, overlay, panel, timeline, status, cards, progress, progressText, drop, root };
}

/** A bar for what takes longer than a moment; its movement needs no script, which may be busy. */
export function makeProgress(shell: Shell): (text: string | false, cancel?: () => void) => void {
  let end = () => {};
  const stop = button({ text: t("Cancel"), title: t("Leave it as it was"), class: "button text", id: "cancel" }, () =>
    end(),
  );
  shell.progress.append(stop);
  return (text, cancel) => {
    shell.progress.hidden = text === false;
    shell.progressText.textContent = text || "";
    stop.hidden = cancel === undefined;
    end = cancel ?? (() => {});
  };
}

/** Files dropped anywhere. */
export function acceptDrops(shell: Shell, open: (files: readonly Dropped[], beside: boolean) => void) {
  let depth = 0;
  const show = (on: boolean) => (shell.drop.hidden = !on);
  addEventListener("dragenter", (event) => {
    event.preventDefault();
    ++depth;
    show(true);
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) show(false);
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    show(false);
    const { dataTransfer, shiftKey } = event;
    if (!dataTransfer) return;
    void filesOf(dataTransfer).then((files) => {
      if (files.length > 0) open(files, shiftKey);
    });
  });
}
