// SPDX-License-Identifier: Apache-2.0

// One file becomes a document: a small one at once, a large one on another thread, by an engine of its own that comes
// over with all that it holds.
import type { Document, Engine, Result, Stage } from "@ulna/engine";
import { Background } from "./background.js";
import type { Busy } from "./reducing.js";
import { openFile, type SourceFile } from "./retarget_job.js";
import { copyInSteps, pause } from "./steps.js";
import { t } from "./language.js";

const LARGE = 1.5e6; // bytes, of which the engine reads 50 000 and more in a millisecond

/** What a file holds; a large one with its usual stage. */
export type Opened = Document & { readonly stage?: Stage };

/** What the file holds, or why it cannot be read; null where somebody cancelled it. */
export async function openDocument(engine: Engine, file: SourceFile, busy: Busy): Promise<Result<Opened> | null> {
  const parts = Object.entries(file.parts ?? {});
  const size = parts.reduce((sum, [, bytes]) => sum + bytes.byteLength, file.bytes.byteLength);
  if (size < LARGE) return openFile(engine, file);
  const worker = new Background();
  let stopped = false;
  const cancelled = () => stopped;
  const say = (text: string) =>
    busy(text, () => {
      stopped = true;
      worker.cancel();
    });
  say(t("Opening {name}", { name: file.name }));
  const copies: [string, ArrayBuffer][] = [];
  for (const [name, bytes] of parts) copies.push([name, await copyInSteps(bytes)]);
  const copy = { name: file.name, bytes: await copyInSteps(file.bytes), parts: Object.fromEntries(copies) };
  if (cancelled()) return null;
  const moved = [copy.bytes, ...copies.map(([, bytes]) => bytes)];
  const opened = await worker.run("open", { module: engine.module, file: copy }, () => {}, moved);
  worker.end();
  if (!opened?.ok) return opened;
  const document = await engine.receive(opened.value, {
    pause: (fraction) => {
      say(t("Opening {name} · {round} %", { name: file.name, round: Math.round(100 * fraction) }));
      return pause();
    },
  });
  if (!cancelled()) return { ok: true, value: document };
  document.free();
  return null;
}
