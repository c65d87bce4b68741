// SPDX-License-Identifier: Apache-2.0

// Packs the page into a folder that any server of plain files can serve.
//   node build.mjs [FOLDER]     by default studio/dist
// The engine is taken from ULNA_ENGINE, by default build/wasm/engine.
import { build } from "esbuild";
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const studio = dirname(fileURLToPath(import.meta.url));
const root = dirname(studio);
const dist = resolve(process.argv[2] ?? join(studio, "dist"));
const wasm = join(process.env.ULNA_ENGINE ?? join(root, "build/wasm/engine"), "engine.wasm");

if (!existsSync(wasm)) {
  console.error(
    `studio/build.mjs: there is no ${wasm}; build it with: cmake --preset wasm && cmake --build --preset wasm`,
  );
  process.exit(1);
}

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await build({
  entryPoints: {
    studio: join(studio, "src/main.ts"),
    worker: join(studio, "src/worker.ts"),
    fbx: join(studio, "src/fbx_worker.ts"),
  },
  outdir: dist,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "eof",
  // Relative and not by name, so that the page needs no npm package of the engine's.
  alias: { "@ulna/engine": join(root, "bindings/wasm/engine.js") },
  nodePaths: [join(studio, "node_modules")],
  logLevel: "warning",
});
await build({
  entryPoints: [join(studio, "src/studio.css")],
  outdir: dist,
  bundle: true,
  minify: true,
  logLevel: "warning",
});
const languages = (await readdir(join(studio, "src/languages"))).map((name) => [
  join(studio, "src/languages", name),
  `language-${name}`,
]);
const copies = [
  ...languages,
  [wasm, "engine.wasm"],
  [join(root, "assets/ulna-character.glb"), "ulna-character.glb"],
  [join(root, "assets/ulna-poses.json"), "ulna-poses.json"],
  [join(studio, "index.html"), "index.html"],
  [join(root, "NOTICE"), "NOTICE.txt"],
  [join(studio, "src/icon.svg"), "icon.svg"],
];
for (const [from, to] of copies) await copyFile(from, join(dist, to));
