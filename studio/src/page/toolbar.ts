// SPDX-License-Identifier: Apache-2.0

// The bar at the top: what the pointer does, undo, files, the looks of the page.
import { perform } from "../commands/command.js";
import { resetPose } from "../commands/pose.js";
import { button, h, segment } from "../dom.js";
import type { Format } from "../exporting.js";
import type { Studio, Tool } from "../studio.js";
import { menu } from "./menu.js";
import { LANGUAGES, t, type Language } from "../language.js";

export interface ToolbarActions {
  readonly open: (beside: boolean) => void;
  readonly exportAs: (format: Format) => void;
  readonly saveProject: () => void;
  readonly film: (subject: "picture" | "clip") => void;
  readonly help: () => void;
  readonly speak: (next: Language) => void;
  readonly theme: () => void;
  readonly frame: () => void;
  readonly panel: () => void;
  readonly home: () => void;
}

export function makeToolbar(studio: Studio, bar: HTMLElement, actions: ToolbarActions) {
  const tools = segment<Tool>(
    t("Tool"),
    [
      { value: "drag", label: t("Drag"), title: t("Drag the body (1)"), icon: "hand" },
      { value: "rotate", label: t("Rotate"), title: t("Rotate joints (2)"), icon: "rings" },
      { value: "paint", label: t("Paint"), title: t("Paint weights (3)"), icon: "brush" },
    ],
    () => studio.tool,
    (tool) => studio.setTool(tool),
  );
  const undo = button({ icon: "undo", title: t("Undo (Ctrl+Z)"), id: "undo" }, () => studio.history.undo());
  const redo = button({ icon: "redo", title: t("Redo (Ctrl+Shift+Z)"), id: "redo" }, () => studio.history.redo());
  const reset = button({ icon: "reset", title: t("Reset pose (R)"), id: "reset", class: "button only-wide" }, () =>
    perform(studio, resetPose),
  );
  const frame = button(
    { icon: "frame", title: t("Frame the character (F)"), class: "button only-wide" },
    actions.frame,
  );

  const brand = h(
    "button",
    { class: "brand", type: "button", title: t("Start over with the bundled character"), onclick: actions.home },
    logo(),
    h("b", {}, "ulna"),
    h("span", {}, "studio"),
  );

  const languages = menu(
    "globe",
    t("Language"),
    t("Language"),
    Object.entries(LANGUAGES).map(([tag, name]) => [name, "", () => actions.speak(tag as Language)] as const),
  );
  languages.classList.add("languages", "only-wide");
  languages.lastElementChild?.setAttribute("translate", "no");

  bar.append(
    h("h1", { class: "title" }, brand),
    tools.element,
    h("div", { class: "group" }, undo, redo, reset, frame),
    h("div", { class: "spring" }),
    menu("open", t("Open"), t("Open a file (O)"), [
      [
        t("Open…"),
        t(
          "Open BVH, FBX, GLB, rig JSON, a project, or glTF with its .bin and images. OBJ and PLY become a skin; the character is fitted to PC2",
        ),
        () => actions.open(false),
      ],
      [t("Open beside…"), t("Open a second character next to this one"), () => actions.open(true)],
    ]),
    menu("save", t("Export"), t("Export"), [
      [t("Project"), t("Save all that is here, to go on later (Ctrl+S)"), actions.saveProject],
      [t("BVH"), t("Save the pose or the motion that is shown, for other programs"), () => actions.exportAs("bvh")],
      [
        t("GLB"),
        t("Save the skin and the skeleton, with the pose that is shown, all clips, or both"),
        () => actions.exportAs("glb"),
      ],
      [t("Rig JSON"), t("Save the joints with their kinds and limits"), () => actions.exportAs("rig")],
      [t("Picture…"), t("Save a PNG of any size, also without a background"), () => actions.film("picture")],
      [t("Film…"), t("Save the clip or a turntable as MP4, WebM, GIF or WebP"), () => actions.film("clip")],
    ]),
    h(
      "div",
      { class: "group" },
      languages,
      button({ icon: "theme", title: t("Light or dark (T)"), class: "button only-wide" }, actions.theme),
      button({ icon: "panel", title: t("Panel"), class: "button only-narrow", id: "panel" }, actions.panel),
      button({ icon: "help", title: t("Help (?)"), id: "help" }, actions.help),
    ),
  );

  studio.bus.on("tool", tools.refresh);
  const refresh = () => {
    const { undoName, redoName } = studio.history;
    undo.disabled = undoName === null;
    redo.disabled = redoName === null;
    undo.title = undoName ? t("Undo: {undoName} (Ctrl+Z)", { undoName }) : t("Nothing to undo");
    redo.title = redoName ? t("Redo: {redoName} (Ctrl+Shift+Z)", { redoName }) : t("Nothing to redo");
  };
  studio.bus.on("history", refresh);
  refresh();
}

function logo(): Element {
  return h("img", { src: "icon.svg", alt: "", width: 24, height: 24 });
}
