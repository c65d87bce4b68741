// SPDX-License-Identifier: Apache-2.0

// A .gltf whose buffers and images are files of their own, made one file: the engine opens none
// itself.
import { toBytes } from "./checks.js";

/** The same JSON with what `files` has inside; bytes that are no such JSON stay. */
export function withFiles(bytes, files) {
  const document = parse(bytes);
  if (document === null) return bytes;
  const byName = new Map(Object.entries(files).map(([name, data]) => [lastName(name), data]));
  const dataOf = (part) => {
    if (typeof part?.uri !== "string" || part.uri.startsWith("data:")) return undefined;
    return Object.hasOwn(files, part.uri) ? files[part.uri] : byName.get(lastName(decode(part.uri)));
  };
  const embed = (part, data) => {
    part.uri = `data:application/octet-stream;base64,${base64(toBytes(data))}`;
  };
  let changed = false;
  for (const buffer of listOf(document.buffers)) {
    const data = dataOf(buffer);
    if (data === undefined) continue;
    embed(buffer, data);
    changed = true;
  }
  // Of images those that the engine keeps, and each file once, however many images name it.
  const images = listOf(document.images);
  const first = new Map();
  for (const texture of baseColours(document)) {
    const data = dataOf(images[texture.source]);
    if (data === undefined) continue;
    if (first.has(data)) texture.source = first.get(data);
    else first.set(data, texture.source);
    changed = true;
  }
  for (const [data, index] of first) embed(images[index], data);
  return changed ? JSON.stringify(document) : bytes;
}

const listOf = (value) => (Array.isArray(value) ? value : []);

/** The textures that base colours use. */
function baseColours(document) {
  const textures = listOf(document.textures);
  const used = new Set(
    listOf(document.materials).map((material) => material?.pbrMetallicRoughness?.baseColorTexture?.index),
  );
  return textures.filter((texture, index) => used.has(index) && typeof texture === "object" && texture !== null);
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
