// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import studio, { studioFolder } from "./load.mjs";

const source = join(studioFolder, "src");
const css = readFileSync(join(source, "studio.css"), "utf8");
const COLOUR = /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i;

function scripts(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? scripts(path) : path.endsWith(".ts") ? [path] : [];
  });
}

test("every colour of the style sheet is one of the theme", () => {
  const own = [...css.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name);
  const used = new Set([...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
  for (const name of own) used.delete(name);
  const missing = [...used].filter((name) => !(name.slice(2) in studio.LIGHT));
  assert.ok(used.size > 10);
  assert.deepEqual(missing, []);
});

test("colours are written down in the theme alone", () => {
  const written = (text) => text.split("\n").filter((line) => COLOUR.test(line) && !/^\s*#(include|x)/.test(line));
  assert.deepEqual(written(css), []);
  const others = scripts(source).filter((path) => !path.endsWith("/theme.ts"));
  for (const path of others) {
    const lines = written(readFileSync(path, "utf8")).filter((line) => !/#[a-z]\w*\s*[(=;.)]/i.test(line));
    assert.deepEqual(lines, [], path);
  }
});

test("text and controls are told from what they lie on, in both themes", () => {
  // Relative luminance and contrast, as WCAG 2 has them.
  const light = (hex) => {
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
    const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const contrast = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  for (const tokens of [studio.LIGHT, studio.DARK]) {
    for (const [ink, ground, least] of [
      ["ink", "surface", 7],
      ["ink", "raised", 7],
      ["soft", "surface", 4.5],
      ["soft", "raised", 4.5],
      ["on-accent", "accent", 4.5],
      ["on-pin", "pin", 4.5],
      ["error", "raised", 4.5],
      ["faint", "surface", 4.5],
      ["faint", "raised", 4.5],
      ["soft", "hover", 4.5],
      ["soft", "stage", 4.5],
      ["caution", "surface", 4.5],
      ["caution", "raised", 4.5],
      ["on-goal", "goal", 4.5],
      ["edge", "surface", 3],
      ["edge", "raised", 3],
      ["edge", "hover", 3],
      ["accent", "surface", 3],
      ["accent", "hover", 3],
      ["accent", "stage", 3],
      ["goal", "stage", 3],
      ["goal", "track", 3],
      ["pin", "stage", 3],
      ["pin", "track", 3],
      ...["axis-x", "axis-y", "axis-z"].flatMap((axis) => [
        [axis, "surface", 3],
        [axis, "stage", 3],
      ]),
    ]) {
      const found = contrast(tokens[ink], tokens[ground]);
      assert.ok(found >= least, `${ink} on ${ground}: ${found.toFixed(1)}, less than ${least}`);
    }
  }
});
