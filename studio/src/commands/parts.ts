// SPDX-License-Identifier: Apache-2.0

// Poses and parts of them copied, pasted, mirrored and reset. A part is an arm, a leg or the middle of the body, as the
// engine finds it by a joint of it.
import { POSE_STRIDE, type Pose } from "@ulna/engine";
import type { Character } from "../character.js";
import { errorOf, messageOf, type Message } from "../messages.js";
import type { Command } from "./command.js";
import { t } from "../language.js";

/** What was copied: transforms of joints by their names, so that another character with these names can have them. */
export interface PoseCopy {
  readonly from: string; // the name of the character
  readonly joints: ReadonlyMap<string, readonly number[]>;
}

/** The joints of the part that a joint belongs to; all of them without one. */
function jointsOf({ skeleton }: Character, part: number | null): readonly number[] {
  return part === null ? [...skeleton.names.keys()] : skeleton.part(part);
}

export function copyPose(character: Character, part: number | null): PoseCopy {
  const { pose, skeleton, name } = character;
  const entry = (joint: number) => [...pose.subarray(POSE_STRIDE * joint, POSE_STRIDE * (joint + 1))];
  return {
    from: name,
    joints: new Map(jointsOf(character, part).map((joint) => [skeleton.names[joint] ?? "", entry(joint)])),
  };
}

export function pastePose(copy: PoseCopy): Command {
  return {
    name: t("Paste pose"),
    apply(character): Message | void {
      const found = [...copy.joints].filter(([name]) => character.skeleton.find(name) >= 0);
      if (found.length === 0) {
        const what = t("no joint of {from} has a name that {name} has", { from: copy.from, name: character.name });
        return errorOf(t("The pose was not pasted"), what, {
          advice: t("paste it on a character with the same joints"),
        });
      }
      character.editPose((pose) => {
        for (const [name, transform] of found) pose.set(transform, POSE_STRIDE * character.skeleton.find(name));
      });
    },
  };
}

/** The other arm or leg does what the one of a joint does. */
export function mirrorPart(joint: number): Command {
  return {
    name: t("Mirror part"),
    apply(character): Message | void {
      const done = character.editPose((pose) => character.skeleton.mirrorPart(pose, joint));
      if (!done.ok) return messageOf(done.error, t("The part was not mirrored"));
    },
  };
}

/** A part returns to the clip, or to the rest pose. */
export function resetPart(joint: number): Command {
  return {
    name: t("Reset part"),
    apply(character) {
      const source: Pose = character.clip ? character.clip.sample(character.time) : character.rest;
      character.editPose((pose) => {
        for (const each of jointsOf(character, joint)) {
          const [from, to] = [POSE_STRIDE * each, POSE_STRIDE * (each + 1)];
          pose.set(source.subarray(from, to), from);
        }
      });
    },
  };
}
