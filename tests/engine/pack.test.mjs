// SPDX-License-Identifier: Apache-2.0

// The npm package as others get it: packed, installed in a project of its own, and imported by node, by a bundler, and by
// a page without one.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { asset, packageFolder, root } from "./support.mjs";

const { chromium } = await import(pathToFileURL(join(root, "studio/node_modules/playwright-core/index.mjs")).href);
const VERSION = readFileSync(join(root, "VERSION"), "utf8").trim();
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".bvh": "text/plain" };

const project = mkdtempSync(join(tmpdir(), "ulna-pack-"));
after(() => rmSync(project, { recursive: true, force: true }));
const npm = (folder, ...words) =>
  execFileSync("npm", words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

const [{ filename }] = JSON.parse(npm(packageFolder, "pack", "--json", "--pack-destination", project));
writeFileSync(join(project, "package.json"), JSON.stringify({ name: "mine", private: true, type: "module" }));
npm(project, "install", "--offline", "--no-audit", "--no-fund", join(project, filename));
const installed = join(project, "node_modules/@ulna/engine");

// What every host does: a file in, the position of a joint out. The path of the file is relative to the page.
const PROGRAM = `
import { createEngine } from "@ulna/engine";
const engine = await createEngine();
const opened = engine.open(bytes, "walk.bvh");
if (!opened.ok) throw new Error(opened.error.message);
const { skeleton, clips } = opened.value;
const positions = skeleton.modelPositions(clips[0].sample(0.25));
const answer = JSON.stringify({ version: engine.version, hand: [...positions.slice(3 * skeleton.find("LeftHand")).slice(0, 3)] });
`;
const bvh = asset("ulna-character.bvh");

// The oracle is the native tool.
const native = JSON.parse(
  execFileSync(process.env.ULNA ?? join(root, "build/dev/apps/cli/ulna"), ["fk", bvh, "--time", "0.25", "--json"]),
);
const hand = native.frames[0].positions[native.joints.indexOf("LeftHand")];

function check(text) {
  const answer = JSON.parse(text);
  assert.equal(answer.version, VERSION);
  answer.hand.forEach((value, i) => assert.ok(Math.abs(value - hand[i]) < 1e-9, `${answer.hand} and not ${hand}`));
}

/** A server of a folder, for 127.0.0.1 alone. */
async function serve(folder) {
  const server = createServer((request, response) => {
    const path = normalize(request.url.split("?")[0].replace(/\/$/, "/index.html"));
    try {
      const body = readFileSync(join(folder, path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/plain" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** What a page writes as its title, or what went wrong in it. */
async function titleOf(folder) {
  const server = await serve(folder);
  const browser = await chromium.launch({
    executablePath: process.env.ULNA_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      ...(process.getuid() === 0 ? ["--no-sandbox"] : []),
      "--disable-background-networking",
      "--disable-dev-shm-usage",
    ],
  });
  try {
    const page = await browser.newPage();
    let failed;
    const failure = new Promise((_, reject) => (failed = reject));
    page.on("pageerror", failed);
    await page.goto(server.url);
    const done = page.waitForFunction(() => document.title.startsWith("{"), null, {
      timeout: 60_000,
      polling: 100, // not by frames, which nobody draws here
    });
    await Promise.race([done, failure]);
    return await page.title();
  } finally {
    await browser.close();
    server.close();
  }
}

const IN_A_PAGE = `const bytes = new Uint8Array(await (await fetch("walk.bvh")).arrayBuffer());\n`;

test("the package brings its types, its README and all licences", () => {
  for (const name of ["engine.d.ts", "README.md", "LICENSE", "NOTICE", "engine.wasm"])
    assert.ok(readFileSync(join(installed, name)).length > 1000, name);
  const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  assert.equal(dependencies, undefined);
});

test("node imports it in a project of its own", () => {
  const reads = `import { readFileSync } from "node:fs";\nconst bytes = readFileSync(${JSON.stringify(bvh)});\n`;
  writeFileSync(join(project, "main.js"), `${reads}${PROGRAM}console.log(answer);`);
  check(execFileSync(process.execPath, ["main.js"], { cwd: project, encoding: "utf8" }));
});

test("TypeScript finds its types", () => {
  const program = `import { createEngine, type Skeleton } from "@ulna/engine";
const engine = await createEngine();
const opened = engine.open(new Uint8Array(), "a.bvh");
if (opened.ok) { const skeleton: Skeleton = opened.value.skeleton; skeleton.find("a").toFixed(); }
`;
  writeFileSync(join(project, "main.ts"), program);
  const tsc = join(root, "studio/node_modules/typescript/bin/tsc");
  const options = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom",
    "main.ts",
  ];
  execFileSync(process.execPath, [tsc, ...options], { cwd: project, encoding: "utf8" });
});

test("Vite bundles it, the engine's bytes included", async () => {
  writeFileSync(join(project, "page.js"), `${IN_A_PAGE}${PROGRAM}document.title = answer;`);
  writeFileSync(join(project, "index.html"), `<!doctype html><script type="module" src="/page.js"></script>`);
  await build({ root: project, logLevel: "warn", build: { target: "es2022", outDir: "bundled", minify: true } });
  assert.ok(readdirSync(join(project, "bundled/assets")).some((name) => name.endsWith(".wasm")));
  writeFileSync(join(project, "bundled/walk.bvh"), readFileSync(bvh));
  check(await titleOf(join(project, "bundled")));
});

test("a page imports it without a bundler", async () => {
  const map = `{ "imports": { "@ulna/engine": "/node_modules/@ulna/engine/engine.js" } }`;
  writeFileSync(
    join(project, "index.html"),
    `<!doctype html><script type="importmap">${map}</script>
<script type="module">${IN_A_PAGE}${PROGRAM}document.title = answer;</script>`,
  );
  writeFileSync(join(project, "walk.bvh"), readFileSync(bvh));
  check(await titleOf(project));
});
