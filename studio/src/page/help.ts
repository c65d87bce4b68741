// SPDX-License-Identifier: Apache-2.0

// The help sheet, and five hints.
import { button, h, select } from "../dom.js";
import { language, LANGUAGES, t, type Language } from "../language.js";

const KEYS: readonly (readonly [string, string])[] = [
  [t("Drag"), t("Move a joint; the body follows.")],
  [t("Double-click"), t("Pin or unpin a joint.")],
  [t("Ctrl+click"), t("Select joints that move together.")],
  [t("Drag empty space"), t("Rotate the view. The right button pans, the wheel zooms.")],
  ["1  2  3", t("Choose the tool: drag, rotate, paint.")],
  [t("Space"), t("Play or pause.")],
  ["← →", t("Go one frame back or forward.")],
  ["Home  End", t("Go to the start or to the end.")],
  ["K", t("Set a key at this time; on captured motion, in a layer.")],
  ["Delete", t("Delete the keys at this time, or those that are selected.")],
  [t("Shift+Drag"), t("On the timeline: select keys, to delete or move them together. The wheel zooms.")],
  ["C", t("Show the curves of the selected joint.")],
  ["P  L", t("Pin or lock the selected joint.")],
  ["R", t("Reset the pose.")],
  ["M", t("Mirror the pose.")],
  ["Ctrl+C  Ctrl+V", t("Copy and paste the pose, or a part of it.")],
  ["F", t("Bring the character into view.")],
  ["S  W  B", t("Show or hide the skin, the wireframe, the skeleton.")],
  ["[  ]", t("Make the brush smaller or larger.")],
  ["O", t("Open a file.")],
  ["T", t("Switch between light and dark.")],
  ["Ctrl+S", t("Save all as a project.")],
  ["Ctrl+Z", t("Undo.")],
  ["Ctrl+Shift+Z", t("Redo.")],
  ["Esc", t("Cancel a drag, or select nothing.")],
  ["?", t("Show this sheet.")],
];

export function makeHelp(tour: () => void, speak: (next: Language) => void): { toggle: () => void } {
  const list = h(
    "dl",
    {},
    ...KEYS.flatMap(([key, what]) => [
      h("dt", {}, ...key.split("  ").map((each) => h("kbd", {}, each))),
      h("dd", {}, what),
    ]),
  );
  const languages = select<Language>(
    t("Language"),
    () => Object.entries(LANGUAGES).map(([value, label]) => ({ value: value as Language, label })),
    () => language,
    speak,
  );
  languages.element.id = "language";
  languages.element.translate = false;
  const sheet: HTMLDialogElement = h(
    "dialog",
    { class: "sheet" },
    h(
      "header",
      {},
      h("h2", {}, t("Keys and gestures")),
      button({ icon: "close", title: t("Close"), class: "button small" }, () => sheet.close()),
    ),
    list,
    h(
      "footer",
      {},
      languages.element,
      button({ text: t("Show the five hints"), title: t("What there is to know first"), class: "button text" }, () => {
        sheet.close();
        tour();
      }),
      h("a", { href: "NOTICE.txt", target: "_blank", rel: "noopener" }, t("Licences")),
    ),
  );
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
  document.body.append(sheet);
  return { toggle: () => (sheet.open ? sheet.close() : sheet.showModal()) };
}

const HINTS: readonly { title: string; text: string; at: string }[] = [
  {
    title: t("Take a hand and pull"),
    text: t("Drag any joint, or the skin itself. The whole body follows, within human limits."),
    at: "view",
  },
  {
    title: t("The feet are pinned"),
    text: t("A double-click pins a joint or lets it go. Pinned joints stay where they are while you drag."),
    at: "view",
  },
  {
    title: t("Watch a solver work"),
    text: t("Choose CCD or FABRIK, switch on Slow motion, drag and let go: every iteration is shown."),
    at: "panel",
  },
  {
    title: t("Motion is editable"),
    text: t("Space plays. Stop anywhere, change the pose, and press K for a key."),
    at: "timeline",
  },
  {
    title: t("Bring your own"),
    text: t("Drop a BVH, GLB or rig JSON anywhere on the page. Nothing leaves your machine."),
    at: "view",
  },
];

/** The hints, one after the other, for who asks for them. */
export function makeTour(root: HTMLElement): { start: () => void } {
  const card = h("div", { class: "tour", role: "dialog", "aria-label": t("Hints"), hidden: true });
  root.append(card);

  function end() {
    card.hidden = true;
  }
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && !card.hidden) end();
  });
  function show(index: number) {
    const hint = HINTS[index];
    if (!hint) return end();
    card.hidden = false;
    card.dataset.at = hint.at;
    card.replaceChildren(
      h("strong", {}, hint.title),
      h("p", {}, hint.text),
      h(
        "footer",
        {},
        h("span", { class: "dots" }, ...HINTS.map((_, i) => h("i", { class: i === index ? "on" : "" }))),
        button({ text: t("Skip"), title: t("Close the hints"), class: "button text", id: "tour-skip" }, end),
        button(
          {
            text: index === HINTS.length - 1 ? t("Done") : t("Next"),
            title: t("The next hint"),
            class: "button primary",
          },
          () => show(index + 1),
        ),
      ),
    );
  }
  return { start: () => show(0) };
}
