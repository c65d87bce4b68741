// SPDX-License-Identifier: Apache-2.0

// A .gltf whose buffers and images are files of their own, made one file: the engine opens none
// itself.
import { toBytes } from "./memory.js";

/** The same JSON with what `files` has inside; bytes that are no such JSON stay. */
export function withFiles(bytes, files) {
  const document = parse(bytes);
  if (document === null) return bytes;
  const byName = new Map(Object.entries(files).map(([name, data]) => [lastName(name), data]));
  let changed = false;
  for (const part of [document.buffers, document.images].filter(Array.isArray).flat()) {
    if (typeof part?.uri !== "string" || part.uri.startsWith("data:")) continue;
    const data = files[part.uri] ?? byName.get(lastName(decode(part.uri)));
    if (data === undefined) continue;
    part.uri = `data:application/octet-stream;base64,${base64(toBytes(data))}`;
    changed = true;
  }
  return changed ? JSON.stringify(document) : bytes;
}

function parse(bytes) {
  try {
    const document = JSON.parse(typeof bytes === "string" ? bytes : new TextDecoder().decode(toBytes(bytes)));
    return typeof document === "object" ? document : null;
  } catch {
    return null;
  }
}

function decode(uri) {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function lastName(path) {
  return path.split(/[\\/]/).pop();
}

function base64(bytes) {
  let text = "";
  const step = 0x8000; // as many arguments as every engine takes
  for (let i = 0; i < bytes.length; i += step) text += String.fromCharCode(...bytes.subarray(i, i + step));
  return btoa(text);
}
