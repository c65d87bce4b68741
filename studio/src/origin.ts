// SPDX-License-Identifier: Apache-2.0

// Where a clip comes from that another body's clip was made into. Nothing in it is ever changed.
import type { Clip, RetargetReport, Skeleton } from "@ulna/engine";
import type { SourceFile } from "./retarget_job.js";

/** What can be chosen of a retargeting. */
export interface RetargetSettings {
  readonly feet: "auto" | "lock" | "keep";
  readonly floor: boolean; // hands near the floor keep their height
  readonly pair: boolean; // hands near each other stay so
  readonly firstFrame: boolean; // the rest pose is the clip's first frame
}

export interface Origin {
  readonly file: SourceFile;
  readonly index: number; // of the clip in the file
  readonly skeleton: Skeleton; // of the file, as is the clip
  readonly clip: Clip;
  readonly settings: RetargetSettings;
  readonly report: RetargetReport;
  readonly targetFromSource: readonly number[]; // a matrix by columns
}

/** The moment of the source's clip that a moment of the made one shows. */
export function sourceTime({ clip, settings }: Origin, time: number): number {
  return settings.firstFrame ? time + clip.frameTime : time;
}
