// SPDX-License-Identifier: Apache-2.0

// The help sheet, and five hints.
import { button, h } from "../dom.js";

const KEYS: readonly (readonly [string, string])[] = [
  ["Drag", "Move a joint; the body follows."],
  ["Double-click", "Pin or unpin a joint."],
  ["Drag empty space", "Rotate the view. The right button pans, the wheel zooms."],
  ["1  2  3", "Choose the tool: drag, rotate, paint."],
  ["Space", "Play or pause."],
  ["← →", "Go one frame back or forward."],
  ["Home  End", "Go to the start or to the end."],
  ["K", "Set a key at this time; on captured motion, in a layer."],
  ["Delete", "Delete the keys at this time, or those that are selected."],
  ["Shift+Drag", "On the timeline: select keys, to delete or move them together. The wheel zooms."],
  ["C", "Show the curves of the selected joint."],
  ["P  L", "Pin or lock the selected joint."],
  ["R", "Reset the pose."],
  ["M", "Mirror the pose."],
  ["Ctrl+C  Ctrl+V", "Copy and paste the pose, or a part of it."],
  ["F", "Bring the character into view."],
  ["S  W  B", "Show or hide the skin, the wireframe, the skeleton."],
  ["[  ]", "Make the brush smaller or larger."],
  ["O", "Open a file."],
  ["T", "Switch between light and dark."],
  ["Ctrl+S", "Save all as a project."],
  ["Ctrl+Z", "Undo."],
  ["Ctrl+Shift+Z", "Redo."],
  ["Esc", "Cancel a drag, or select nothing."],
  ["?", "Show this sheet."],
];

export function makeHelp(tour: () => void): { toggle: () => void } {
  const list = h(
    "dl",
    {},
    ...KEYS.flatMap(([key, what]) => [
      h("dt", {}, ...key.split("  ").map((each) => h("kbd", {}, each))),
      h("dd", {}, what),
    ]),
  );
  const sheet: HTMLDialogElement = h(
    "dialog",
    { class: "sheet" },
    h(
      "header",
      {},
      h("h2", {}, "Keys and gestures"),
      button({ icon: "close", title: "Close", class: "button small" }, () => sheet.close()),
    ),
    list,
    h(
      "footer",
      {},
      button({ text: "Show the five hints", title: "What there is to know first", class: "button text" }, () => {
        sheet.close();
        tour();
      }),
      h("a", { href: "NOTICE.txt", target: "_blank", rel: "noopener" }, "Licences"),
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
    title: "Take a hand and pull",
    text: "Drag any joint, or the skin itself. The whole body follows, within human limits.",
    at: "view",
  },
  {
    title: "The feet are pinned",
    text: "A double-click pins a joint or lets it go. Pinned joints stay where they are while you drag.",
    at: "view",
  },
  {
    title: "Watch a solver work",
    text: "Choose CCD or FABRIK, switch on Slow motion, drag and let go: every iteration is shown.",
    at: "panel",
  },
  {
    title: "Motion is editable",
    text: "Space plays. Stop anywhere, change the pose, and press K for a key.",
    at: "timeline",
  },
  {
    title: "Bring your own",
    text: "Drop a BVH, GLB or rig JSON anywhere on the page. Nothing leaves your machine.",
    at: "view",
  },
];

/** The hints, one after the other, for who asks for them. */
export function makeTour(root: HTMLElement): { start: () => void } {
  const card = h("div", { class: "tour", role: "dialog", "aria-label": "Hints", hidden: true });
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
        button({ text: "Skip", title: "Close the hints", class: "button text", id: "tour-skip" }, end),
        button(
          { text: index === HINTS.length - 1 ? "Done" : "Next", title: "The next hint", class: "button primary" },
          () => show(index + 1),
        ),
      ),
    );
  }
  return { start: () => show(0) };
}
