// SPDX-License-Identifier: Apache-2.0

// The iterations of one solve, to be watched one by one. The last one is the answer that was taken over.
import type { Pose, Trace } from "@ulna/engine";
import type { Bus } from "./bus.js";
import type { Character } from "./character.js";
import { itemAt } from "./lists.js";

const FEWEST_A_SECOND = 10;
const LONGEST = 5; // seconds that a trace takes, however long it is

/** What is watched at present. */
export interface Watched {
  readonly character: Character;
  readonly poses: readonly Pose[]; // the start, then the pose after each iteration
  readonly step: number; // iterations shown, with a fraction while it plays
  readonly playing: boolean;
}

export class TracePlayer {
  #watched: Watched | null = null;

  constructor(private readonly bus: Bus) {}

  get watched(): Watched | null {
    return this.#watched;
  }

  start(character: Character, { poses }: Trace) {
    this.#watched = { character, poses, step: 0, playing: true };
    this.bus.emit("report", "pose");
  }

  /** Shows the pose after so many iterations. */
  show(step: number, playing = false) {
    if (!this.#watched) return;
    const { character, poses } = this.#watched;
    const last = poses.length - 1;
    const shown = Math.min(Math.max(step, 0), last);
    this.#watched = { character, poses, step: shown, playing: playing && shown < last };
    character.solvePose((pose) => pose.set(itemAt(poses, Math.floor(shown))));
    this.bus.emit("report");
  }

  /** Goes on by so many seconds of the clock. */
  advance(seconds: number) {
    if (!this.#watched?.playing) return;
    const perSecond = Math.max(FEWEST_A_SECOND, this.#watched.poses.length / LONGEST);
    this.show(this.#watched.step + seconds * perSecond, true);
  }

  /** Shows the answer, and ends. */
  end() {
    if (!this.#watched) return;
    this.show(Infinity);
    this.drop();
  }

  /** Ends as it is: the character is no longer looked at. */
  drop() {
    if (!this.#watched) return;
    this.#watched = null;
    this.bus.emit("report");
  }
}
