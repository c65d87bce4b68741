// SPDX-License-Identifier: Apache-2.0

// Makes both sides of the protocol of protocol.mjs:
//
//   node bindings/wasm/generate.mjs           writes the files
//   node bindings/wasm/generate.mjs --check   fails where a file is not what the table says
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as table from "./protocol.mjs";
import { makeHeader, makeSource } from "./generate/cpp.mjs";
import { makeDeclarations } from "./generate/declarations.mjs";
import { makeScript } from "./generate/script.mjs";
import { checked } from "./generate/table.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** The text of every file that the table makes, by its name in this folder. */
export function generate(tables = table) {
  const whole = checked(tables);
  return {
    "native/protocol.h": makeHeader(whole),
    "native/protocol.cpp": makeSource(whole),
    "lib/protocol.js": makeScript(whole),
    "engine.d.ts": withSections(readFileSync(join(folder, "engine.d.ts"), "utf8"), makeDeclarations(whole)),
  };
}

/** A text whose parts between marks are replaced by the sections of that name. */
export function withSections(text, sections) {
  const seen = new Set();
  const out = text.replace(/(\/\/ <protocol (\w+)>.*\n)[^]*?(\/\/ <\/protocol>)/g, (_, start, name, end) => {
    if (!Object.hasOwn(sections, name))
      throw new Error(`engine.d.ts has a section '${name}' that the table does not have`);
    seen.add(name);
    return `${start}${sections[name]}${end}`;
  });
  const missing = Object.keys(sections).filter((name) => !seen.has(name));
  if (missing.length > 0) throw new Error(`engine.d.ts has no section '${missing[0]}'; add its marks`);
  return out;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  let stale = false;
  for (const [name, text] of Object.entries(generate())) {
    const path = join(folder, name);
    if (process.argv.includes("--check")) {
      if (readFileSync(path, "utf8") === text) continue;
      console.error(
        `${relative(process.cwd(), path)} is not what protocol.mjs says: run node bindings/wasm/generate.mjs`,
      );
      stale = true;
    } else {
      writeFileSync(path, text);
    }
  }
  process.exitCode = stale ? 1 : 0;
}
