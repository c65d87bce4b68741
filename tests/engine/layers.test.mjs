// SPDX-License-Identifier: Apache-2.0

// Layers on a clip, and clips as bytes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asset, createEngine, largest, must, open } from "./support.mjs";

const engine = await createEngine();
const { skeleton, clips } = must(open(engine, asset("ulna-character.glb")));
const clip = clips.find(({ name }) => name === "walk");
const at = Math.round(clip.duration / 2 / clip.frameTime) * clip.frameTime;
const wanted = clip.sample(at);
skeleton.turnJoint(wanted, "LeftArm", [0, 0, 1], 0.7);

test("a layer is added around its keys, and the clip below stays as it is", () => {
  const empty = clip.layered([{ name: "mine", in: 0.2, out: 0.1, pins: [{ joint: "LeftFoot", orientation: true }] }]);
  assert.deepEqual([empty.base, empty.layers.length, empty.dense, empty.compose(9)], [clip, 1, true, 0]);
  const keys = empty.layerKeys(0, at, wanted);
  assert.equal(keys.length, 1);
  const layered = empty.layered([{ ...empty.layers[0], keys }]);
  assert.equal(layered.base, clip, "layers are instead of those that were there");
  assert.ok(largest(layered.sample(at).map((value, i) => value - wanted[i])) < 1e-9);
  for (const time of [0, at - 0.25, at + 0.15, clip.duration])
    assert.deepEqual(layered.sample(time), clip.sample(time));
  let left = layered.compose(1);
  for (; left > 0; left = layered.compose(2)) assert.ok(left < 20);
  const merged = layered.merged();
  assert.deepEqual([merged.base, merged.form, merged.layers.length], [null, "frames", 0]);
  assert.ok(largest(merged.sample(at).map((value, i) => value - wanted[i])) < 1e-9);
  assert.ok(
    largest(
      layered
        .clone()
        .sample(at)
        .map((value, i) => value - wanted[i]),
    ) < 1e-9,
  );
});

test("layers that cannot be are refused with a sentence", () => {
  const key = { time: 0, rotations: new Float64Array(3), translations: new Float64Array(3) };
  assert.throws(() => clip.layered([{ keys: [key] }]), /three numbers for each joint/);
  assert.throws(() => clip.layered([{ in: -1 }]), /falloff/);
  assert.throws(() => clip.layered([{ pins: [{ joint: "Tail" }] }]), /Tail/);
  const layered = clip.layered([{ weight: 0 }]);
  assert.throws(() => layered.layerKeys(0, at, wanted), /weight 0/);
  assert.throws(() => layered.layerKeys(1, at, wanted), /no layer 1/);
  assert.equal(clip.compose(5), 0, "a clip without layers is whole");
});

test("a clip is the same again from its bytes, with its frame rate", () => {
  const keyed = must(clip.reduced()).clip;
  keyed.setFrameRate(25);
  for (const each of [clip, keyed]) {
    const again = must(engine.readClip(skeleton, each.bytes()));
    assert.deepEqual([again.form, again.keyCount, again.frameTime], [each.form, each.keyCount, each.frameTime]);
    for (let time = 0; time < clip.duration; time += 0.071) assert.deepEqual(again.sample(time), each.sample(time));
  }
  assert.equal(keyed.frameTime, 1 / 25);
  assert.throws(() => keyed.setFrameRate(0), /rate/);
  assert.match(engine.readClip(skeleton, new Uint8Array(50)).error.what, /not the bytes of a clip/);
});

test("a reduction says how far it is, and ends where it is told to", () => {
  const told = [];
  must(clip.reduced({ progress: (fraction) => void told.push(fraction) }));
  assert.ok(told.length > 2 && told.at(-1) === 1);
  const cancelled = clip.reduced({ progress: () => false });
  assert.match(cancelled.error.what, /cancelled/);
});
