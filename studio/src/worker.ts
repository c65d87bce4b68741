// SPDX-License-Identifier: Apache-2.0

// What takes longer than a frame, on another thread: an engine of its own does one job after the other.
import { createEngine } from "@ulna/engine";
import { runRetargetJob, type RetargetAnswer, type RetargetJob } from "./retarget_job.js";

/** What a worker says: how far it is, then the answer, or why there is none. */
export type WorkerMessage =
  | { readonly fraction: number }
  | { readonly answer: RetargetAnswer }
  | { readonly failure: string };

const page = globalThis as unknown as Pick<Worker, "postMessage" | "addEventListener">;
const engineComing = createEngine({ wasm: fetch("engine.wasm") });

page.addEventListener("message", (event: MessageEvent<RetargetJob>) => void work(event.data));

async function work(job: RetargetJob) {
  try {
    const answer = runRetargetJob(await engineComing, job, (fraction) => say({ fraction }));
    say({ answer }, answer.ok ? answer.value.map(({ poses }) => poses.buffer) : []);
  } catch (error) {
    say({ failure: error instanceof Error ? error.message : String(error) });
  }
}

function say(message: WorkerMessage, moved: Transferable[] = []) {
  page.postMessage(message, moved);
}
