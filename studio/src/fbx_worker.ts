// SPDX-License-Identifier: Apache-2.0

// FBX on another thread, in a script of its own: the page is small without it.
import type { WorkerMessage } from "./jobs.js";

// three.js's loader asks a page for images, which nobody looks at here.
const image = { addEventListener() {}, removeEventListener() {} };
Object.assign(globalThis, { window: globalThis, document: { createElementNS: () => ({ ...image }) } });

const page = globalThis as unknown as Pick<Worker, "postMessage" | "addEventListener">;
const say = (message: WorkerMessage, moved: Transferable[] = []) => page.postMessage(message, moved);

page.addEventListener("message", (event: MessageEvent<{ job: ArrayBuffer }>) => {
  void (async () => {
    try {
      const { readFbx } = await import("./fbx.js");
      const answer = await readFbx(event.data.job);
      say({ answer }, [answer.bytes]);
    } catch (error) {
      say({ failure: error instanceof Error ? error.message : String(error) });
    }
  })();
});
