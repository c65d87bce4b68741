// SPDX-License-Identifier: Apache-2.0

// Keys of several moments at once, as a box on the timeline selects them: deleted, and moved together.
import type { Studio } from "../studio.js";
import { begin, type Change, type Command } from "./command.js";
import { keysOf, makeEditable } from "./keys.js";
import { t } from "../language.js";

export function eraseKeySpan(times: readonly number[], joint?: number): Command {
  return {
    name: t("Delete keys"),
    apply(character) {
      if (!character.clip) return;
      makeEditable(character);
      character.editKeys((clip) => {
        for (const time of times) clip.eraseKeysAt(time, keysOf(joint));
      });
      character.sample(Math.min(character.time, character.clip.duration));
    },
  };
}

/** Keys of some moments that are dragged along the timeline: as far as the first one can go, which is the start. */
export class KeySpanMove {
  #change: Change | null = null;
  #by = 0;

  constructor(
    private readonly studio: Studio,
    private readonly from: readonly number[], // in order
    private readonly joint?: number,
  ) {}

  /** Where the keys are. */
  get times(): readonly number[] {
    return this.from.map((time) => time + this.#by);
  }

  moveBy(by: number) {
    const next = Math.max(by, -(this.from[0] ?? 0));
    if (next === this.#by) return;
    // Not before they move: a click alone changes nothing.
    if (!this.#change) {
      this.#change = begin(this.studio, t("Move keys"));
      if (this.#change) makeEditable(this.#change.character);
    }
    // From the side that they go to, so that none takes the place of another on its way.
    const order = next > this.#by ? [...this.from].reverse() : this.from;
    this.#change?.character.editKeys((clip) => {
      for (const time of order) clip.moveKeysAt(time + this.#by, time + next, keysOf(this.joint));
    });
    this.#by = next;
  }

  finish() {
    const { character } = this.#change ?? {};
    if (character) character.sample(Math.min(character.time, character.clip?.duration ?? 0));
    this.#change?.finish();
  }
}
