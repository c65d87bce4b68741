// SPDX-License-Identifier: Apache-2.0

// The poses that come with the studio (tools/make-poses), for every body that is known: the bundled character takes
// them as they are, others as a motion of one frame.
import { POSE_STRIDE, type Document, type Pose, type Result } from "@ulna/engine";
import type { Character } from "./character.js";
import { takePose } from "./commands/pose.js";
import type { Command } from "./commands/command.js";
import { present, sameItems, sameNumbers } from "./lists.js";
import { messageOf, type Message } from "./messages.js";
import { t } from "./language.js";

/** Translation and rotation of the joints that are not at rest, by their names. */
export interface LibraryPose {
  readonly name: string;
  readonly joints: Readonly<Record<string, readonly number[]>>;
  readonly picture: string; // a data URL
}

export interface PoseLibrary {
  readonly rig: object; // of the body that the poses are of, as a rig file has it
  readonly poses: readonly LibraryPose[];
}

/** Gives the character a pose of the library, or says why it cannot take it. */
export function takeLibraryPose(library: PoseLibrary, { name, joints }: LibraryPose): Command {
  return {
    name: t(name),
    apply(character, studio): Message | void {
      const opened = character.engine.open(JSON.stringify(library.rig), "library.rig.json");
      if (!opened.ok) return messageOf(opened.error, t("The pose was not taken"));
      const found = poseOn(character, opened.value, joints);
      opened.value.free();
      if (!found.ok) return messageOf(found.error, t("{name} cannot take this pose", { name: character.name }));
      takePose(name, found.value).apply(character, studio);
      character.refreshPins();
    },
  };
}

function poseOn(character: Character, { skeleton }: Document, joints: LibraryPose["joints"]): Result<Pose> {
  const pose = skeleton.restPose();
  for (const [joint, transform] of Object.entries(joints)) pose.set(transform, POSE_STRIDE * skeleton.find(joint));
  if (sameItems(skeleton.names, character.skeleton.names) && sameNumbers(skeleton.restPose(), character.rest))
    return { ok: true, value: pose };
  const { engine, rest, meshes, limits } = character;
  const clip = engine.makeFrames(skeleton, [pose]);
  const target = { skeleton: character.skeleton, meshes, rest };
  const made = engine.retarget(clip, { skeleton }, target, { limits });
  clip.free();
  if (!made.ok) return made;
  const value = made.value.clip.sample(0);
  made.value.clip.free();
  return { ok: true, value };
}

let fetched: Promise<PoseLibrary> | null = null;

/** Fetched when it is asked for, once. */
export function poseLibrary(): Promise<PoseLibrary> {
  fetched ??= fetch("ulna-poses.json").then(async (response) => {
    if (!response.ok) throw new Error(`ulna-poses.json could not be fetched: ${response.status}`);
    return present((await response.json()) as PoseLibrary | null, "pose library");
  });
  fetched.catch(() => (fetched = null));
  return fetched;
}
