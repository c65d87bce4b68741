// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import studio, { studioFolder } from "./load.mjs";

const { inPageWords, messageOf } = studio;
const OPTION = /--[a-z]|'ulna /;

/** Texts of the library's sources that name an option or a command. */
function textsWithOptions(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return textsWithOptions(path);
    if (!entry.name.endsWith(".cpp")) return [];
    // Neighbouring literals are one text.
    const source = readFileSync(path, "utf8")
      .replace(/^\s*\/\/.*$/gm, "")
      .replace(/"\s*\n\s*"/g, "");
    return [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, text]) => text).filter((text) => OPTION.test(text));
  });
}

test("whatever the library advises, the page names no option of the command line", () => {
  const texts = textsWithOptions(join(dirname(studioFolder), "ulna"));
  assert.ok(texts.length > 20, `${texts.length} texts`);
  for (const text of texts) assert.doesNotMatch(inPageWords(text), OPTION, text);
});

test("advice becomes what does the same in the page, and the rest of a text stays", () => {
  assert.equal(inPageWords("give limits in a rig file"), "give limits in a rig file");
  assert.equal(inPageWords("no clip has this name -- or none"), "no clip has this name -- or none");
  assert.match(
    inPageWords("one clip of 3 is written; --clip chooses it"),
    /^one clip of 3 is written; choose the clip/,
  );
  assert.equal(inPageWords("the rest pose is not straight (--rest-frame)"), "the rest pose is not straight");
  const error = { what: "a", file: "f", line: 1, column: 0, path: "", text: "--x", advice: "--lenient drops it" };
  assert.match(messageOf(error, "t").advice, /text editor/);
});
