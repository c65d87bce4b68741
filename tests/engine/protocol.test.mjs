// SPDX-License-Identifier: Apache-2.0

// The protocol: both sides are what the table says, and agree on what is left out.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { packageFolder, root } from "./support.mjs";

const importFrom = (folder, name) => import(pathToFileURL(join(folder, name)).href);
const bindings = join(root, "bindings/wasm");
const table = await importFrom(bindings, "protocol.mjs");
const { generate, withSections } = await importFrom(bindings, "generate.mjs");
const { Memory } = await importFrom(packageFolder, "lib/memory.js");
const { instantiate } = await importFrom(packageFolder, "lib/load.js");
const protocol = await importFrom(packageFolder, "lib/protocol.js");
const memory = new Memory((await instantiate()).instance);

const withField = (field) => ({
  ...table,
  requests: {
    ...table.requests,
    PaintOptions: { ...table.requests.PaintOptions, fields: [...table.requests.PaintOptions.fields, field] },
  },
});

test("the files in the repository are what the table makes", () => {
  for (const [name, text] of Object.entries(generate()))
    assert.equal(readFileSync(join(bindings, name), "utf8"), text, `${name}: run node bindings/wasm/generate.mjs`);
});

test("a field of the table is read in C++, written in JavaScript and declared in TypeScript", () => {
  const made = generate(
    withField({ name: "frameStep", type: "count", default: 7, doc: "every so many frames; {default}" }),
  );
  assert.match(made["native/protocol.h"], /std::size_t frame_step = 7;/);
  assert.match(
    made["native/protocol.cpp"],
    /out\.frame_step = static_cast<decltype\(out\.frame_step\)>\(in\.number\(\)\);/,
  );
  assert.match(made["lib/protocol.js"], /out\.push\(countOf\(value\.frameStep \?\? 7, 0, "the frame step"\)\);/);
  assert.match(made["engine.d.ts"], /frameStep\?: number; \/\/ every so many frames; default 7/);
});

test("a table that nobody understands is refused with the position of the fault", () => {
  const cases = [
    [withField({ name: "speed", type: "velocity" }), /PaintOptions\.speed has the unknown type 'velocity'/],
    [withField({ name: "speed" }), /PaintOptions\.speed has the unknown type 'undefined'/],
    [
      withField({ name: "loss", type: "FitLoss", default: "cubes" }),
      /PaintOptions\.loss has the default 'cubes', which is no word of FitLoss/,
    ],
    [withField({ name: "label", type: "text" }), /a request cannot hold 'text'/],
    [
      { ...table, calls: { clipFly: "clip: Clip, wing: Wing" } },
      /the call clipFly has the unknown argument 'wing: Wing'/,
    ],
    [
      { ...table, calls: { clipFly: "clip: Clip -> reply Wings" } },
      /the call clipFly has the unknown answer 'reply Wings'/,
    ],
  ];
  for (const [wrong, message] of cases) assert.throws(() => generate(wrong), message);
  assert.throws(() => withSections("", { goals: "" }), /engine\.d\.ts has no section 'goals'/);
  assert.throws(
    () => withSections("// <protocol wings>\n// </protocol>", {}),
    /a section 'wings' that the table does not have/,
  );
});

test("what JavaScript sends for nothing is what C++ has by default", () => {
  assert.ok(protocol.DEFAULTED.length >= 5);
  protocol.DEFAULTED.forEach((write, request) => {
    const sent = [];
    write(sent, {}, null);
    memory.exports.protocolDefaults(request);
    assert.deepEqual([...memory.reply().array(Float64Array)], sent, write.name);
  });
});

test("the engine exports the calls of the table and what frees objects", () => {
  const expected = [
    ...Object.keys(table.calls),
    ...Object.keys(table.objects).map((name) => `${name[0].toLowerCase()}${name.slice(1)}Free`),
    ...["engineVersion", "inputData", "inputRoom", "protocolDefaults", "replyData", "replyDone", "replySize"],
  ];
  const exported = Object.keys(memory.exports).filter(
    (name) => /^(engine|input|reply|protocol)/.test(name) || expected.includes(name),
  );
  assert.deepEqual(exported.sort(), expected.sort());
  assert.deepEqual(Object.keys(memory.calls).sort(), Object.keys(table.calls).sort());
});

test("arguments are checked before they reach the engine", () => {
  const clip = { pointer_: 0, memory_: memory };
  assert.throws(() => memory.calls.clipSample(clip, Infinity), /a time is a finite number/);
  assert.throws(() => memory.calls.clipSetKey(clip, 0, "wing", 0), /a part is one of translation/);
  assert.throws(() => memory.calls.clipTrail(clip, 0, 0, 1, -1), /the count is a whole number from 0 on/);
});
