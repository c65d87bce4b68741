// SPDX-License-Identifier: Apache-2.0

// The pose: of the whole body or of a part of it copied, pasted, mirrored and reset; poses that were kept; how a dragged
// body follows.
import { perform } from "../commands/command.js";
import { toggleGaze } from "../commands/goals.js";
import { copyPose, mirrorPart, pastePose, resetPart, type PoseCopy } from "../commands/parts.js";
import { mirrorPose, resetPose } from "../commands/pose.js";
import { button, h, replace, segment, toggle } from "../dom.js";
import { takePicture } from "../film/film.js";
import type { Studio } from "../studio.js";
import type { Viewport } from "../view/viewport.js";
import { makeFollowControls } from "./follow_controls.js";
import { makeLibrary } from "./library_panel.js";
import { section } from "./panel.js";
import { t } from "../language.js";

const THUMBNAIL = 96; // pixels
const PICTURE = {
  width: THUMBNAIL,
  height: THUMBNAIL,
  framing: "close",
  clear: true,
  grid: false,
  shadow: false,
} as const;

type Scope = "body" | "part";

/** A pose that was kept while the page is open. */
interface KeptPose {
  readonly name: string;
  readonly copy: PoseCopy;
  readonly url: string; // of its picture
}

export interface PoseActions {
  readonly copy: () => void;
  readonly paste: () => void;
}

export function makePosePanel(studio: Studio, view: Viewport): { element: HTMLElement; actions: PoseActions } {
  let scope: Scope = "body";
  let copied: PoseCopy | null = null;
  let kept: readonly KeptPose[] = [];
  /** The joint whose part is meant; null for the whole body. */
  const part = () => (scope === "part" && studio.selected >= 0 ? studio.selected : null);
  const scopes = segment<Scope>(
    t("What is copied, mirrored and reset"),
    [
      { value: "body", label: t("Whole body"), title: t("Copy, mirror and reset the whole body") },
      { value: "part", label: t("Part"), title: t("Copy, mirror and reset the arm or leg of the selected joint") },
    ],
    () => scope,
    (value) => {
      scope = value;
      refresh();
    },
  );
  const act = (text: string, title: string, run: () => void) => button({ text, title, class: "button text" }, run);
  const copy = act(t("Copy"), t("Copy the pose (Ctrl+C)"), () => actions.copy());
  const paste = act(t("Paste"), t("Paste the pose that was copied (Ctrl+V)"), () => actions.paste());
  const mirror = act(t("Mirror"), t("Exchange left and right (M); of a part, the other side does the same"), () => {
    const joint = part();
    perform(studio, joint === null ? mirrorPose : mirrorPart(joint));
  });
  const reset = act(t("Reset"), t("Return to the clip, or to the rest pose (R)"), () => {
    const joint = part();
    perform(studio, joint === null ? resetPose : resetPart(joint));
  });
  const symmetric = toggle(
    t("Symmetric"),
    t("A dragged arm or leg takes the other one along, as in a mirror"),
    () => studio.solver.symmetric,
    (on) => studio.setSolver({ symmetric: on }),
  );
  const gaze = toggle(
    t("Look at a point"),
    t("The head and the eyes turn to a point, which you drag"),
    () => studio.active?.gaze != null,
    () => {
      if (studio.active) perform(studio, toggleGaze(studio.active));
      gaze.refresh();
    },
  );
  const list = h("div", { class: "kept own" });
  const keep = act(t("Keep pose"), t("Keep this pose with a picture, until the page is closed"), () => void keepPose());
  const actions: PoseActions = {
    copy: () => {
      if (!studio.active) return;
      copied = copyPose(studio.active, part());
      studio.note(part() === null ? t("The pose was copied") : t("The part was copied"));
      refresh();
    },
    paste: () => {
      if (copied) perform(studio, pastePose(copied));
    },
  };

  async function keepPose() {
    const { active } = studio;
    if (!active) return;
    const copy = copyPose(active, null);
    const url = URL.createObjectURL(await takePicture(view, PICTURE));
    kept = [...kept, { name: t("Pose {index}", { index: kept.length + 1 }), copy, url }];
    refresh();
  }

  function thumbnail(pose: KeptPose): HTMLElement {
    const picture = h("img", { src: pose.url, alt: "", width: THUMBNAIL / 2, height: THUMBNAIL / 2 });
    return h(
      "button",
      {
        type: "button",
        class: "kept-pose",
        title: t("Take {name}, of {from}", { name: pose.name, from: pose.copy.from }),
        onclick: () => perform(studio, pastePose(pose.copy)),
      },
      picture,
      h("span", {}, pose.name),
    );
  }

  function refresh() {
    const needsJoint = scope === "part" && studio.selected < 0;
    for (const each of [copy, mirror, reset]) each.disabled = !studio.active || needsJoint;
    paste.disabled = copied === null || !studio.active;
    scopes.refresh();
    symmetric.refresh();
    gaze.refresh();
    if (list.childElementCount !== kept.length) replace(list, ...kept.map(thumbnail));
    list.hidden = kept.length === 0;
  }
  studio.bus.on(["selection", "characters", "goals", "tool"], refresh);
  queueMicrotask(refresh);
  const element = section(
    "Pose",
    true,
    scopes.element,
    h("div", { class: "buttons" }, copy, paste, mirror, reset),
    h("div", { class: "toggles" }, symmetric.element, gaze.element),
    makeLibrary(studio),
    list,
    keep,
    ...makeFollowControls(studio),
  );
  return { element, actions };
}
