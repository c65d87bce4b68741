// SPDX-License-Identifier: Apache-2.0

// Commands that change a motion: keys set, moved and deleted. Clips that the history knows are never changed:
// each command makes a copy, which replaces the clip.
import type { Clip, Engine, Interpolation } from "@ulna/engine";
import type { Character } from "../character.js";
import { itemAt } from "../lists.js";
import { messageOf, type Message } from "../messages.js";
import type { Studio } from "../studio.js";
import { begin, type Change, type Command } from "./command.js";

/** A key of the whole pose, or of the given joint alone, at the present time. */
export function setKey(joint?: number): Command {
  return {
    name: "Set key",
    apply(character, { engine }) {
      const pose = character.pose.slice();
      makeEditable(engine, character);
      character.editKeys((clip) => clip.keyPose(character.time, pose, joint === undefined ? undefined : [joint]));
      character.sample(character.time);
    },
  };
}

export function eraseKeys(time: number, joint?: number): Command {
  return {
    name: "Delete keys",
    apply(character, { engine }) {
      if (!character.clip) return;
      makeEditable(engine, character);
      character.editKeys((clip) => clip.eraseKeysAt(time, keysOf(joint)));
      character.sample(Math.min(character.time, character.clip.duration));
    },
  };
}

export function setInterpolation(interpolation: Interpolation, joint?: number): Command {
  return {
    name: "Interpolation",
    apply(character, { engine }) {
      if (!character.clip) return;
      makeEditable(engine, character);
      character.editKeys((clip) => clip.setInterpolation(interpolation, joint));
      character.sample(character.time);
    },
  };
}

/** Few keys that give the same motion. */
export const reduceKeys: Command = {
  name: "Reduce keys",
  apply(character, studio): Message | void {
    const { clip } = character;
    if (!clip) return;
    const reduced = clip.reduced({ interpolation: "catmull-rom" });
    if (!reduced.ok) return messageOf(reduced.error, "The keys were not reduced");
    const { clip: made, report } = reduced.value;
    made.name = clip.name;
    character.replaceClip(clip, made);
    character.sample(character.time);
    studio.note(`${report.keys} keys`, `no joint is farther than ${report.worstError.toPrecision(2)} from the motion`);
  },
};

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
    this.#change.character.editKeys((clip) => clip.moveKeysAt(this.#time, time, keysOf(this.joint)));
    this.#time = time;
    this.studio.playback.seek(time);
  }

  finish() {
    this.#change?.finish();
  }

  #begin(): Change | null {
    const before = this.studio.active?.clip;
    const change = before ? begin(this.studio, "Move keys") : null;
    if (!before || !change) return null;
    const { character } = change;
    const clip = makeEditable(this.studio.engine, character);
    // Where a dense motion became one of few keys, the one that was taken has to be among them.
    if (clip.keyCount !== before.keyCount) {
      const joints = this.joint === undefined ? undefined : [this.joint];
      character.editKeys(() => clip.keyPose(this.#time, before.sample(this.#time), joints));
    }
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
      this.#change = begin(this.studio, "Edit key");
      if (this.#change) makeEditable(this.studio.engine, this.#change.character);
    }
    if (!this.#change) return;
    const { character } = this.#change;
    const { joint } = itemAt(character.stage.skeleton.dofs, this.dof);
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

/** Replaces the clip shown by a copy whose keys can be edited; makes a clip where there is none. */
export function makeEditable(engine: Engine, character: Character): Clip {
  const { clip } = character;
  const edited = clip?.form === "keys" && clip !== character.original;
  const made = clip
    ? edited
      ? clip.clone()
      : clip.editable()
    : engine.makeClip(character.skeleton, { name: "new motion", pose: character.rest });
  if (clip) character.replaceClip(clip, made);
  else character.addClip(made);
  return made;
}

export const keysOf = (joint?: number) => (joint === undefined ? {} : { joint });
