// SPDX-License-Identifier: Apache-2.0

// What every test here needs: the built package, the native tool, and files to try them on.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const root = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
export const packageFolder = process.env.ULNA_ENGINE ?? join(root, "build/wasm/engine");
export const tool = process.env.ULNA ?? join(root, "build/dev/apps/cli/ulna");
const shared = process.env.ULNA_SHARED_DATA ?? join(root, "../shared/data");

if (!existsSync(join(packageFolder, "engine.wasm"))) throw new Error(`${packageFolder} is not built; ./test builds it`);
export const { createEngine, POSE_STRIDE } = await import(pathToFileURL(join(packageFolder, "engine.js")).href);

export const asset = (name) => join(root, "assets", name);

/** Files under a folder. */
export function filesUnder(folder, endings) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesUnder(path, endings) : [path];
    })
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .sort();
}
/** Files of the shared data. Without them the tests that run over all of them would hold of nothing. */
export function sharedFiles(endings) {
  const files = existsSync(shared) ? filesUnder(shared, endings) : [];
  if (files.length === 0)
    throw new Error(`${shared} has no ${endings.join(", ")}; ULNA_SHARED_DATA says where the shared data is`);
  return files;
}

/** Opens a file of the disk, with the buffers and images beside it. */
export function open(engine, path, options = {}) {
  const beside = path.endsWith(".gltf") ? filesUnder(join(path, ".."), [".bin", ".png", ".jpg"]) : [];
  const files = Object.fromEntries(beside.map((file) => [basename(file), readFileSync(file)]));
  return engine.open(readFileSync(path), path, beside.length > 0 ? { files, ...options } : options);
}

/** The value of a result that has to be one. */
export function must(result) {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** What the native tool prints as JSON. */
export function native(...args) {
  return JSON.parse(execFileSync(tool, [...args, "--json", "--quiet"], { maxBuffer: 1 << 30 }));
}
export const nativeRun = (...args) => spawnSync(tool, args, { encoding: "utf8", maxBuffer: 1 << 30 });

export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
export function placeOf(skeleton, pose, joint) {
  const index = typeof joint === "string" ? skeleton.find(joint) : joint;
  return [...skeleton.modelPositions(pose).subarray(3 * index, 3 * index + 3)];
}

/** Numbers between 0 and 1, the same on every run. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
