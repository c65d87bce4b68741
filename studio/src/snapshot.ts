// SPDX-License-Identifier: Apache-2.0

// Everything about a character that can be undone. Nothing in it is ever changed in place.
import type { Clip, Mesh, Pole, Pose, Quat, Vec3, Weights } from "@ulna/engine";
import { sameEntries, sameItems, sameNumbers } from "./lists.js";

export type LimitsMode = "own" | "anatomical" | "none";

/** A joint that is held at a position, and in an orientation where one is given. */
export interface Pin {
  readonly target: Vec3;
  readonly orientation: Quat | null;
  readonly reached: boolean; // not for a target that was out of reach when the pin was put there: others come first
}

/** A pose that was edited at a moment of a clip and not keyed: kept while other moments are shown. */
export interface Draft {
  readonly clip: Clip;
  readonly time: number;
  readonly pose: Pose;
}

export interface Snapshot {
  readonly pose: Pose;
  readonly drafts: readonly Draft[];
  readonly pins: ReadonlyMap<number, Pin>;
  readonly pinsStale: boolean;
  readonly poles: ReadonlyMap<number, Pole>; // by the middle of their limbs
  readonly locked: ReadonlySet<number>;
  readonly gaze: Vec3 | null; // the point that is looked at
  readonly clips: readonly Clip[];
  readonly clipIndex: number;
  readonly time: number;
  readonly meshes: readonly Mesh[];
  readonly weights: readonly Weights[];
  readonly limits: LimitsMode;
}

/** Whether undo would change anything: what is shown of a clip is no step of its own. */
export function sameSnapshot(a: Snapshot, b: Snapshot): boolean {
  return (
    sameNumbers(a.pose, b.pose) &&
    sameEntries(a.pins, b.pins) &&
    sameEntries(a.poles, b.poles) &&
    sameItems([...a.locked].sort(byValue), [...b.locked].sort(byValue)) &&
    a.gaze === b.gaze &&
    sameItems(a.clips, b.clips) &&
    sameItems(a.drafts, b.drafts) &&
    sameItems(a.meshes, b.meshes) &&
    sameItems(a.weights, b.weights) &&
    a.limits === b.limits
  );
}

const byValue = (a: number, b: number) => a - b;
