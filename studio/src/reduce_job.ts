// SPDX-License-Identifier: Apache-2.0

// Few keys for a dense clip, as plain values in and out: so that a worker with an engine of its own can do it.
import type { Engine, ReduceReport, Result } from "@ulna/engine";

export interface ReduceJob {
  readonly rig: Uint8Array; // the skeleton, as a rig file
  readonly clip: Uint8Array; // as Clip.bytes gives it
}

export type ReduceAnswer = Result<{ readonly bytes: Uint8Array; readonly report: ReduceReport }>;

export function runReduceJob(
  engine: Engine,
  job: ReduceJob,
  progress: (fraction: number) => void = () => {},
): ReduceAnswer {
  const opened = engine.open(job.rig, "body.rig.json");
  if (!opened.ok) return opened;
  const { skeleton } = opened.value;
  const clip = engine.readClip(skeleton, job.clip);
  // Captured motion is rough at the scale of the tolerance: smooth curves need as many keys, and far longer to find.
  const reduced = clip.ok ? clip.value.reduced({ interpolation: "linear", progress }) : clip;
  if (clip.ok) clip.value.free();
  const answer: ReduceAnswer = reduced.ok
    ? { ok: true, value: { bytes: reduced.value.clip.bytes(), report: reduced.value.report } }
    : reduced;
  if (reduced.ok) reduced.value.clip.free();
  opened.value.free();
  return answer;
}
