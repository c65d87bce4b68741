// SPDX-License-Identifier: Apache-2.0

// A server of studio/dist on 127.0.0.1, with the headers that `ulna view` sends.
//   node tests/serve.mjs [FILE...]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { readFile, readdir } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const dist = process.env.ULNA_STUDIO_PAGE ?? join(dirname(fileURLToPath(import.meta.url)), "../dist");
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".glb": "model/gltf-binary",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
};
export const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; media-src blob:; " +
  "connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
const PAGE = [
  "index.html",
  "studio.js",
  "worker.js",
  "fbx.js",
  "studio.css",
  "engine.wasm",
  "ulna-character.glb",
  "ulna-poses.json",
  ...["de", "es", "fr", "ja", "zh"].map((name) => `language-${name}.json`),
  "icon.svg",
  "NOTICE.txt",
];

// The tool itself, where ULNA_STUDIO_TOOL names it.
async function view(tool, files) {
  const server = spawn(tool, ["view", "--no-open", ...files], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(server.stdout, "data");
  return { url: String(line).trim(), close: () => server.kill("SIGINT") };
}

/** Serves the page and the files; answers where, and how to stop. */
export async function serve(files = [], port = 0) {
  if (process.env.ULNA_STUDIO_TOOL) return view(process.env.ULNA_STUDIO_TOOL, files);
  const table = new Map(PAGE.map((name) => [`/${name}`, () => readFile(join(dist, name))]));
  table.set("/", table.get("/index.html"));
  const list = files.map((path, i) => ({
    name: basename(path),
    url: `files/${i}/${encodeURIComponent(basename(path))}`,
  }));
  files.forEach((path, i) => table.set(`/${list[i].url}`, () => readFile(path)));
  for (const [i, path] of files.entries()) {
    if (!path.endsWith(".gltf")) continue;
    const names = (await readdir(dirname(path))).filter((name) => /\.(bin|png|jpe?g)$/.test(name));
    list[i].parts = names.map((name, k) => ({ name, url: `files/${i}/parts/${k}` }));
    names.forEach((name, k) => table.set(`/files/${i}/parts/${k}`, () => readFile(join(dirname(path), name))));
  }
  table.set("/files.json", async () => JSON.stringify({ files: list }));
  const server = createServer(async (request, response) => {
    const path = request.url.split("?")[0];
    const read = table.get(path);
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("Cache-Control", "no-cache");
    if (!read) return response.writeHead(404).end();
    response.setHeader(
      "Content-Type",
      TYPES[extname(path === "/" ? "index.html" : path)] ?? "application/octet-stream",
    );
    response.end(await read());
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serve(process.argv.slice(2));
  console.log(url);
}
