// SPDX-License-Identifier: Apache-2.0

// Commands that change what holds a character: pins, locks, poles, limits.
import type { Character } from "../character.js";
import { messageOf, type Message } from "../messages.js";
import type { LimitsMode } from "../snapshot.js";
import type { Command } from "./command.js";
import { t } from "../language.js";

/** Pins a joint where it is, or lets it go. */
export function togglePin({ pins }: Character, joint: number): Command {
  return pins.has(joint)
    ? { name: t("Unpin"), apply: (character) => character.unpin(joint) }
    : {
        name: t("Pin"),
        apply(character) {
          character.refreshPins();
          character.pin(joint, false);
        },
      };
}

/** Lets several joints go at once. */
export function unpin(joints: readonly number[]): Command {
  return {
    name: t("Unpin"),
    apply(character) {
      for (const joint of joints) character.unpin(joint);
    },
  };
}

/** Whether a pinned joint keeps its orientation as well. */
export function togglePinOrientation(joint: number): Command {
  return {
    name: t("Hold orientation"),
    apply(character) {
      character.refreshPins();
      character.pin(joint, character.pins.get(joint)?.orientation === null);
    },
  };
}

/** Whether solvers leave a joint as it is. */
export function toggleLock({ locked }: Character, joint: number): Command {
  const lock = !locked.has(joint);
  return { name: lock ? t("Lock") : t("Unlock"), apply: (character) => character.setLocked(joint, lock) };
}

/** A pole for the limb whose middle is a joint, in front of where it bends now; or none any more. */
export function togglePole(joint: number): Command {
  return {
    name: t("Pole"),
    apply(character) {
      if (character.poles.has(joint)) return character.removePole(joint);
      const pole = character.skeleton.pole(character.pose, joint);
      if (pole) character.setPole(joint, pole);
    },
  };
}

/** Other limits; a pose that no clip gives is brought inside them. */
export function setLimits(limits: LimitsMode): Command {
  return {
    name: t("Limits"),
    apply(character): Message | void {
      const error = character.setLimits(limits);
      if (error) return messageOf(error, t("The limits stay as they were"));
      if (limits !== "none" && character.clip === null) character.editPose((pose) => character.stage.clamp(pose));
    },
  };
}
