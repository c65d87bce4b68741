// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import studio from "./load.mjs";

const { Bus, Settings } = studio;

/** A bus, and what was heard on it: the names of listeners in their order. */
function listened(listeners) {
  const bus = new Bus();
  const heard = [];
  for (const [name, topics] of Object.entries(listeners)) bus.on(topics, () => heard.push(name));
  return { bus, heard };
}

test("a listener hears of its topics and of no others", () => {
  const { bus, heard } = listened({ pose: "pose", both: ["pose", "time"] });
  bus.emit("time");
  bus.emit("view");
  assert.deepEqual(heard, ["both"]);
  bus.emit("pose");
  assert.deepEqual(heard, ["both", "pose", "both"]);
});

test("topics that are emitted at once are heard once", () => {
  const { bus, heard } = listened({ both: ["pose", "time"] });
  bus.emit("pose", "time");
  assert.deepEqual(heard, ["both"]);
});

test("what is emitted together is heard once, when it is over", () => {
  const { bus, heard } = listened({ both: ["pose", "time"], view: "view" });
  const answer = bus.together(() => {
    bus.emit("pose");
    bus.together(() => bus.emit("time"));
    assert.deepEqual(heard, []);
    return 7;
  });
  assert.equal(answer, 7);
  assert.deepEqual(heard, ["both"]);
});

test("what was emitted before a mistake is heard all the same, and so is what comes after", () => {
  const { bus, heard } = listened({ pose: "pose" });
  const act = () =>
    bus.together(() => {
      bus.emit("pose");
      throw new Error("a mistake");
    });
  assert.throws(act, /a mistake/);
  assert.deepEqual(heard, ["pose"]);
  bus.emit("pose");
  assert.deepEqual(heard, ["pose", "pose"]);
});

test("a listener may emit, and may leave while it is called", () => {
  const bus = new Bus();
  const heard = [];
  const once = () => {
    heard.push("once");
    bus.off("pose", once);
    bus.emit("time");
  };
  bus.on("pose", once);
  bus.on("time", () => heard.push("time"));
  bus.emit("pose");
  bus.emit("pose");
  assert.deepEqual(heard, ["once", "time"]);
});

test("settings tell of what is another value, and only then", () => {
  let told = 0;
  const settings = new Settings({ size: 1, on: false }, () => ++told);
  const before = settings.values;
  settings.set({ size: 1 });
  assert.equal(told, 0);
  settings.set({ size: 2 });
  assert.equal(told, 1);
  assert.deepEqual(settings.values, { size: 2, on: false });
  assert.deepEqual(before, { size: 1, on: false }, "what was read before has changed");
  assert.throws(() => {
    settings.values.size = 3;
  }, TypeError);
});
