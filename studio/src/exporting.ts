// SPDX-License-Identifier: Apache-2.0

// Files out: BVH, GLB, rig JSON, a picture, a looping film.
import type { Character } from "./character.js";
import { errorOf, messageOf } from "./messages.js";
import { baseName, type ExportAnswer, type ModelFormat } from "./model_export.js";
import { inPageWords } from "./page_words.js";
import type { ExportContent, Studio } from "./studio.js";
import type { Viewport } from "./view/viewport.js";

export type Format = "bvh" | "glb" | "rig" | "png" | "webm";

export interface ExportAsker {
  /** What a file holds; null where nothing is chosen. */
  askExport(question: { clip: string }): Promise<ExportContent | null>;
  /** Writes the active character's files on another thread. */
  write(format: ModelFormat, content: ExportContent): Promise<ExportAnswer | null>;
}

export async function exportAs(studio: Studio, view: Viewport, format: Format, asker: ExportAsker): Promise<void> {
  const character = studio.active;
  if (!character) return;
  const name = baseName(character);
  if (format === "png") return download(await picture(view), `${name}.png`);
  if (format === "webm") return film(studio, view, character, `${name}.webm`);
  const content = await contentOf(studio, character, asker);
  if (content === null) return;
  const about = { pose: "the pose on screen", motion: "the motion", both: "the pose on screen and the motion" };
  const answer = await asker.write(format, content);
  if (!answer) return;
  if (!answer.ok) return studio.tell(messageOf(answer.error, "Nothing was exported"));
  for (const file of answer.value) {
    download(new Blob([file.bytes], { type: file.type }), file.name);
    studio.note(
      `Exported ${file.name}`,
      [about[content], ...file.warnings.map(({ what }) => inPageWords(what))].join("; "),
    );
  }
}

/** Asked once, where there is a pose and a motion. */
async function contentOf(studio: Studio, character: Character, asker: ExportAsker): Promise<ExportContent | null> {
  if (!character.clip) return "pose";
  const known = studio.keeping.exports;
  if (known !== "ask") return known;
  const chosen = await asker.askExport({ clip: character.clip.name || "that is shown" });
  if (chosen) studio.setKeeping({ exports: chosen });
  return chosen;
}

export function download(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

async function picture(view: Viewport): Promise<Blob> {
  // Drawn and read in one go: the browser clears the canvas afterwards.
  view.drawNow();
  return new Promise((resolve, reject) =>
    view.scene.canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the canvas could not be read"))),
      "image/png",
    ),
  );
}

const LONGEST_FILM = 12; // seconds
const FEWEST_FRAMES = 12; // a machine that draws slowly gets the time it needs

/** Plays the clip once from its start and records the canvas. */
async function film(studio: Studio, view: Viewport, character: Character, name: string): Promise<void> {
  const seconds = Math.min(character.clip?.duration ?? 0, LONGEST_FILM);
  const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((each) =>
    MediaRecorder.isTypeSupported(each),
  );
  if (!type || seconds <= 0) {
    const what = type ? "there is no motion to record" : "this browser cannot record WebM";
    const advice = type ? "choose a clip first" : "try Chromium or Firefox";
    return studio.tell(errorOf("No film was made", what, { advice }));
  }
  const recorder = new MediaRecorder(view.scene.canvas.captureStream(30), {
    mimeType: type,
    videoBitsPerSecond: 6_000_000,
  });
  const pieces: Blob[] = [];
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  const stopped = new Promise<void>((resolve) => (recorder.onstop = () => resolve()));
  studio.note("Recording", `${seconds.toFixed(1)} s of ${character.clip?.name || "the clip"}`);
  // A recorder starts with the first frame it sees: the clip runs before, and again from its start.
  const started = new Promise<void>((resolve) => (recorder.onstart = () => resolve()));
  studio.playback.play();
  recorder.start();
  await started;
  studio.playback.seek(0);
  await played(studio, seconds / studio.playback.speed);
  recorder.stop();
  studio.playback.pause();
  await stopped;
  download(new Blob(pieces, { type: "video/webm" }), name);
  studio.note(`Exported ${name}`);
}

/** After so many seconds, and enough frames for a film. */
function played(studio: Studio, seconds: number): Promise<void> {
  const start = performance.now();
  let frames = 0;
  return new Promise((resolve) => {
    const listen = () => {
      if (++frames < FEWEST_FRAMES || performance.now() - start < seconds * 1000) return;
      studio.bus.off("frame", listen);
      resolve();
    };
    studio.bus.on("frame", listen);
  });
}
