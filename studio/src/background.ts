// SPDX-License-Identifier: Apache-2.0

// Work on another thread, one job at a time: a new one ends the one before.
import type { RetargetAnswer, RetargetJob } from "./retarget_job.js";
import type { WorkerMessage } from "./worker.js";

export class Background {
  #worker: Worker | null = null;
  #drop: (() => void) | null = null; // of the job under way

  /** The answer, or null where another job came in between. Rejects where the worker cannot work. */
  run(job: RetargetJob, progress: (fraction: number) => void): Promise<RetargetAnswer | null> {
    this.cancel();
    const worker = (this.#worker ??= new Worker("worker.js", { type: "module" }));
    return new Promise<RetargetAnswer | null>((resolve, reject) => {
      this.#drop = () => resolve(null);
      const fail = (reason: string) => {
        this.#stop();
        reject(new Error(reason));
      };
      worker.onerror = ({ message }) => fail(message || "the page's worker did not start");
      worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
        if ("fraction" in data) return progress(data.fraction);
        if ("failure" in data) return fail(data.failure);
        this.#drop = null;
        resolve(data.answer);
      };
      worker.postMessage(job);
    });
  }

  /** Ends the job under way, if there is one; its answer is null. */
  cancel() {
    const drop = this.#drop;
    if (!drop) return;
    this.#stop();
    drop();
  }

  #stop() {
    this.#worker?.terminate();
    this.#worker = this.#drop = null;
  }
}
