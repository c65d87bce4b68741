// SPDX-License-Identifier: Apache-2.0

// Poses to begin with, by their pictures: fetched when somebody opens them.
import { perform } from "../commands/command.js";
import { h, replace } from "../dom.js";
import { errorOf } from "../messages.js";
import { poseLibrary, takeLibraryPose } from "../pose_library.js";
import type { Studio } from "../studio.js";
import { t } from "../language.js";

export function makeLibrary(studio: Studio): HTMLElement {
  const list = h("div", { class: "kept bundled" });
  const element = h("details", { class: "library" }, h("summary", {}, t("Poses to begin with")), list);
  const show = async () => {
    const library = await poseLibrary();
    replace(
      list,
      ...library.poses.map((pose) =>
        h(
          "button",
          {
            ...{ type: "button", class: "kept-pose", title: t("Take the pose {name}", { name: t(pose.name) }) },
            onclick: () => perform(studio, takeLibraryPose(library, pose)),
          },
          h("img", { src: pose.picture, alt: "", height: 56 }),
          h("span", {}, t(pose.name)),
        ),
      ),
    );
  };
  element.addEventListener("toggle", () => {
    if (!element.open || list.childElementCount > 0) return;
    show().catch((error: unknown) =>
      studio.tell(errorOf(t("The poses could not be shown"), error instanceof Error ? error.message : String(error))),
    );
  });
  studio.bus.on("characters", () => (element.hidden = !studio.active || studio.active.planar));
  return element;
}
