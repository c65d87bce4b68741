// SPDX-License-Identifier: Apache-2.0

// Projects: what is captured, packed, unpacked and restored is what there was, to the bit.
import assert from "node:assert/strict";
import { test } from "node:test";
import studioModules, { makeStudio } from "./load.mjs";

const { Blobs, captureProject, restoreProject, packProject, unpackProject, isProject, blobsOf } = studioModules;
const { begin, perform, setKey, togglePin, toggleLock, togglePole, smoothWeights, sameSnapshot } = studioModules;

const { engine, studio, character } = await makeStudio();
const joint = (name) => character.skeleton.find(name);

/** What is there, as a file and back. */
async function again(change = (bytes) => bytes) {
  const blobs = new Blobs("test");
  const project = captureProject(studio, null, blobs);
  const pieces = packProject({ project, blobs: [...blobsOf(project)].map((name) => [name, blobs.bytes(name)]) });
  const bytes = change(new TextEncoder().encode(pieces.join("")).buffer);
  assert.ok(isProject(bytes));
  const read = unpackProject(bytes);
  if (!read.ok) throw new Error(read.what);
  const found = new Map(read.value.blobs);
  return restoreProject(engine, read.value.project, (name) => found.get(name) ?? new Uint8Array());
}

test("a project holds poses, pins, poles, locks, limits, keys, weights and drafts", async () => {
  perform(studio, togglePin(character, joint("LeftHand")));
  perform(studio, toggleLock(character, joint("Neck")));
  perform(studio, togglePole(joint("RightForeArm")));
  perform(studio, smoothWeights);
  const change = begin(studio, "Bend");
  const { firstDof } = character.stage.skeleton.joints[joint("LeftForeArm")];
  character.setDof(firstDof, 0.7);
  change.finish();
  perform(studio, setKey());
  studio.playback.seek(0.5);
  const edit = begin(studio, "Bend");
  character.setDof(firstDof, 0.3);
  edit.finish();
  studio.playback.seek(0.9);
  assert.equal(character.drafts.length, 1);
  const [copy] = (await again()).characters;
  const [before, after] = [character.snapshot(), copy.snapshot()];
  assert.deepEqual(after.pose, before.pose);
  for (const key of ["pins", "poles", "locked", "limits", "clipIndex", "time", "pinsStale", "weights"])
    assert.deepEqual(after[key], before[key], key);
  assert.deepEqual(
    after.drafts.map(({ time, pose }) => [time, pose]),
    before.drafts.map(({ time, pose }) => [time, pose]),
  );
  character.clips.forEach((clip, i) => {
    const other = copy.clips[i];
    assert.deepEqual([other.name, other.duration, other.frameTime], [clip.name, clip.duration, clip.frameTime]);
    for (let time = -0.1; time < clip.duration + 0.2; time += 0.037)
      assert.deepEqual(other.sample(time), clip.sample(time), `${clip.name} at ${time}`);
  });
  assert.ok(sameSnapshot(before, character.snapshot()), "to capture changes nothing");
  copy.free();
});

test("what is damaged says so, and leaves nothing behind", async () => {
  const text = (change) => (bytes) => new TextEncoder().encode(change(new TextDecoder().decode(bytes))).buffer;
  for (const [what, change] of [
    [/cut off or damaged/, (bytes) => bytes.slice(0, bytes.byteLength - 100)],
    [/version 9/, text((all) => all.replace('"ulna_project":1', '"ulna_project":9'))],
    [/missing/, text((all) => all.replace(/"bytes":"test-0"/, '"bytes":"test-77"'))],
    [/damaged/, text((all) => all.replace(/"pose":\[[^,]*,/, '"pose":['))],
    [/./, text((all) => all.replace(/"characters":\[/, '"characters":[null,'))],
  ])
    await assert.rejects(again(change), what);
});

test("bytes of clips that somebody changed are refused, and never read past their end", () => {
  const bytes = character.clip.bytes();
  assert.equal(engine.readClip(character.skeleton, bytes).ok, true);
  let refused = 0;
  for (let i = 0; i < 200; ++i) {
    const cut = bytes.slice(0, Math.floor((bytes.length * i) / 200));
    refused += engine.readClip(character.skeleton, cut).ok ? 0 : 1;
    const spoilt = bytes.slice();
    for (let k = 0; k < 8; ++k) spoilt[(i * 131 + k) % 2000] = 255;
    engine.readClip(character.skeleton, spoilt);
  }
  assert.equal(refused, 200);
  const plane = engine.makePlanarChain();
  assert.match(engine.readClip(plane, bytes).error.what, /not the bytes of a clip of this skeleton/);
});
