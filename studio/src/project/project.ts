// SPDX-License-Identifier: Apache-2.0

// A project: all that somebody made in the studio, as plain values. What is large (files, clips, weights) is kept
// beside it as blobs, by name, so that what stays the same is written once.
import type { LayerPin, Numbers, Pole, RetargetReport, Vec3 } from "@ulna/engine";
import type { PlaneKind } from "../character.js";
import type { RetargetSettings } from "../origin.js";
import type { LimitsMode, Pin } from "../snapshot.js";
import type { SolverSettings, ViewSettings } from "../studio.js";

export const PROJECT_VERSION = 1;
export const PROJECT_ENDING = ".ulna.json";

/** The name of a blob. */
export type BlobName = string;

export interface FileRecord {
  readonly name: string;
  readonly bytes: BlobName;
  readonly parts: Readonly<Record<string, BlobName>>;
}

export interface LayerRecord {
  readonly name: string;
  readonly weight: number;
  readonly muted: boolean;
  readonly in: number;
  readonly out: number;
  readonly pins: readonly LayerPin[];
  readonly keys: readonly { time: number; rotations: readonly number[]; translations: readonly number[] }[];
}

/** A clip: one of the character's file, or bytes that the engine reads, or layers on another clip. */
export interface ClipRecord {
  readonly name: string;
  readonly original?: number;
  readonly bytes?: BlobName;
  readonly base?: ClipRecord;
  readonly layers?: readonly LayerRecord[];
  readonly origin?: OriginRecord;
}

/** Of a clip that was made of another body's. */
export interface OriginRecord {
  readonly file: FileRecord;
  readonly index: number;
  readonly settings: RetargetSettings;
  readonly report: RetargetReport;
  readonly targetFromSource: readonly number[];
}

/** A surface that was tied to a character here. */
export interface TiedRecord {
  readonly file: FileRecord;
  readonly pose: readonly number[]; // it is bound in
}

export interface MeshRecord {
  readonly index: number; // of the file's meshes, then of `tied`
  readonly weights?: BlobName; // where they are not the file's
}

export interface CharacterRecord {
  readonly source: FileRecord | PlaneKind;
  readonly tied: readonly TiedRecord[];
  readonly meshes: readonly MeshRecord[];
  readonly pose: readonly number[];
  readonly pins: readonly (readonly [number, Pin])[];
  readonly pinsStale: boolean;
  readonly poles: readonly (readonly [number, Pole])[];
  readonly locked: readonly number[];
  readonly gaze?: Vec3;
  readonly limits: LimitsMode;
  readonly clips: readonly ClipRecord[];
  readonly clip: number;
  readonly time: number;
  readonly drafts: readonly { clip: number; time: number; pose: readonly number[] }[];
}

export interface CameraRecord {
  readonly position: Numbers;
  readonly target: Numbers;
}

export interface Project {
  readonly ulna_project: typeof PROJECT_VERSION;
  readonly characters: readonly CharacterRecord[];
  readonly active: number;
  readonly camera: CameraRecord | null;
  readonly view: ViewSettings;
  readonly solver: SolverSettings;
}

/** The names of all blobs that a project needs. */
export function blobsOf(project: Project): ReadonlySet<BlobName> {
  const names = new Set<BlobName>();
  const addFile = ({ bytes, parts }: FileRecord) => [bytes, ...Object.values(parts)].forEach((name) => names.add(name));
  const addClip = ({ bytes, base, origin }: ClipRecord) => {
    if (bytes !== undefined) names.add(bytes);
    if (base) addClip(base);
    if (origin) addFile(origin.file);
  };
  for (const { source, tied, meshes, clips } of project.characters) {
    if (typeof source !== "string") addFile(source);
    for (const { file } of tied) addFile(file);
    for (const { weights } of meshes) if (weights !== undefined) names.add(weights);
    clips.forEach(addClip);
  }
  return names;
}
