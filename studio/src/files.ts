// SPDX-License-Identifier: Apache-2.0

// Files in: dropped, opened, named on the command line. Several belong together where a .gltf has its
// buffers and images beside it.
import { Character } from "./character.js";
import type { Dropped } from "./dropped.js";
import type { FbxContent } from "./fbx.js";
import { fitShapes, skinsOf, type Shapes, type Skins } from "./fitting.js";
import type { Document, Result } from "@ulna/engine";
import { missingParts, partsOfGltf } from "./gltf_parts.js";
import { itemAt } from "./lists.js";
import { errorOf, messageOf } from "./messages.js";
import type { Opened } from "./opening.js";
import { isProject } from "./project/pack.js";
import type { SourceFile } from "./retarget_job.js";
import type { Arrival, Studio } from "./studio.js";
import { pause } from "./steps.js";
import { openSurface } from "./surfaces.js";
import { listed, t } from "./language.js";
import { LEFT_WORDS } from "./words.js";

export type NamedBytes = SourceFile;

const ADVICE = t("choose a BVH, FBX, GLB, glTF or rig JSON file; OBJ, PLY and PC2 files need a skeleton that is open");
const OPENED = /\.(bvh|glb|gltf|json)$/i;
const BESIDE = /\.(bin|png|jpe?g)$/i;
const WORTH_A_BAR = 3e6; // bytes; fewer are opened in a moment, but surfaces, which get weights
const SURFACE = /\.(obj|ply)$/i;
const CACHE = /\.pc2$/i;
const USUAL_RATE = 30; // frames a second, where files say none

export interface Opening {
  /** Shows that something is being done; false when it is over. */
  busy(text: string | false): void;
  /** What a file holds, or why it cannot be read; null where that was cancelled. */
  read(file: SourceFile): Promise<Result<Opened> | null>;
  /** Asks where a file goes that brings a motion; null where nothing is chosen. */
  ask(question: { file: string; character: string }): Promise<Arrival | null>;
  /** Asks where a file goes while there is unsaved work; null where nothing is chosen. */
  askPlace(question: { file: string; characters: readonly string[] }): Promise<"beside" | "instead" | null>;
  /** Makes its clips clips of a character. */
  play(character: Character, file: SourceFile, document: Document): Promise<void>;
  /** Makes an FBX something that the engine reads. Rejects where that cannot be. */
  readFbx(file: NamedBytes): Promise<FbxContent>;
  /** Once what was opened can be drawn. */
  shown(): Promise<unknown>;
  /** Opens a project; says whether that was done. */
  openProject(file: NamedBytes, beside: boolean): Promise<boolean>;
}

/**
 * Opens files and shows them: beside what is there, or instead of it. Where that is left open, somebody is asked about
 * files that bring a motion, and others take the place of what is there.
 */
export async function openFiles(
  studio: Studio,
  opening: Opening,
  files: readonly NamedBytes[],
  where: "beside" | "instead" | "open",
): Promise<void> {
  const parts = Object.fromEntries(
    files.filter(({ name }) => BESIDE.test(name)).map(({ name, bytes }) => [name, bytes]),
  );
  // Surfaces last, to be tied to a skeleton that comes along with them.
  const later = ({ name }: NamedBytes) => Number(SURFACE.test(name) || CACHE.test(name));
  const documents = files
    .filter(({ name }) => !BESIDE.test(name))
    .sort((a, b) => later(a) - later(b) || later(a) * byNumber.compare(a.name, b.name));
  // A picture alone is opened for what the engine has to say of it.
  if (documents.length === 0) documents.push(...files.slice(0, 1));
  let next = where;
  const wait = (text: string) => {
    opening.busy(text);
    return painted();
  };
  const attempt = async (name: string, act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      studio.tell(errorOf(t("{name} could not be opened", { name }), what, { location: name }));
    }
  };
  const shapes: NamedShape[] = [];
  let skins: Skins | null = null; // before any surface is added to them
  let milliseconds = 0;
  for (const file of documents) {
    if (file.bytes.byteLength > WORTH_A_BAR || later(file)) await wait(t("Opening {name}", { name: file.name }));
    const start = performance.now();
    await attempt(file.name, async () => {
      if (later(file)) skins ??= studio.active && skinsOf(studio.active);
      const shape = skins && SURFACE.test(file.name) ? shapeIn(file, skins) : null;
      if (shape) shapes.push(shape);
      else if (CACHE.test(file.name)) await fitCache(studio, file, wait);
      else if (await openOne(studio, opening, withParts(file, parts), next)) next = "beside";
    });
    milliseconds = performance.now() - start;
  }
  const [first] = shapes;
  if (first) await attempt(first.name, () => fitShapes(studio, together(first, shapes), wait));
  await opening.shown();
  opening.busy(false);
  studio.noteOpening(milliseconds);
}

const byNumber = new Intl.Collator("en", { numeric: true });

interface NamedShape {
  readonly name: string;
  readonly positions: Float32Array;
  readonly of: Skins;
}

/** A surface that has as many vertices as the skin that is there: a shape for that skin to take. */
function shapeIn({ name, bytes }: NamedBytes, of: Skins): NamedShape | null {
  if (of.size === 0) return null;
  const read = of.character.engine.readMesh(of.character.skeleton, bytes, name);
  if (!read.ok) return null;
  const { mesh, positionCount } = read.value;
  const positions = positionCount === of.size ? mesh.positions.subarray(0, 3 * positionCount) : null;
  mesh.free();
  return positions && { name, positions, of };
}

function together(first: NamedShape, all: readonly NamedShape[]): Shapes {
  const name = all.length === 1 ? first.name : `${first.name} … ${itemAt(all, all.length - 1).name}`;
  const at = (index: number) => itemAt(all, index).positions;
  return { name, of: first.of, count: all.length, frameTime: 1 / USUAL_RATE, at };
}

async function fitCache(studio: Studio, { name, bytes }: NamedBytes, wait: (text: string) => Promise<void>) {
  const title = t("{name} could not be opened", { name });
  const read = studio.engine.readPointCache(bytes, name);
  if (!read.ok) {
    studio.tell(messageOf(read.error, title));
    return;
  }
  const of = studio.active && skinsOf(studio.active);
  const cache = read.value;
  const { pointCount, sampleCount: count, step } = cache;
  if (of?.size === pointCount) {
    const at = (index: number) => cache.sample(index);
    await fitShapes(studio, { name, of, count, frameTime: step / USUAL_RATE, at }, wait);
  } else {
    const there = of && of.size > 0 ? t("the skin that is open has {size}", { size: of.size }) : t("no skin is open");
    const advice = t("open the character that it was made from first");
    studio.tell(
      errorOf(title, t("it moves {pointCount} points, and {there}", { pointCount, there }), { location: name, advice }),
    );
  }
  cache.free();
}

function withParts(file: NamedBytes, shared: Record<string, ArrayBuffer>): NamedBytes {
  if (!/\.gltf$/i.test(file.name)) return file;
  const parts = { ...partsOfGltf(file.bytes, shared), ...file.parts };
  return Object.keys(parts).length > 0 ? { ...file, parts } : file;
}

async function openOne(
  studio: Studio,
  opening: Opening,
  file: NamedBytes,
  where: "beside" | "instead" | "open",
): Promise<boolean> {
  const title = t("{name} could not be opened", { name: file.name });
  if (file.bytes.byteLength === 0) {
    studio.tell(errorOf(title, t("the file is empty"), { location: file.name, advice: ADVICE }));
    return false;
  }
  if (SURFACE.test(file.name)) return openSurface(studio, file.name, file.bytes);
  if (isProject(file.bytes)) {
    const place = await placeOf(studio, opening, file.name, where);
    return place !== null && opening.openProject(file, place === "beside");
  }
  if (/\.fbx$/i.test(file.name) && !isGlb(file.bytes)) return openFbx(studio, opening, file, where);
  const known = OPENED.test(file.name);
  const opened = await opening.read(file);
  if (!opened) return false;
  if (!opened.ok) {
    const message = messageOf(opened.error, title, file.name);
    const missing = /\.gltf$/i.test(file.name) ? missingParts(file.bytes, file.parts ?? {}) : [];
    const together =
      missing.length > 0 ? t("drop {files} together with it", { files: missing.slice(0, 3).join(", ") }) : "";
    studio.tell({ ...message, advice: together || message.advice || (known ? "" : ADVICE) });
    return false;
  }
  const document = opened.value;
  if (document.skeleton.jointCount === 0) {
    document.free();
    studio.tell(
      errorOf(title, t("there is no skeleton in it"), { location: file.name, advice: t("choose a file with joints") }),
    );
    return false;
  }
  const there = studio.active;
  const arrival = where === "open" && there ? await arrivalOf(studio, opening, file.name, there, document) : where;
  if (arrival === null) {
    document.free();
  } else if (arrival === "play" && there) {
    await opening.play(there, file, document);
  } else {
    if (document.stage) await pause();
    const character = new Character({ ...document, source: file });
    character.prepare({ staged: document.stage !== undefined });
    if (document.stage) await pause();
    studio.add(character, arrival === "beside");
    return true;
  }
  return false;
}

const isGlb = (bytes: ArrayBuffer) => new TextDecoder("latin1").decode(bytes.slice(0, 4)) === "glTF";

/** What three.js makes of it, opened under its own name, and a word on what is kept. */
async function openFbx(
  studio: Studio,
  opening: Opening,
  file: NamedBytes,
  where: "beside" | "instead" | "open",
): Promise<boolean> {
  opening.busy(t("Opening {name}", { name: file.name }));
  const { bytes, joints, meshes, clips, left } = await opening.readFbx(file);
  const opened = await openOne(studio, opening, { name: file.name, bytes }, where);
  const kept = t(
    "kept are {joints, plural, one {# joint} other {# joints}}, {meshes, plural, one {# mesh} other {# meshes}}, {clips, plural, one {# clip} other {# clips}}",
    { joints, meshes, clips },
  );
  const without =
    left.length > 0 ? t("left out are {left}", { left: listed(left.map((each) => LEFT_WORDS[each] ?? each)) }) : "";
  studio.note(t("{name} was read as FBX", { name: file.name }), [kept, without].filter(Boolean).join("; "));
  return opened;
}

/** Where a document goes that is opened beside nothing in particular; asked once for each kind. */
async function arrivalOf(
  studio: Studio,
  opening: Opening,
  file: string,
  there: Character,
  document: Document,
): Promise<Arrival | null> {
  if (there.meshes.length === 0 || document.clips.length === 0) return placeOf(studio, opening, file, "open");
  const kind = document.meshes.length > 0 ? "character" : "motion";
  const known = studio.arrivals[kind];
  if (known !== "ask") return known;
  opening.busy(false);
  const chosen = await opening.ask({ file, character: there.name });
  if (chosen) studio.setArrivals({ [kind]: chosen });
  return chosen;
}

/** Parts of a glTF keep the folder that they were dropped in. */
function pathOf({ file, path }: Dropped): string {
  return BESIDE.test(file.name) ? path : file.name;
}

/** Where a file goes that can only be beside or instead: asked where work would have to make room. */
async function placeOf(
  studio: Studio,
  opening: Opening,
  file: string,
  where: "beside" | "instead" | "open",
): Promise<"beside" | "instead" | null> {
  if (where !== "open") return where;
  if (!studio.unsaved) return "instead";
  opening.busy(false);
  return opening.askPlace({ file, characters: studio.characters.map(({ name }) => name) });
}

export async function readFiles(list: Iterable<Dropped>): Promise<NamedBytes[]> {
  return Promise.all([...list].map(async (each) => ({ name: pathOf(each), bytes: await each.file.arrayBuffer() })));
}

/** The files named on the command line of `ulna view`; none where the page is served by anything else. */
export async function filesOfServer(): Promise<NamedBytes[]> {
  let list: { name: string; url: string; parts?: { name: string; url: string }[] }[] = [];
  try {
    const response = await fetch("files.json");
    if (!response.ok) return [];
    list = ((await response.json()) as { files?: typeof list }).files ?? [];
  } catch {
    return [];
  }
  const bytesOf = async (url: string) => (await fetch(url)).arrayBuffer();
  return Promise.all(
    list.map(async ({ name, url, parts = [] }) => {
      const pairs = await Promise.all(parts.map(async (part) => [part.name, await bytesOf(part.url)] as const));
      return { name, bytes: await bytesOf(url), parts: Object.fromEntries(pairs) };
    }),
  );
}

/** After the page had time to draw, so that a bar is seen before long work begins. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    // Hidden pages draw no frames; the work must begin there too.
    const timer = setTimeout(resolve, 60);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        clearTimeout(timer);
        resolve();
      }),
    );
  });
}
