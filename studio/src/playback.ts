// SPDX-License-Identifier: Apache-2.0

// The moment shown: play, pause, seek. Every character goes along with the active one.
import type { Bus } from "./bus.js";
import type { Character } from "./character.js";

const USUAL_STEP = 1 / 30; // seconds, of clips that have no frames

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
    this.bus.together(() => {
      for (const character of characters) {
        if (character === active) character.sample(time);
        else if (character.clip) character.sample(character.clip.duration > 0 ? time % character.clip.duration : 0);
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
    if (active.time >= duration) active.sample(0);
    this.#playing = true;
    this.bus.emit("time", "pose");
  }

  pause() {
    if (!this.#playing) return;
    this.#playing = false;
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
    const { frameTime, duration } = active.clip;
    const step = frameTime > 0 ? frameTime : USUAL_STEP;
    const frame = Math.round(active.time / step) + direction;
    this.seek(Math.min(Math.max(frame * step, 0), duration));
  }
}
