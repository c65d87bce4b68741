// SPDX-License-Identifier: Apache-2.0

// Commands that change a motion: keys set, moved and deleted. Clips that the history knows are never changed:
// each command makes a copy, which replaces the clip.
import type { Clip, Interpolation } from "@ulna/engine";
import type { Character } from "../character.js";
import { itemAt } from "../lists.js";
import { noteOf, type Message } from "../messages.js";
import type { Studio } from "../studio.js";
import { begin, type Change, type Command } from "./command.js";
import { eraseLayerKey, isLayered, keyLayer, moveLayerKey } from "./layers.js";
import { t } from "../language.js";

/**
 * A key of the whole pose, or of the given joint alone, at the frame that is shown. On a dense motion it is a key of a
 * layer, and the motion below stays as it is.
 */
export function setKey(joint?: number): Command {
  return { name: t("Set key"), apply: (character) => keyPose(character, joint) };
}

/** Keys the pose that is shown. */
export function keyPose(character: Character, joint?: number) {
  const pose = character.pose.slice();
  const time = character.frameAt(character.time);
  if (isLayered(character.clip)) {
    keyLayer(character, time, pose, joint);
  } else {
    makeEditable(character);
    character.editKeys((clip) => clip.keyPose(time, pose, joint === undefined ? undefined : [joint]));
  }
  character.sample(time);
}

export function eraseKeys(time: number, joint?: number): Command {
  return {
    name: t("Delete keys"),
    apply(character): Message | void {
      const { clip } = character;
      if (!clip) return;
      if (isLayered(clip)) {
        if (clip.layers.length === 0) return noteOf(t("No key was deleted"), DENSE);
        eraseLayerKey(character, time);
      } else {
        makeEditable(character);
        character.editKeys((each) => each.eraseKeysAt(time, keysOf(joint)));
      }
      character.sample(Math.min(character.time, character.clip?.duration ?? 0));
    },
  };
}

export function setInterpolation(interpolation: Interpolation, joint?: number): Command {
  return {
    name: t("Interpolation"),
    apply(character): Message | void {
      if (!character.clip) return;
      if (isLayered(character.clip))
        return noteOf(
          t("The interpolation stays as it is"),
          t("this motion has a value in every frame; reduce it to few keys first"),
        );
      makeEditable(character);
      character.editKeys((clip) => clip.setInterpolation(interpolation, joint));
      character.sample(character.time);
    },
  };
}

const DENSE = t("this motion has a value in every frame");

/** The times of the keys that can be moved: of a joint or of all, and of the layer on top where there is one. */
export function keyTimesOf(clip: Clip | null, joint?: number): Float64Array {
  if (!clip) return new Float64Array(0);
  const top = clip.layers.at(-1);
  if (top) return Float64Array.from(top.keys, ({ time }) => time);
  return isLayered(clip) ? new Float64Array(0) : keyTimesOfTracks(clip, joint);
}

function keyTimesOfTracks(clip: Clip, joint?: number): Float64Array {
  return clip.form === "keys" ? clip.keyTimes(joint) : new Float64Array(0);
}

/** Takes over a clip that was made for the character, and shows its start. */
export function takeClip(name: string, clip: Clip): Command {
  return {
    name,
    apply(character) {
      character.addClip(clip);
      character.sample(0);
    },
  };
}

/** Takes over clips that were made for the character, and shows the start of one of them. */
export function takeClips(name: string, clips: readonly Clip[], shown: number): Command {
  return {
    name,
    apply(character) {
      const first = character.clips.length;
      for (const clip of clips) character.addClip(clip);
      character.chooseClip(first + shown);
    },
  };
}

/** Another clip in the place of one, at the same time. */
export function exchangeClip(name: string, clip: Clip, by: Clip): Command {
  return {
    name,
    apply(character) {
      character.replaceClip(clip, by);
      character.sample(Math.min(character.time, character.clip?.duration ?? 0));
    },
  };
}

/** Keys of a moment that are dragged along the timeline: all of them, or those of a joint. */
export class KeyMove {
  #change: Change | null = null;
  #time: number;

  constructor(
    private readonly studio: Studio,
    time: number,
    private readonly joint?: number,
  ) {
    this.#time = time;
  }

  /** Where the keys are. */
  get time(): number {
    return this.#time;
  }

  moveTo(time: number) {
    // Not before it moves: a click alone changes nothing.
    this.#change ??= this.#begin();
    if (!this.#change) return;
    const { character } = this.#change;
    if (isLayered(character.clip)) moveLayerKey(character, this.#time, time);
    else character.editKeys((clip) => clip.moveKeysAt(this.#time, time, keysOf(this.joint)));
    this.#time = time;
    this.studio.playback.seek(time);
  }

  finish() {
    this.#change?.finish();
  }

  #begin(): Change | null {
    const change = this.studio.active?.clip ? begin(this.studio, t("Move keys")) : null;
    const character = change?.character;
    if (!character || isLayered(character.clip)) return change;
    const clip = makeEditable(character);
    // All that moves goes along, also joints whose keys are at other times: the pose is what is dragged.
    const joints = this.joint === undefined ? [...new Set(clip.tracks().map(({ joint }) => joint))] : [this.joint];
    character.editKeys(() => clip.keyPose(this.#time, clip.sample(this.#time), joints));
    return change;
  }
}

/** A key of one degree of freedom that is dragged in the curves: along, up and down. */
export class KeyEdit {
  #change: Change | null = null;
  #time: number;

  constructor(
    private readonly studio: Studio,
    time: number,
    private readonly dof: number,
  ) {
    this.#time = time;
  }

  /** Where the key is. */
  get time(): number {
    return this.#time;
  }

  moveTo(time: number, value: number) {
    // Not before it moves: a click alone changes nothing.
    if (!this.#change) {
      this.#change = begin(this.studio, t("Edit key"));
      const begun = this.#change?.character;
      if (begun && !isLayered(begun.clip)) makeEditable(begun);
    }
    if (!this.#change) return;
    const { character } = this.#change;
    const { joint } = itemAt(character.stage.skeleton.dofs, this.dof);
    if (character.clip && isLayered(character.clip)) {
      if (time !== this.#time) moveLayerKey(character, this.#time, time);
      const pose = character.clip.sample(time);
      character.stage.setDof(pose, this.dof, value);
      keyLayer(character, time, pose, joint);
      this.#time = time;
      this.studio.playback.seek(time);
      return;
    }
    character.editKeys((clip) => {
      if (time !== this.#time) clip.moveKeysAt(this.#time, time, { joint });
      const pose = clip.sample(time);
      character.stage.setDof(pose, this.dof, value);
      clip.keyPose(time, pose, [joint]);
    });
    this.#time = time;
    this.studio.playback.seek(time);
  }

  finish() {
    this.#change?.finish();
  }
}

/** Replaces the clip shown by a copy whose keys can be edited, at the same frame rate; makes a clip where there is none. */
export function makeEditable(character: Character): Clip {
  const { clip, engine, frameTime } = character;
  const made = clip
    ? clip.form === "keys"
      ? clip.clone()
      : clip.keyed()
    : engine.makeClip(character.skeleton, { name: t("new motion"), pose: character.rest });
  made.setFrameRate(1 / frameTime);
  if (clip) character.replaceClip(clip, made);
  else character.addClip(made);
  return made;
}

export const keysOf = (joint?: number) => (joint === undefined ? {} : { joint });
