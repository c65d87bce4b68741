// SPDX-License-Identifier: Apache-2.0

// Work on another thread, one job at a time: a new one ends the one before.
import type { JobKind, Jobs, WorkerMessage } from "./jobs.js";

export class Background {
  #worker: Worker | null = null;
  #drop: (() => void) | null = null; // of the job under way

  constructor(private readonly script = "worker.js") {}

  /** The answer, or null where it was cancelled or another job came in between. Rejects where the worker cannot work. */
  run<K extends JobKind>(
    kind: K,
    job: Jobs[K][0],
    progress: (fraction: number) => void = () => {},
    moved: Transferable[] = [],
  ): Promise<Jobs[K][1] | null> {
    this.cancel();
    const worker = (this.#worker ??= new Worker(this.script, { type: "module" }));
    return new Promise<Jobs[K][1] | null>((resolve, reject) => {
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
        resolve(data.answer as Jobs[K][1]);
      };
      worker.postMessage({ kind, job }, moved);
    });
  }

  /** Ends the job under way, if there is one; its answer is null. */
  cancel() {
    const drop = this.#drop;
    if (!drop) return;
    this.#stop();
    drop();
  }

  /** Lets go of the thread and its memory until there is another job. */
  end() {
    this.cancel();
    this.#stop();
  }

  #stop() {
    this.#worker?.terminate();
    this.#worker = this.#drop = null;
  }
}
