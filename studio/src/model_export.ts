// SPDX-License-Identifier: Apache-2.0

// Characters out: BVH, GLB, rig JSON, with the pose on screen, the motion, or both.
import type { Clip, Diagnostic, Engine, Result, Written } from "@ulna/engine";
import type { Character } from "./character.js";
import { itemAt } from "./lists.js";
import type { PackedProject } from "./project/pack.js";
import { restoreProject } from "./project/restore.js";
import type { ExportContent } from "./studio.js";

export type ModelFormat = "bvh" | "glb" | "rig";

/** One file to be saved. */
export interface ModelFile {
  readonly name: string;
  readonly type: string;
  readonly written: Result<Written>;
}

const TYPES = { bvh: "text/plain", glb: "model/gltf-binary", rig: "application/json" };
const ENDINGS = { bvh: "bvh", glb: "glb", rig: "rig.json" };

/** What is to be exported: a project with one character. */
export interface ExportJob extends PackedProject {
  readonly format: ModelFormat;
  readonly content: ExportContent;
}

export type ExportAnswer = Result<
  readonly { name: string; type: string; bytes: Uint8Array; warnings: readonly Diagnostic[] }[]
>;

/** Writes the files with an engine of its own, so that a worker can do it. */
export async function runExportJob(
  engine: Engine,
  { project, blobs, format, content }: ExportJob,
): Promise<ExportAnswer> {
  const bytes = new Map(blobs);
  const { characters } = await restoreProject(engine, project, (name) => bytes.get(name) ?? new Uint8Array());
  const character = itemAt(characters, 0);
  const files = [];
  for (const { name, type, written } of writeModel(character, format, content)) {
    if (!written.ok) return written;
    files.push({ name, type, ...written.value });
  }
  character.free();
  return { ok: true, value: files };
}

/** The files of a character: one, but for BVH, which holds one motion, where both are wanted. */
export function writeModel(character: Character, format: ModelFormat, content: ExportContent): readonly ModelFile[] {
  const name = baseName(character);
  const file = (written: Result<Written>, part = "") => ({
    ...{ name: `${name}${part}.${ENDINGS[format]}`, type: TYPES[format] },
    written,
  });
  if (format === "bvh" && content === "both" && character.clip)
    return [
      file(writeCharacter(character, format, "motion")),
      file(writeCharacter(character, format, "pose"), "-pose"),
    ];
  return [file(writeCharacter(character, format, content))];
}

/** The bytes of a character; without a motion they hold the pose. */
export function writeCharacter(character: Character, format: ModelFormat, content: ExportContent): Result<Written> {
  const { engine, skeleton, meshes } = character;
  const withPose = content !== "motion" || character.clips.length === 0;
  const pose = withPose ? engine.makeClip(skeleton, { name: "pose", pose: character.pose }) : null;
  pose?.keyPose(0, character.pose);
  const clips: Clip[] = [...(pose ? [pose] : []), ...(content === "pose" ? [] : character.clips)];
  const name = baseName(character);
  let written: Result<Written>;
  if (format === "bvh") written = engine.writeBvh(skeleton, content === "pose" ? pose : (character.clip ?? pose));
  else if (format === "glb") written = engine.writeGltf({ skeleton, clips, meshes });
  else if (character.limits === "own") written = engine.writeRig(skeleton, clips, { name });
  // Other limits are worth a rig file for themselves; the clips belong to the file's own skeleton.
  else written = engine.writeRig(character.stage.skeleton, [], { name });
  pose?.free();
  return written;
}

/** What the file was called, without its ending. */
export function baseName(character: Character): string {
  return character.name.replace(/^.*[\\/]/, "").replace(/\.(rig\.json|[a-z0-9]+)$/i, "") || "ulna";
}
