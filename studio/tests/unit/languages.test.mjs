// SPDX-License-Identifier: Apache-2.0

// The page's languages: every message in each, with the same values, and as ICU writes them.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { catalogueOf, LANGUAGES, messages, placeholders } from "../messages.mjs";
import studioModules, { studioFolder } from "./load.mjs";

const { t, formatMessage, LANGUAGES: KNOWN } = studioModules;
const all = messages();

test("every language that the page offers has a catalogue, and no other", () => {
  const files = readdirSync(join(studioFolder, "src/languages")).map((name) => name.replace(".json", ""));
  assert.deepEqual(files.sort(), LANGUAGES);
  assert.deepEqual(Object.keys(KNOWN).sort(), [...LANGUAGES, "en"].sort());
});

for (const language of LANGUAGES) {
  test(`${language} has every message, no other, none empty, and the same values in it`, () => {
    const catalogue = catalogueOf(language);
    assert.deepEqual(
      [...all.keys()].filter((message) => !Object.hasOwn(catalogue, message)),
      [],
      "without a translation",
    );
    assert.deepEqual(
      Object.keys(catalogue).filter((message) => !all.has(message)),
      [],
      "translations of what is not said",
    );
    for (const [message, translated] of Object.entries(catalogue)) {
      assert.ok(translated.trim().length > 0, message);
      assert.deepEqual(placeholders(translated), placeholders(message), `${message}: ${translated}`);
    }
  });

  test(`${language} has a form for every number, and its rules choose it`, () => {
    const rules = new Intl.PluralRules(language);
    for (const [message, translated] of Object.entries(catalogueOf(language))) {
      if (!message.includes(", plural,")) continue;
      const names = placeholders(message);
      for (const number of [0, 1, 2, 5, 21, 1_000_000]) {
        const values = Object.fromEntries(names.map((name) => [name, number]));
        const said = formatMessage(translated, values, language);
        assert.doesNotMatch(said, /[{}#]|plural/, `${translated} with ${number}: ${said}`);
        // Either the language has one form, or a choice names what its rules may ask for.
        const [, choices] = /plural,((?:\s*\w+ \{[^{}]*\})+)/.exec(translated);
        assert.match(choices, new RegExp(`\\b(${rules.select(number)}|other) \\{`), translated);
      }
    }
  });
}

test("messages are formatted by the language's rules, and what is no message stays", () => {
  const joints = "{count, plural, one {# joint} other {# joints}} of {name}";
  assert.equal(t(joints, { count: 1, name: "a{b}" }), "1 joint of a{b}");
  assert.equal(t(joints, { count: 12345, name: "run" }), "12,345 joints of run");
  assert.equal(
    formatMessage("{count, plural, one {# Gelenk} other {# Gelenke}}", { count: 12345 }, "de"),
    "12.345 Gelenke",
  );
  assert.equal(t("a file {with} braces"), "a file {with} braces");
});
