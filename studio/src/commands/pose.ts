// SPDX-License-Identifier: Apache-2.0

// Commands that change the pose.
import { POSE_STRIDE, type Pose } from "@ulna/engine";
import type { Character } from "../character.js";
import { messageOf, type Message } from "../messages.js";
import type { Command } from "./command.js";
import { t } from "../language.js";

/** Back to the clip at this time, or to rest. */
export const resetPose: Command = {
  name: t("Reset pose"),
  apply(character) {
    if (character.clip) character.sample(character.time);
    else character.editPose((pose) => pose.set(character.rest));
    character.refreshPins();
  },
};

export function resetJoint(joint: number): Command {
  const [from, to] = [POSE_STRIDE * joint, POSE_STRIDE * (joint + 1)];
  return {
    name: t("Reset joint"),
    apply: (character) => character.editPose((pose) => pose.set(unedited(character).subarray(from, to), from)),
  };
}

/** Each side takes the pose that the other had. */
export const mirrorPose: Command = {
  name: t("Mirror pose"),
  apply(character): Message | void {
    const mirrored = character.skeleton.mirrored(character.pose);
    if (!mirrored.ok) return messageOf(mirrored.error, t("The pose was not mirrored"));
    character.editPose((pose) => pose.set(mirrored.value));
  },
};

/** Takes over a pose that was found for it. */
export function takePose(name: string, found: Pose): Command {
  return { name, apply: (character) => character.editPose((pose) => pose.set(found)) };
}

function unedited({ clip, time, rest }: Character): Pose {
  return clip ? clip.sample(time) : rest;
}
