// SPDX-License-Identifier: Apache-2.0

// Files out: BVH, GLB, rig JSON, a picture, a looping film.
import type { Result, Written } from "@ulna/engine";
import type { Character } from "./character.js";
import { errorOf, messageOf } from "./messages.js";
import type { Studio } from "./studio.js";
import type { Viewport } from "./view/viewport.js";

export type Format = "bvh" | "glb" | "rig" | "png" | "webm";

/** The bytes of the active character; with no clip, one key of the pose it is in. */
export function writeCharacter(studio: Studio, character: Character, format: "bvh" | "glb" | "rig"): Result<Written> {
  const { engine } = studio;
  const { skeleton, meshes } = character;
  const made = character.clips.length === 0 ? engine.makeClip(skeleton, { name: "pose" }) : null;
  made?.keyPose(0, character.pose);
  const clips = made ? [made] : character.clips;
  const name = baseName(character);
  let written: Result<Written>;
  if (format === "bvh") written = engine.writeBvh(skeleton, character.clip ?? made);
  else if (format === "glb") written = engine.writeGltf({ skeleton, clips, meshes });
  else if (character.limits === "own") written = engine.writeRig(skeleton, clips, { name });
  // Other limits are worth a rig file for themselves; the clips belong to the file's own skeleton.
  else written = engine.writeRig(character.stage.skeleton, [], { name });
  made?.free();
  return written;
}

export async function exportAs(studio: Studio, view: Viewport, format: Format): Promise<void> {
  const character = studio.active;
  if (!character) return;
  const name = baseName(character);
  if (format === "png") return download(await picture(view), `${name}.png`);
  if (format === "webm") return film(studio, view, character, `${name}.webm`);
  const written = writeCharacter(studio, character, format);
  if (!written.ok) return studio.tell(messageOf(written.error, "Nothing was exported"));
  const ending = { bvh: "bvh", glb: "glb", rig: "rig.json" }[format];
  const types = { bvh: "text/plain", glb: "model/gltf-binary", rig: "application/json" };
  download(new Blob([written.value.bytes], { type: types[format] }), `${name}.${ending}`);
  const lost = written.value.warnings.map(({ what }) => what).join("; ");
  studio.note(`Exported ${name}.${ending}`, lost);
}

function baseName(character: Character): string {
  return character.name.replace(/^.*[\\/]/, "").replace(/\.(rig\.json|[a-z0-9]+)$/i, "") || "ulna";
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
