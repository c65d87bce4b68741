// SPDX-License-Identifier: Apache-2.0

// The moment shown: play, pause, seek. Every character goes along with the active one.
import type { Bus } from "./bus.js";
import type { Character } from "./character.js";

/** Whose motion is played. */
export interface Cast {
  readonly characters: readonly Character[];
  readonly active: Character | null;
}

export class Playback {
  #playing = false;
  #speed = 1;
  #loop = true;

  constructor(
    private readonly cast: Cast,
    private readonly bus: Bus,
  ) {}

  get playing(): boolean {
    return this.#playing;
  }
  get speed(): number {
    return this.#speed;
  }
  get loop(): boolean {
    return this.#loop;
  }

  setSpeed(speed: number) {
    this.#speed = speed;
    this.bus.emit("time");
  }

  setLoop(loop: boolean) {
    this.#loop = loop;
    this.bus.emit("time");
  }

  /** Shows another moment. Clips of other characters go round in it. */
  seek(time: number) {
    const { characters, active } = this.cast;
    const playing = this.#playing;
    this.bus.together(() => {
      for (const character of characters) {
        if (character === active) character.visit(time, { playing });
        else if (character.clip)
          character.visit(character.clip.duration > 0 ? time % character.clip.duration : 0, { playing });
      }
    });
  }

  /** Goes on by so many seconds of the clock. */
  advance(seconds: number) {
    const { active } = this.cast;
    const duration = active?.clip?.duration ?? 0;
    if (!active || duration <= 0) return this.pause();
    const time = active.time + seconds * this.#speed;
    if (time <= duration) return this.seek(time);
    if (!this.#loop) this.pause();
    this.seek(this.#loop ? time % duration : duration);
  }

  /** Plays, where there is something to play; from the start, where the end is shown. */
  play() {
    const { active } = this.cast;
    const duration = active?.clip?.duration ?? 0;
    if (!active || duration <= 0 || this.#playing) return;
    active.visit(active.time >= duration ? 0 : active.time, { playing: true });
    this.#playing = true;
    this.bus.emit("time", "pose");
  }

  pause() {
    if (!this.#playing) return;
    this.#playing = false;
    const { active } = this.cast;
    // Edits belong to frames, and so do keys.
    if (active?.clip) this.seek(Math.min(active.frameAt(active.time), active.clip.duration));
    this.bus.emit("time");
  }

  toggle() {
    if (this.#playing) this.pause();
    else this.play();
  }

  /** Steps by one frame. */
  step(direction: 1 | -1) {
    const { active } = this.cast;
    if (!active?.clip) return;
    this.pause();
    const frame = Math.round(active.time / active.frameTime) + direction;
    this.seek(Math.min(Math.max(frame * active.frameTime, 0), active.clip.duration));
  }
}
