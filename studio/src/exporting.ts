// SPDX-License-Identifier: Apache-2.0

// Files out: BVH, GLB, rig JSON. Pictures and films are made by film/.
import type { Result, Written } from "@ulna/engine";
import type { Character } from "./character.js";
import { messageOf } from "./messages.js";
import type { Studio } from "./studio.js";

export type Format = "bvh" | "glb" | "rig";

/** The bytes of the active character; with no clip, one key of the pose it is in. */
export function writeCharacter(studio: Studio, character: Character, format: Format): Result<Written> {
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

export function exportAs(studio: Studio, format: Format) {
  const character = studio.active;
  if (!character) return;
  const name = baseName(character);
  const written = writeCharacter(studio, character, format);
  if (!written.ok) return studio.tell(messageOf(written.error, "Nothing was exported"));
  const ending = { bvh: "bvh", glb: "glb", rig: "rig.json" }[format];
  const types = { bvh: "text/plain", glb: "model/gltf-binary", rig: "application/json" };
  download(new Blob([written.value.bytes], { type: types[format] }), `${name}.${ending}`);
  const lost = written.value.warnings.map(({ what }) => what).join("; ");
  studio.note(`Exported ${name}.${ending}`, lost);
}

/** The name of a character's file without its extension. */
export function baseName(character: Character): string {
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
