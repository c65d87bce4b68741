// SPDX-License-Identifier: Apache-2.0

// After a drag that did not get there: says which pins were in the way, and offers to let them go.
import { perform } from "./commands/command.js";
import { unpin } from "./commands/holds.js";
import type { Problem } from "./comparing.js";
import { hinderingPins } from "./dragging.js";
import { noteOf } from "./messages.js";
import type { Studio } from "./studio.js";
import { listed, t } from "./language.js";

const MISSED = 0.03; // of the body's size: what is clearly seen

/** `missed` is how far the joint is from where the hand let go. */
export function sayWhatHinders(studio: Studio, { character, pose, grab, target }: Problem, missed: number) {
  if (missed < MISSED * character.size || character.pins.size === 0 || studio.solver.method !== "auto") return;
  // Not in the frame of the drag: it takes as long as several.
  setTimeout(() => {
    if (studio.active !== character) return;
    const pins = hinderingPins(character, studio.solver, pose, grab, target).filter((joint) =>
      character.pins.has(joint),
    );
    if (pins.length === 0) return;
    const { names } = character.skeleton;
    const held = listed(pins.map((joint) => names[joint] ?? ""));
    const count = pins.length;
    studio.tell({
      ...noteOf(
        t("{held} {count, plural, one {is} other {are}} pinned", { count, held }),
        t("that keeps {joint} from going there", { joint: names[Number(grab.joint)] ?? "" }),
      ),
      actions: [
        {
          text: t("{count, plural, one {Let it go} other {Let them go}}", { count }),
          act: () => perform(studio, unpin(pins)),
        },
      ],
    });
  });
}
