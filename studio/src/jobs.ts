// SPDX-License-Identifier: Apache-2.0

// What can be done on another thread: each job as plain values, in and out.
import type { Engine, MovedDocument, Result } from "@ulna/engine";
import type { FbxContent } from "./fbx.js";
import { runExportJob, type ExportAnswer, type ExportJob } from "./model_export.js";
import { runOpenJob, type OpenJob } from "./open_job.js";
import { packProject, unpackProject, type PackedProject, type Unpacked } from "./project/pack.js";
import { runReduceJob, type ReduceAnswer, type ReduceJob } from "./reduce_job.js";
import { runRetargetJob, type RetargetAnswer, type RetargetJob } from "./retarget_job.js";

/** What goes in and what comes out, by the kind of a job. */
export interface Jobs {
  open: [OpenJob, Result<MovedDocument>];
  retarget: [RetargetJob, RetargetAnswer];
  reduce: [ReduceJob, ReduceAnswer];
  export: [ExportJob, ExportAnswer];
  pack: [PackedProject, Blob];
  unpack: [ArrayBuffer, Unpacked];
  fbx: [ArrayBuffer, FbxContent]; // in a worker of its own
}
export type JobKind = keyof Jobs;

/** What a worker is asked. */
export type JobMessage = { [K in JobKind]: { readonly kind: K; readonly job: Jobs[K][0] } }[JobKind];
/** What a worker says: how far it is, then the answer, or why there is none. */
export type WorkerMessage = { readonly fraction: number } | { readonly answer: unknown } | { readonly failure: string };

/** Does a job; `moved` are the buffers of the answer that may be handed over instead of copied. */
export async function runJob(
  engineComing: () => Promise<Engine>,
  message: JobMessage,
  progress: (fraction: number) => void,
): Promise<{ answer: unknown; moved: Transferable[] }> {
  switch (message.kind) {
    case "open": {
      const answer = await runOpenJob(message.job);
      return { answer, moved: answer.ok ? [...answer.value.pieces] : [] };
    }
    case "retarget": {
      const answer = runRetargetJob(await engineComing(), message.job, progress);
      return { answer, moved: answer.ok ? answer.value.map(({ poses }) => poses.buffer) : [] };
    }
    case "reduce": {
      const answer = runReduceJob(await engineComing(), message.job, progress);
      return { answer, moved: answer.ok ? [answer.value.bytes.buffer] : [] };
    }
    case "export": {
      const answer = await runExportJob(await engineComing(), message.job);
      return { answer, moved: answer.ok ? answer.value.map(({ bytes }) => bytes.buffer) : [] };
    }
    case "pack":
      return { answer: new Blob(packProject(message.job), { type: "application/json" }), moved: [] };
    case "fbx":
      throw new Error("FBX has a worker of its own");
    case "unpack": {
      const answer = unpackProject(message.job);
      return { answer, moved: answer.ok ? answer.value.blobs.map(([, bytes]) => bytes.buffer as ArrayBuffer) : [] };
    }
  }
}
