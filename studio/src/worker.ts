// SPDX-License-Identifier: Apache-2.0

// What takes longer than a frame, on another thread: an engine of its own does one job after the other.
import { createEngine, type Engine } from "@ulna/engine";
import { runJob, type JobMessage, type WorkerMessage } from "./jobs.js";

const page = globalThis as unknown as Pick<Worker, "postMessage" | "addEventListener">;
// Fetched when a job needs it, which not every one does.
let engine: Promise<Engine> | null = null;
const engineComing = () => (engine ??= createEngine({ wasm: fetch("engine.wasm") }));

page.addEventListener("message", (event: MessageEvent<JobMessage>) => void work(event.data));

async function work(message: JobMessage) {
  try {
    const { answer, moved } = await runJob(engineComing, message, (fraction) => say({ fraction }));
    say({ answer }, moved);
  } catch (error) {
    say({ failure: error instanceof Error ? error.message : String(error) });
  }
}

function say(message: WorkerMessage, moved: Transferable[] = []) {
  page.postMessage(message, moved);
}
