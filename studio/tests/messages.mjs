// SPDX-License-Identifier: Apache-2.0

// The messages of the page, read from its sources: the first arguments of t() and m(), titles of sections, and the
// names of the poses that come with it.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const studio = join(dirname(fileURLToPath(import.meta.url)), "..");
export const LANGUAGES = ["de", "es", "fr", "ja", "zh"];

/** A catalogue: translations by the English message. */
export const catalogueOf = (language) =>
  JSON.parse(readFileSync(join(studio, `src/languages/${language}.json`), "utf8"));

/** Every message, with the file that says it. */
export function messages() {
  const found = new Map();
  for (const name of readdirSync(join(studio, "src"), { recursive: true })) {
    if (!name.endsWith(".ts") || name === "language.ts") continue;
    const text = readFileSync(join(studio, "src", name), "utf8");
    const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
    const visit = (node) => {
      if (ts.isCallExpression(node) && ["t", "m", "section"].includes(node.expression.getText())) {
        const [first] = node.arguments;
        if (first && ts.isStringLiteralLike(first)) found.set(first.text, name);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  const { poses } = JSON.parse(readFileSync(join(studio, "../assets/ulna-poses.json"), "utf8"));
  for (const pose of poses) found.set(pose.name, "ulna-poses.json");
  return found;
}

const PLURAL = /\{(\w+), plural,(?:\s*\w+ \{[^{}]*\})+\s*\}/g;

/** The values that a message names. */
export function placeholders(message) {
  const chosen = [...message.matchAll(PLURAL)].map(([, name]) => name);
  const plain = [...message.replace(PLURAL, "").matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return [...new Set([...chosen, ...plain])].sort();
}
