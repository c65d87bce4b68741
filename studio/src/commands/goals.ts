// SPDX-License-Identifier: Apache-2.0

// Goals that are set by numbers or switches: a joint at a position, eyes on a point.
import type { Pose, Vec3 } from "@ulna/engine";
import type { Character } from "../character.js";
import { makeDrag } from "../dragging.js";
import { lookThere, pointAhead } from "../gaze.js";
import { messageOf, noteOf, type Message } from "../messages.js";
import type { Command } from "./command.js";
import { t } from "../language.js";

const MOST_PULLS = 200;

/** A joint goes to a position as if it were dragged there; a pin on it goes along. */
export function moveJoint(joint: number, target: Vec3): Command {
  return {
    name: t("Move joint"),
    apply(character, { solver }): Message | void {
      const grab = { joint, start: character.position(joint) };
      const made = makeDrag(character, { ...solver, watch: false }, grab);
      if (!made.ok) return messageOf(made.error, t("The joint was not moved"));
      const drag = made.value;
      character.solvePose((pose: Pose) => {
        for (let pulls = 0; pulls < MOST_PULLS && drag.solve(target, pose).more; ++pulls);
        lookThere(character, pose, joint);
      });
      const pin = character.pins.get(joint);
      if (pin) {
        const held = drag.movedPin({ joint, target: pin.target }, target, character.pose);
        character.setPin(joint, { ...pin, target: held.target, reached: held.reached });
      }
      drag.free();
    },
  };
}

/** The body looks at a point from now on, in front of it at first; or wherever its pose has it. */
export function toggleGaze(character: Character): Command {
  if (character.gaze) return { name: t("Look anywhere"), apply: (each) => each.setGaze(null) };
  return {
    name: t("Look at a point"),
    apply(each): Message | void {
      const ahead = pointAhead(each);
      if (!ahead) return noteOf(t("There is nothing to look with"), t("no head is known on this body"));
      each.setGaze(ahead);
      each.editPose((pose) => lookThere(each, pose));
    },
  };
}
