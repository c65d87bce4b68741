// SPDX-License-Identifier: Apache-2.0

// One retargeting as plain values, in and out: so that a worker with an engine of its own can do it.
import type { Contacts, Diagnostic, Engine, Pose, RetargetOptions, RetargetReport, Result, Soles } from "@ulna/engine";
import type { Document } from "@ulna/engine";
import { itemAt } from "./lists.js";

/** A file as it was opened. */
export interface SourceFile {
  readonly name: string;
  readonly bytes: ArrayBuffer;
  readonly parts?: Record<string, ArrayBuffer>; // buffers and images that belong to it alone, by the names it has for them
}

/** What the file holds. */
export function openFile(engine: Engine, { name, bytes, parts }: SourceFile): Result<Document> {
  return engine.open(bytes, name, parts ? { files: parts } : {});
}

export interface RetargetJob {
  readonly source: SourceFile;
  readonly clips: readonly number[]; // of the source
  readonly firstFrame: boolean; // whether the rest pose is the first frame, which is then no part of the motion
  readonly target: { readonly rig: Uint8Array; readonly rest: Pose; readonly soles: Soles };
  readonly options: RetargetOptions;
}

export interface RetargetedFrames {
  readonly frameTime: number;
  readonly poses: Float64Array; // one behind the other
  readonly report: RetargetReport;
  readonly contacts: Contacts;
  readonly targetFromSource: readonly number[];
  readonly warnings: readonly Diagnostic[];
}

/** One for each clip. */
export type RetargetAnswer = Result<readonly RetargetedFrames[]>;

export function runRetargetJob(
  engine: Engine,
  job: RetargetJob,
  progress: (fraction: number) => void = () => {},
): RetargetAnswer {
  const { source, target } = job;
  const from = openFile(engine, source);
  if (!from.ok) return from;
  const to = engine.open(target.rig, "target.rig.json");
  if (!to.ok) {
    from.value.free();
    return to;
  }
  const out: RetargetedFrames[] = [];
  let error: Diagnostic | null = null;
  for (const [i, index] of job.clips.entries()) {
    const made = retargetOne(engine, job, from.value, index, to.value, (fraction) =>
      progress((i + fraction) / job.clips.length),
    );
    if (made.ok) out.push(made.value);
    else error ??= made.error;
  }
  from.value.free();
  to.value.free();
  return error ? { ok: false, error } : { ok: true, value: out };
}

function retargetOne(
  engine: Engine,
  { firstFrame, target, options }: RetargetJob,
  source: Document,
  index: number,
  { skeleton }: Document,
  progress: (fraction: number) => void,
): Result<RetargetedFrames> {
  const whole = itemAt(source.clips, index);
  const cut = firstFrame && whole.duration > whole.frameTime ? whole.trimmed(whole.frameTime, whole.duration) : null;
  if (cut && !cut.ok) return cut;
  const made = engine.retarget(
    cut?.value ?? whole,
    { skeleton: source.skeleton, meshes: source.meshes, ...(firstFrame ? { rest: whole.sample(0) } : {}) },
    { skeleton, rest: target.rest, soles: target.soles },
    { ...options, progress: (fraction) => progress(fraction) },
  );
  cut?.value.free();
  if (!made.ok) return made;
  const { clip, ...described } = made.value;
  const size = target.rest.length;
  const poses = new Float64Array(size * clip.frameCount);
  for (let frame = 0; frame < clip.frameCount; ++frame)
    clip.sample(frame * clip.frameTime, poses.subarray(frame * size, (frame + 1) * size));
  const { frameTime } = clip;
  clip.free();
  return { ok: true, value: { ...described, frameTime, poses } };
}
