// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import studio from "./load.mjs";

const { itemAt, vec3At, present, must, sameNumbers, sameItems, sameEntries } = studio;
const { messageOf, errorOf, noteOf } = studio;

test("an item that is not there is a mistake with a sentence", () => {
  assert.equal(itemAt(Float32Array.of(1, 2), 1), 2);
  for (const index of [-1, 2, NaN, 0.5])
    assert.throws(() => itemAt([7, 8], index), /There is no item .* in a list of 2/);
  assert.throws(() => vec3At([1, 2, 3, 4, 5], 1), RangeError);
  assert.deepEqual(vec3At([1, 2, 3, 4, 5, 6], 1), [4, 5, 6]);
});

test("a value that is not there is named, and nought is a value", () => {
  for (const value of [0, "", false]) assert.equal(present(value, "value"), value);
  for (const value of [null, undefined]) assert.throws(() => present(value, "pole"), /There is no pole/);
});

test("a result that cannot fail gives its value, or throws what the engine says", () => {
  assert.equal(must({ ok: true, value: 5 }), 5);
  assert.throws(() => must({ ok: false, error: { message: "no such joint" } }), /no such joint/);
});

test("lists are compared by length and by every item", () => {
  assert.ok(sameNumbers([1, 2], Float64Array.of(1, 2 + 1e-10)));
  assert.ok(!sameNumbers([1, 2], [1, 2 + 1e-8]));
  assert.ok(!sameNumbers([1, 2], [1, 2, 3]));
  assert.ok(!sameNumbers([1, NaN], [1, 2]), "what is not a number is like no number");
  assert.ok(sameItems(["a"], ["a"]) && !sameItems(["a"], ["b"]) && !sameItems([], ["a"]));
  const pin = {};
  assert.ok(sameEntries(new Map([[1, pin]]), new Map([[1, pin]])));
  assert.ok(!sameEntries(new Map([[1, pin]]), new Map([[1, {}]])));
  assert.ok(!sameEntries(new Map([[1, pin]]), new Map([[2, pin]])));
});

test("a diagnostic of the engine becomes a message with file, line and column, or with a path", () => {
  const error = { what: "w", text: "t", advice: "a", file: "x.bvh", line: 4, column: 7, path: "", message: "m" };
  assert.deepEqual(messageOf(error, "Title"), {
    ...{ kind: "error", title: "Title", location: "x.bvh:4:7", what: "w", text: "t", advice: "a" },
  });
  const inside = { ...error, file: "x.rig.json", line: 0, column: 0, path: "joints[3].limits" };
  assert.equal(messageOf(inside, "Title").location, "x.rig.json joints[3].limits");
  const nowhere = { ...error, file: "", line: 0, column: 0 };
  assert.equal(messageOf(nowhere, "Title").location, "");
  assert.equal(messageOf(nowhere, "Title", "y.obj").location, "y.obj");
  assert.equal(messageOf(error, "Title", "y.obj").location, "x.bvh:4:7");
});

test("messages of the page's own have no text of a file in them", () => {
  assert.deepEqual(noteOf("Saved"), { kind: "note", title: "Saved", location: "", what: "", text: "", advice: "" });
  const error = errorOf("No film", "there is no motion", { advice: "choose a clip" });
  assert.deepEqual([error.kind, error.location, error.advice], ["error", "", "choose a clip"]);
});
