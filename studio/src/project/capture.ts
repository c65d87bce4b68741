// SPDX-License-Identifier: Apache-2.0

// The studio as a project: see project.ts.
import type { Clip, Layer } from "@ulna/engine";
import type { Character } from "../character.js";
import { itemAt } from "../lists.js";
import type { SourceFile } from "../retarget_job.js";
import type { Studio } from "../studio.js";
import type { Blobs } from "./blobs.js";
import {
  PROJECT_VERSION,
  type CameraRecord,
  type CharacterRecord,
  type ClipRecord,
  type FileRecord,
  type LayerRecord,
  type Project,
} from "./project.js";

export function captureProject(studio: Studio, camera: CameraRecord | null, blobs: Blobs): Project {
  const { characters, active, view, solver } = studio;
  return {
    ulna_project: PROJECT_VERSION,
    characters: characters.map((character) => recordOf(studio, character, blobs)),
    active: active ? characters.indexOf(active) : -1,
    camera: camera && { position: [...Array.from(camera.position)], target: [...Array.from(camera.target)] },
    view,
    solver,
  };
}

function recordOf(studio: Studio, character: Character, blobs: Blobs): CharacterRecord {
  const { source, surfaces, meshes, pose, pins, pinsStale, poles, locked, gaze, limits } = character;
  const { clips, clipIndex, time, drafts } = character;
  const ofFile = surfaces.filter((mesh) => character.tiedFile(mesh) === null);
  const tied = meshes.filter((mesh) => !ofFile.includes(mesh));
  return {
    source: typeof source === "string" ? source : fileOf(source, blobs),
    tied: tied.map((mesh) => {
      const from = character.tiedFile(mesh);
      if (!from) throw new Error("a surface that was tied comes from a file");
      return { file: fileOf(from.file, blobs), pose: [...from.pose] };
    }),
    meshes: meshes.map((mesh, i) => {
      const weights = itemAt(character.weights, i);
      const index = ofFile.includes(mesh) ? ofFile.indexOf(mesh) : ofFile.length + tied.indexOf(mesh);
      return character.asInFile(mesh, weights) ? { index } : { index, weights: blobs.nameOfWeights(weights) };
    }),
    pose: [...pose],
    pins: [...pins],
    pinsStale,
    poles: [...poles],
    locked: [...locked],
    ...(gaze ? { gaze } : {}),
    limits,
    clips: clips.map((clip) => clipOf(studio, character, clip, blobs)),
    clip: clipIndex,
    time,
    drafts: drafts
      .filter((draft) => clips.includes(draft.clip))
      .map((draft) => ({ clip: clips.indexOf(draft.clip), time: draft.time, pose: [...draft.pose] })),
  };
}

function clipOf(studio: Studio, character: Character, clip: Clip, blobs: Blobs): ClipRecord {
  const { name } = clip;
  const original = character.originals.indexOf(clip);
  if (original >= 0) return { name, original };
  if (clip.base) return { name, base: clipOf(studio, character, clip.base, blobs), layers: clip.layers.map(layerOf) };
  const origin = studio.originOf(clip);
  const record = { name, bytes: blobs.nameOfClip(clip) };
  if (!origin) return record;
  const { file, index, settings, report, targetFromSource } = origin;
  return { ...record, origin: { file: fileOf(file, blobs), index, settings, report, targetFromSource } };
}

function layerOf({ keys, ...layer }: Layer): LayerRecord {
  return {
    ...layer,
    keys: keys.map(({ time, rotations, translations }) => ({
      time,
      rotations: [...rotations],
      translations: [...translations],
    })),
  };
}

function fileOf({ name, bytes, parts = {} }: SourceFile, blobs: Blobs): FileRecord {
  const named = Object.entries(parts).map(([part, content]) => [part, blobs.nameOfFile(content)] as const);
  return { name, bytes: blobs.nameOfFile(bytes), parts: Object.fromEntries(named) };
}
