// SPDX-License-Identifier: Apache-2.0

// Commands that change what holds a character: pins, locks, poles, limits.
import type { Vec3 } from "@ulna/engine";
import type { Character } from "../character.js";
import { itemAt } from "../lists.js";
import { messageOf, type Message } from "../messages.js";
import type { LimitsMode } from "../snapshot.js";
import type { Command } from "./command.js";

/** Pins a joint where it is, or lets it go. */
export function togglePin({ pins }: Character, joint: number): Command {
  return pins.has(joint)
    ? { name: "Unpin", apply: (character) => character.unpin(joint) }
    : {
        name: "Pin",
        apply(character) {
          character.refreshPins();
          character.pin(joint, false);
        },
      };
}

/** Whether a pinned joint keeps its orientation as well. */
export function togglePinOrientation(joint: number): Command {
  return {
    name: "Hold orientation",
    apply(character) {
      character.refreshPins();
      character.pin(joint, character.pins.get(joint)?.orientation === null);
    },
  };
}

/** Whether solvers leave a joint as it is. */
export function toggleLock({ locked }: Character, joint: number): Command {
  const lock = !locked.has(joint);
  return { name: lock ? "Lock" : "Unlock", apply: (character) => character.setLocked(joint, lock) };
}

/** The limb whose middle is a joint; null where none is. */
export function limbAround({ skeleton, planar }: Character, joint: number): { start: number; end: number } | null {
  const { parent, children } = itemAt(skeleton.joints, joint);
  const [end] = children;
  return parent < 0 || end === undefined || planar ? null : { start: parent, end };
}

/** A pole for the limb whose middle is a joint, in front of where it bends now; or none any more. */
export function togglePole(joint: number): Command {
  return {
    name: "Pole",
    apply(character) {
      if (character.poles.has(joint)) return character.removePole(joint);
      const limb = limbAround(character, joint);
      if (limb) character.setPole(joint, { ...limb, target: poleTarget(character, limb, joint) });
    },
  };
}

function poleTarget(character: Character, limb: { start: number; end: number }, joint: number): Vec3 {
  const [start, middle, end] = [limb.start, joint, limb.end].map((each) => character.position(each)) as [
    Vec3,
    Vec3,
    Vec3,
  ];
  const length = Math.hypot(start[0] - end[0], start[1] - end[1], start[2] - end[2]);
  const bend = middle.map((value, i) => value - (itemAt(start, i) + itemAt(end, i)) / 2);
  // A straight limb bends nowhere: its pole is in front of the body.
  const straight = Math.hypot(...bend) < 1e-3 * length;
  const away = straight ? (character.skeleton.up === "z" ? [0, -1, 0] : [0, 0, 1]) : bend;
  const scale = length / Math.max(Math.hypot(...away), 1e-9);
  const along = (i: 0 | 1 | 2) => middle[i] + itemAt(away, i) * scale;
  return [along(0), along(1), along(2)];
}

/** Other limits; a pose that no clip gives is brought inside them. */
export function setLimits(limits: LimitsMode): Command {
  return {
    name: "Limits",
    apply(character): Message | void {
      const error = character.setLimits(limits);
      if (error) return messageOf(error, "The limits stay as they were");
      if (limits !== "none" && character.clip === null) character.editPose((pose) => character.stage.clamp(pose));
    },
  };
}
