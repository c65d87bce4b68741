// SPDX-License-Identifier: Apache-2.0

// The page's modules that need no page, bundled once, and the engine in node.
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const studioFolder = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const root = dirname(studioFolder);
const engineFolder = process.env.ULNA_ENGINE ?? join(root, "build/wasm/engine");
const MODULES = [
  ...["bus", "character", "history", "lists", "messages", "playback", "settings", "snapshot", "studio", "theme"],
  ...[
    "trace_player",
    "commands/command",
    "commands/holds",
    "commands/keys",
    "commands/key_spans",
    "commands/layers",
    "commands/parts",
    "commands/pose",
    "commands/skin",
  ],
  ...[
    "files",
    "gltf_parts",
    "language",
    "model_export",
    "page_words",
    "pose_library",
    "reduce_job",
    "retarget_job",
    "retargeting",
  ],
  ...["film/gif", "film/mp4", "film/shot", "film/webm", "film/webp"],
  ...["project/blobs", "project/capture", "project/pack", "project/project", "project/restore"],
  "page/time_scale",
];

const { outputFiles } = await build({
  stdin: { contents: MODULES.map((name) => `export * from "./src/${name}.ts";`).join("\n"), resolveDir: studioFolder },
  bundle: true,
  write: false,
  format: "esm",
  alias: { "@ulna/engine": join(root, "bindings/wasm/engine.js") },
});
const bundle = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);

/** Everything that these modules export. */
export default bundle;

/** An engine, from the bundle itself. */
export async function makeEngine() {
  // The built package: node 18 takes a .js for a module only where a package.json says so.
  const { createEngine } = await import(join(engineFolder, "engine.js"));
  return createEngine({ wasm: readFileSync(join(engineFolder, "engine.wasm")) });
}

/** The bundled character as the page shows it first, in a studio without a page. */
export async function makeStudio() {
  const engine = await makeEngine();
  const studio = new bundle.Studio(engine);
  const name = "ulna-character.glb";
  const file = readFileSync(join(root, "assets", name));
  const source = { name, bytes: file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) };
  const opened = bundle.must(engine.open(source.bytes, name));
  const character = new bundle.Character({ ...opened, source });
  character.prepare();
  studio.add(character, false);
  return { engine, studio, character };
}
