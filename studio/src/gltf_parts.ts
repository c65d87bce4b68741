// SPDX-License-Identifier: Apache-2.0

// Which of the files dropped together a .gltf means: it names its buffers and images by paths, a browser gives names.

/** The files that a glTF document needs, by the names that it has for them: each the dropped one of that path or name. */
export function partsOfGltf(
  bytes: ArrayBuffer,
  dropped: Readonly<Record<string, ArrayBuffer>>,
): Record<string, ArrayBuffer> {
  const all = Object.entries(dropped).map(([path, content]) => [`/${plain(path)}`, content] as const);
  const byName = new Map(Object.entries(dropped).map(([path, content]) => [lastOf(plain(path)), content]));
  const out: Record<string, ArrayBuffer> = {};
  for (const uri of urisOf(bytes)) {
    const path = plain(uri);
    const found = all.find(([each]) => each.endsWith(`/${path}`))?.[1] ?? byName.get(lastOf(path));
    if (found) out[uri] = found;
  }
  return out;
}

/** The names of files that a glTF document needs and that are not there. */
export function missingParts(bytes: ArrayBuffer, there: Readonly<Record<string, ArrayBuffer>>): readonly string[] {
  return urisOf(bytes)
    .filter((uri) => !Object.hasOwn(there, uri))
    .map((uri) => lastOf(decoded(uri)));
}

function urisOf(bytes: ArrayBuffer): readonly string[] {
  try {
    const document = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Record<string, { uri?: unknown }[]>>;
    const uris = [...(document.buffers ?? []), ...(document.images ?? [])].map(({ uri }) => uri);
    return uris.filter((uri): uri is string => typeof uri === "string" && !uri.startsWith("data:"));
  } catch {
    return []; // the engine says what is wrong with it
  }
}

const plain = (path: string) => decoded(path).replace(/\\/g, "/").replace(/^\.\//, "").toLowerCase();
const lastOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
