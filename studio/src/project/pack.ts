// SPDX-License-Identifier: Apache-2.0

// A project as one file: JSON with the blobs in base64 at its end.
import { PROJECT_VERSION, blobsOf, type Project } from "./project.js";

export interface PackedProject {
  readonly project: Project;
  readonly blobs: readonly (readonly [string, Uint8Array])[];
}

/** The project, or why there is none, as a sentence. */
export type Unpacked =
  | { readonly ok: true; readonly value: PackedProject }
  | { readonly ok: false; readonly what: string };

/** The text of the file, in pieces: one text could be longer than texts may be. */
export function packProject({ project, blobs }: PackedProject): string[] {
  const out = [JSON.stringify(project).replace(/}$/, ',"blobs":{')];
  blobs.forEach(([name, bytes], i) => {
    out.push(`${i > 0 ? "," : ""}${JSON.stringify(name)}:"`, ...base64(bytes), '"');
  });
  out.push("}}\n");
  return out;
}

/** Whether bytes look like a project: other JSON files may have the same ending. */
export function isProject(bytes: ArrayBuffer): boolean {
  const head = new TextDecoder().decode(bytes.slice(0, 64));
  return /^\s*\{\s*"ulna_project"\s*:/.test(head);
}

export function unpackProject(bytes: ArrayBuffer): Unpacked {
  let all: Project & { blobs?: Record<string, string> };
  try {
    all = JSON.parse(new TextDecoder().decode(bytes)) as typeof all;
  } catch (error) {
    return { ok: false, what: `the file is cut off or damaged: ${error instanceof Error ? error.message : ""}` };
  }
  const { blobs = {}, ...project } = all;
  const version: number = project.ulna_project;
  if (version !== PROJECT_VERSION)
    return { ok: false, what: `it is of version ${version}, and this studio reads version ${PROJECT_VERSION}` };
  try {
    for (const name of blobsOf(project)) if (!Object.hasOwn(blobs, name)) throw new Error(`'${name}' is missing`);
    return { ok: true, value: { project, blobs: Object.entries(blobs).map(([name, text]) => [name, bytesOf(text)]) } };
  } catch (error) {
    return { ok: false, what: `it is damaged: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const PIECE = 3 * 4096; // bytes: three make four letters

function base64(bytes: Uint8Array): string[] {
  const out = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    out.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE))));
  return out;
}

function bytesOf(text: string): Uint8Array {
  const letters = atob(text);
  const out = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) out[i] = letters.charCodeAt(i);
  return out;
}
