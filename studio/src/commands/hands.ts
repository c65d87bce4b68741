// SPDX-License-Identifier: Apache-2.0

// Commands that pose the fingers of a hand.
import type { HandShape } from "@ulna/engine";
import type { Character } from "../character.js";
import { messageOf, type Message } from "../messages.js";
import type { Command } from "./command.js";
import { HAND_WORDS } from "../words.js";
import { t } from "../language.js";

export type HandSide = "left" | "right";

/** How a hand should be held: one of the engine's shapes, or all fingers alike. */
export type HandTarget = HandShape | { curl: number; spread: number; oppose: number };

/** Poses a hand; the answer says why it cannot be. */
export function holdHand(character: Character, side: HandSide, how: HandTarget): Message | void {
  const held = character.editPose((pose) => character.skeleton.poseHand(pose, side, how));
  if (!held.ok)
    return messageOf(
      held.error,
      side === "left" ? t("The left hand was not posed") : t("The right hand was not posed"),
    );
}

export function shapeHand(side: HandSide, shape: HandShape): Command {
  return {
    name: t("Hand: {shape}", { shape: HAND_WORDS[shape] }),
    apply: (character) => holdHand(character, side, shape),
  };
}
