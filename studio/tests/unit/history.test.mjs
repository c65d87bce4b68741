// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import studio from "./load.mjs";

const { History, MOST_STEPS } = studio;

/** A number that steps add to, with its history. */
function counter() {
  const state = { value: 0, told: 0 };
  const history = new History(() => ++state.told);
  const add = (by, owner = "one") => {
    state.value += by;
    const step = { name: `add ${by}`, owner, undo: () => (state.value -= by), redo: () => (state.value += by) };
    history.push(step);
  };
  return { state, history, add };
}

test("undo takes steps back from the last to the first, redo does them again", () => {
  const { state, history, add } = counter();
  for (const by of [1, 10, 100]) add(by);
  assert.equal(history.undoName, "add 100");
  history.undo();
  history.undo();
  assert.deepEqual([state.value, history.undoName, history.redoName], [1, "add 1", "add 10"]);
  history.redo();
  assert.equal(state.value, 11);
  history.undo();
  history.undo();
  assert.deepEqual([state.value, history.undoName], [0, null]);
  history.undo();
  assert.equal(state.value, 0, "there was nothing to undo");
});

test("a new step forgets what was undone", () => {
  const { state, history, add } = counter();
  add(1);
  add(10);
  history.undo();
  add(100);
  assert.equal(history.redoName, null);
  history.redo();
  assert.equal(state.value, 101);
});

test("the oldest steps are dropped, and no more than so many are kept", () => {
  const { state, history, add } = counter();
  for (let i = 0; i < MOST_STEPS + 5; ++i) add(1);
  for (let i = 0; i < MOST_STEPS + 5; ++i) history.undo();
  assert.equal(state.value, 5);
});

test("what was done since a step is told, and what was taken back since", () => {
  const { history, add } = counter();
  add(1, "before");
  const saved = history.last;
  const owners = () => history.since(saved).map(({ owner }) => owner);
  assert.deepEqual(owners(), []);
  add(10, "after");
  assert.deepEqual(owners(), ["after"]);
  history.undo();
  assert.deepEqual(owners(), []);
  history.undo();
  assert.deepEqual(owners(), ["before"]);
  assert.deepEqual(history.since(null), []);
});

test("what steps bring back is held until they are dropped, undone ones too", () => {
  const { history, add } = counter();
  add(1, "first");
  history.push({ name: "open", owner: null, holds: ["second", "third"], undo() {}, redo() {} });
  history.undo();
  assert.deepEqual(history.held, new Set(["first", null, "second", "third"]));
  assert.equal(history.dropOldest(), true);
  assert.ok(!history.held.has("first"));
  add(1, "fourth");
  assert.deepEqual(history.held, new Set(["fourth"]));
  history.dropOldest();
  assert.equal(history.dropOldest(), false);
});

test("it tells of every change", () => {
  const { state, history, add } = counter();
  add(1);
  history.undo();
  history.redo();
  assert.equal(state.told, 3);
});
