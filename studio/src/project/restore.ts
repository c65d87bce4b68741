// SPDX-License-Identifier: Apache-2.0

// Characters from a project: files are opened again, and what was made of them is put back.
import type { Clip, Engine, Mesh, Result, Skeleton } from "@ulna/engine";
import { Character, makePlaneCharacter } from "../character.js";
import { itemAt, must, present } from "../lists.js";
import type { Opened } from "../opening.js";
import type { Origin } from "../origin.js";
import { openFile, type SourceFile } from "../retarget_job.js";
import { weightsOfBytes, type ReadBlob } from "./blobs.js";
import type { CharacterRecord, ClipRecord, FileRecord, OriginRecord, Project } from "./project.js";

export interface Restored {
  readonly characters: readonly Character[];
  readonly active: Character | null;
  readonly origins: readonly (readonly [Clip, Origin])[];
}

/** Rejects where the project is not what it says: then nothing is left behind. `read` opens the files in it. */
export async function restoreProject(
  engine: Engine,
  project: Project,
  blob: ReadBlob,
  read: (file: SourceFile) => Result<Opened> | Promise<Result<Opened>> = (file) => openFile(engine, file),
): Promise<Restored> {
  const restoring = new Restoring(engine, blob, async (file) => must(await read(file)));
  const characters: Character[] = [];
  try {
    for (const record of project.characters) characters.push(await restoring.character(record));
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
    private readonly read: (file: SourceFile) => Promise<Opened>,
  ) {}

  async character(record: CharacterRecord): Promise<Character> {
    const character = await this.#open(record.source);
    try {
      await this.#recall(character, record);
    } catch (error) {
      character.free();
      throw error;
    }
    return character;
  }

  async #open(source: CharacterRecord["source"]): Promise<Character> {
    if (typeof source === "string") return makePlaneCharacter(this.engine, source);
    const file = this.#file(source);
    return new Character({ ...(await this.read(file)), source: file });
  }

  async #recall(character: Character, record: CharacterRecord) {
    const size = character.rest.length;
    const poseOf = (numbers: readonly number[]) => {
      if (numbers.length !== size || !numbers.every(Number.isFinite)) throw new RangeError("a pose is damaged");
      return Float64Array.from(numbers);
    };
    const known: Mesh[] = [...character.surfaces];
    for (const { file, pose } of record.tied) {
      const from = this.#file(file);
      const { mesh } = must(character.engine.readMesh(character.skeleton, from.bytes, from.name));
      mesh.bind(poseOf(pose));
      character.addMesh(mesh, { file: from, pose: poseOf(pose) });
      known.push(mesh);
    }
    const meshes = record.meshes.map(({ index }) => itemAt(known, index));
    const weights = record.meshes.map(({ weights: name }, i) => {
      const mesh = itemAt(meshes, i);
      return name === undefined ? character.weightsOf(mesh) : weightsOfBytes(this.blob(name));
    });
    const clips: Clip[] = [];
    for (const each of record.clips) clips.push(await this.#clip(character, each));
    const limits = character.setLimits(record.limits);
    if (limits) throw new Error(limits.message);
    character.restore({
      pose: poseOf(record.pose),
      drafts: record.drafts.map(({ clip, time, pose }) => ({ clip: itemAt(clips, clip), time, pose: poseOf(pose) })),
      pins: new Map(record.pins),
      pinsStale: record.pinsStale,
      poles: new Map(record.poles),
      locked: new Set(record.locked),
      gaze: record.gaze ?? null,
      clips,
      clipIndex: record.clip,
      time: record.time,
      meshes,
      weights,
      limits: record.limits,
    });
  }

  async #clip(character: Character, record: ClipRecord): Promise<Clip> {
    const { name, original, bytes, base, layers = [], origin } = record;
    if (original !== undefined) return itemAt(character.originals, original);
    if (base) {
      const numbers = (list: readonly number[]) => Float64Array.from(list);
      return (await this.#clip(character, base)).layered(
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
    const clip = must(character.engine.readClip(character.skeleton, this.blob(present(bytes, "content of a clip"))));
    clip.name = name;
    if (origin) this.origins.push([clip, await this.#origin(origin)]);
    return clip;
  }

  async #origin({ file: record, index, settings, report, targetFromSource }: OriginRecord): Promise<Origin> {
    const file = this.#file(record);
    let source = this.#sources.get(file);
    if (!source) {
      const { skeleton, clips, meshes } = await this.read(file);
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
