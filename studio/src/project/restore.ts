// SPDX-License-Identifier: Apache-2.0

// Characters from a project: files are opened again, and what was made of them is put back.
import type { Clip, Engine, Mesh, Skeleton } from "@ulna/engine";
import { Character, makePlaneCharacter } from "../character.js";
import { itemAt, must, present } from "../lists.js";
import type { Origin } from "../origin.js";
import { openFile, type SourceFile } from "../retarget_job.js";
import { weightsOfBytes, type ReadBlob } from "./blobs.js";
import type { CharacterRecord, ClipRecord, FileRecord, OriginRecord, Project } from "./project.js";

export interface Restored {
  readonly characters: readonly Character[];
  readonly active: Character | null;
  readonly origins: readonly (readonly [Clip, Origin])[];
}

/** Throws where the project is not what it says: then nothing is left behind. */
export function restoreProject(engine: Engine, project: Project, blob: ReadBlob): Restored {
  const restoring = new Restoring(engine, blob);
  const characters: Character[] = [];
  try {
    for (const record of project.characters) characters.push(restoring.character(record));
  } catch (error) {
    for (const each of characters) each.free();
    throw error;
  }
  return { characters, active: characters[project.active] ?? null, origins: restoring.origins };
}

class Restoring {
  readonly origins: (readonly [Clip, Origin])[] = [];
  readonly #files = new Map<string, SourceFile>();
  readonly #sources = new Map<SourceFile, { skeleton: Skeleton; clips: readonly Clip[] }>();

  constructor(
    private readonly engine: Engine,
    private readonly blob: ReadBlob,
  ) {}

  character(record: CharacterRecord): Character {
    const character = this.#open(record.source);
    try {
      this.#recall(character, record);
    } catch (error) {
      character.free();
      throw error;
    }
    return character;
  }

  #open(source: CharacterRecord["source"]): Character {
    if (typeof source === "string") return makePlaneCharacter(this.engine, source);
    const file = this.#file(source);
    return new Character({ ...must(openFile(this.engine, file)), source: file });
  }

  #recall(character: Character, record: CharacterRecord) {
    const size = character.rest.length;
    const poseOf = (numbers: readonly number[]) => {
      if (numbers.length !== size || !numbers.every(Number.isFinite)) throw new RangeError("a pose is damaged");
      return Float64Array.from(numbers);
    };
    const known: Mesh[] = [...character.surfaces];
    for (const { file, pose } of record.tied) {
      const from = this.#file(file);
      const { mesh } = must(this.engine.readMesh(character.skeleton, from.bytes, from.name));
      mesh.bind(poseOf(pose));
      character.addMesh(mesh, { file: from, pose: poseOf(pose) });
      known.push(mesh);
    }
    const meshes = record.meshes.map(({ index }) => itemAt(known, index));
    const weights = record.meshes.map(({ weights: name }, i) => {
      const mesh = itemAt(meshes, i);
      return name === undefined ? character.weightsOf(mesh) : weightsOfBytes(this.blob(name));
    });
    const clips = record.clips.map((each) => this.#clip(character, each));
    const limits = character.setLimits(record.limits);
    if (limits) throw new Error(limits.message);
    character.restore({
      pose: poseOf(record.pose),
      drafts: record.drafts.map(({ clip, time, pose }) => ({ clip: itemAt(clips, clip), time, pose: poseOf(pose) })),
      pins: new Map(record.pins),
      pinsStale: record.pinsStale,
      poles: new Map(record.poles),
      locked: new Set(record.locked),
      clips,
      clipIndex: record.clip,
      time: record.time,
      meshes,
      weights,
      limits: record.limits,
    });
  }

  #clip(character: Character, record: ClipRecord): Clip {
    const { name, original, bytes, base, layers = [], origin } = record;
    if (original !== undefined) return itemAt(character.originals, original);
    if (base) {
      const numbers = (list: readonly number[]) => Float64Array.from(list);
      return this.#clip(character, base).layered(
        layers.map(({ keys, ...layer }) => ({
          ...layer,
          keys: keys.map(({ time, rotations, translations }) => ({
            time,
            rotations: numbers(rotations),
            translations: numbers(translations),
          })),
        })),
      );
    }
    const clip = must(this.engine.readClip(character.skeleton, this.blob(present(bytes, "content of a clip"))));
    clip.name = name;
    if (origin) this.origins.push([clip, this.#origin(origin)]);
    return clip;
  }

  #origin({ file: record, index, settings, report, targetFromSource }: OriginRecord): Origin {
    const file = this.#file(record);
    let source = this.#sources.get(file);
    if (!source) {
      const { skeleton, clips, meshes } = must(openFile(this.engine, file));
      for (const mesh of meshes) mesh.free();
      source = { skeleton, clips };
      this.#sources.set(file, source);
    }
    const clip = itemAt(source.clips, index);
    return { file, index, skeleton: source.skeleton, clip, settings, report, targetFromSource };
  }

  /** One object for each file, so that it is kept once again. */
  #file({ name, bytes, parts }: FileRecord): SourceFile {
    const key = JSON.stringify([name, bytes, parts]);
    let file = this.#files.get(key);
    if (!file) {
      const contents = Object.entries(parts).map(([part, content]) => [part, this.#buffer(content)] as const);
      const bytesOfFile = this.#buffer(bytes);
      file = { name, bytes: bytesOfFile, ...(contents.length > 0 ? { parts: Object.fromEntries(contents) } : {}) };
      this.#files.set(key, file);
    }
    return file;
  }

  readonly #buffers = new Map<string, ArrayBuffer>();
  #buffer(name: string): ArrayBuffer {
    const known = this.#buffers.get(name);
    if (known) return known;
    const bytes = this.blob(name);
    const whole = bytes.byteLength === bytes.buffer.byteLength;
    const buffer = (whole ? bytes.buffer : bytes.slice().buffer) as ArrayBuffer;
    this.#buffers.set(name, buffer);
    return buffer;
  }
}
