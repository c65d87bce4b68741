// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import studioModules, { makeStudio, studioFolder } from "./load.mjs";

const { begin, perform, setKey, Retargeting, runRetargetJob, openFiles, must, sameNumbers } = studioModules;
const RUN = join(studioFolder, "../assets/ulna-run.bvh");
const run = { name: basename(RUN), bytes: Uint8Array.from(readFileSync(RUN)).buffer };

/** A studio whose other thread is this one: jobs wait until they are let through. */
async function makeStage() {
  const { engine, studio, character } = await makeStudio();
  const waiting = [];
  const said = [];
  const work = {
    run(job, progress) {
      waiting.at(-1)?.resolve(null);
      return new Promise((resolve, reject) => waiting.push({ job, progress, resolve, reject }));
    },
  };
  const retargeting = new Retargeting(
    studio,
    work,
    () => 0.25,
    (text) => said.push(text),
  );
  const finish = async () => {
    const { job, progress, resolve } = waiting.at(-1);
    resolve(runRetargetJob(engine, job, progress));
    await new Promise((done) => setTimeout(done));
  };
  const play = async () => {
    const playing = retargeting.play(character, run, must(engine.open(run.bytes, run.name)));
    await finish();
    await playing;
  };
  return { engine, studio, character, waiting, said, retargeting, finish, play };
}

test("a motion becomes a clip named as its file, which undo takes away", async () => {
  const { studio, character, said, retargeting, play } = await makeStage();
  const before = character.clips;
  await play();
  assert.equal(character.clips.length, before.length + 1);
  assert.equal(character.clip.name, "ulna-run.bvh");
  assert.equal(studio.playback.playing, true);
  assert.deepEqual(retargeting.settings, { feet: "auto", floor: true, pair: true, firstFrame: false });
  assert.match(said[0], /^Playing ulna-run\.bvh on ulna-character\.glb/);
  assert.equal(said.at(-1), false);
  assert.equal(studio.history.undoName, "Play motion");
  studio.history.undo();
  assert.deepEqual(character.clips, before);
  assert.equal(retargeting.settings, null);
  studio.history.redo();
  assert.equal(studio.originOf(character.clip).file, run);
});

test("a switch makes the clip anew, and undo brings the one before back with its switches", async () => {
  const { studio, character, retargeting, finish, play } = await makeStage();
  await play();
  const first = character.clip;
  studio.playback.pause();
  studio.playback.seek(0.2);
  const changed = retargeting.change({ feet: "keep" });
  assert.equal(retargeting.settings.feet, "keep", "what was asked for is not shown");
  assert.equal(character.clip, first);
  await finish();
  await changed;
  const { settings } = studio.originOf(character.clip);
  assert.deepEqual(settings, { feet: "keep", floor: true, pair: true, firstFrame: false });
  assert.deepEqual([character.time, character.clip.name, studio.history.undoName], [0.2, first.name, "Retarget"]);
  studio.history.undo();
  assert.equal(character.clip, first);
  assert.equal(retargeting.settings.feet, "auto");
});

test("a switch keeps the layers above the motion, also one that came while it was made anew", async () => {
  const { studio, character, retargeting, finish, play } = await makeStage();
  await play();
  studio.playback.pause();
  studio.playback.seek(0.4);
  const dof = character.stage.skeleton.joints[character.skeleton.find("LeftForeArm")].firstDof;
  const bend = (value) => {
    const change = begin(studio, "Bend");
    character.setDof(dof, value);
    change.finish();
    perform(studio, setKey());
  };
  bend(0.9);
  const layered = character.clip;
  assert.equal(layered.layers.length, 1);
  assert.equal(retargeting.settings.feet, "auto", "the switches are not shown");
  const changed = retargeting.change({ feet: "keep" });
  studio.playback.seek(0.6);
  bend(0.5);
  const { layers } = character.clip;
  await finish();
  await changed;
  assert.equal(retargeting.settings.feet, "keep");
  assert.deepEqual(character.clip.layers, layers);
  assert.equal(character.clip.layers[0].keys.length, 2);
  assert.notEqual(character.clip.base, layered.base);
  // Without its layers it is what a switch makes of the motion alone.
  const made = character.clip.base.sample(0.4);
  assert.notDeepEqual(made, layered.base.sample(0.4));
  assert.notDeepEqual(character.clip.sample(0.4), made);
  studio.history.undo();
  assert.equal(character.clip.base, layered.base);
  assert.deepEqual(character.clip.layers, layers);
});

test("of switches in a row the last job has all, and is the only step", async () => {
  const { studio, character, waiting, retargeting, finish, play } = await makeStage();
  await play();
  const clips = character.clips.length;
  const changes = [retargeting.change({ feet: "lock" }), retargeting.change({ pair: false })];
  assert.deepEqual(waiting.at(-1).job.options, {
    feet: "lock",
    keep: { floor: true, pair: false },
    limits: "anatomical",
    floor: 0.25,
  });
  await changes[0];
  assert.deepEqual([retargeting.settings.feet, retargeting.settings.pair], ["lock", false]);
  await finish();
  await changes[1];
  assert.deepEqual(retargeting.settings, { feet: "lock", floor: true, pair: false, firstFrame: false });
  assert.equal(character.clips.length, clips);
  studio.history.undo();
  assert.equal(studio.history.undoName, "Play motion");
});

test("a first frame that is the rest pose is no part of the motion; the engine alone makes the same", async () => {
  const { engine, character, retargeting, finish, play } = await makeStage();
  await play();
  const { frameCount } = character.clip;
  const changed = retargeting.change({ firstFrame: true });
  await finish();
  await changed;
  assert.equal(character.clip.frameCount, frameCount - 1);
  const source = must(engine.open(run.bytes, run.name));
  const [whole] = source.clips;
  const cut = must(whole.trimmed(whole.frameTime, whole.duration));
  const options = { limits: character.limits, floor: 0.25 };
  const made = must(engine.retarget(cut, { ...source, rest: whole.sample(0) }, character, options));
  const [here, there] = [character.clip, made.clip].map((clip) => clip.sample(0.1));
  assert.ok(sameNumbers(here, there));
});

test("what cannot be played is told in the library's words, and all is as it was", async () => {
  const { engine, studio, character, retargeting, finish, waiting } = await makeStage();
  const before = character.snapshot();
  const file = { name: "arm.rig.json", bytes: Uint8Array.from(Buffer.from(JSON.stringify(ARM))).buffer };
  const playing = retargeting.play(character, file, must(engine.open(file.bytes, file.name)));
  await finish();
  await playing;
  const told = studio.messages.at(-1);
  assert.equal(told.title, "arm.rig.json cannot be played on ulna-character.glb");
  assert.match(told.what, /^the source: /);
  assert.equal(studio.history.undoName, null);
  assert.deepEqual(character.snapshot(), before);
  const failing = retargeting.play(character, run, must(engine.open(run.bytes, run.name)));
  waiting.at(-1).reject(new Error("the page's worker did not start"));
  await failing;
  assert.equal(studio.messages.at(-1).what, "the page's worker did not start");
});

const ARM = {
  ulna: 1,
  joints: [
    { name: "upper", kind: "ball" },
    { name: "lower", parent: "upper", offset: [1, 0, 0], kind: "hinge", axis: [0, 0, 1] },
  ],
  clips: [
    {
      name: "bend",
      frame_time: 0.1,
      frames: [
        [0, 0, 0, 0],
        [0, 0, 0, 30],
      ],
    },
  ],
};

test("where a motion goes is asked once, and said from then on", async () => {
  const { studio, engine, character } = await makeStage();
  const asked = [];
  const played = [];
  const answers = [null, "play"];
  const opening = {
    busy() {},
    shown: async () => {},
    read: async ({ name, bytes }) => engine.open(bytes, name),
    ask: async (question) => (asked.push(question), answers.shift()),
    play: async (to, file) => void played.push([to, file.name]),
  };
  const open = (where) => openFiles(studio, opening, [run], where);
  await open("open");
  assert.deepEqual(
    [asked, played, studio.characters],
    [[{ file: run.name, character: character.name }], [], [character]],
  );
  await open("open");
  await open("open");
  assert.equal(asked.length, 2, "it is asked after it was answered");
  assert.deepEqual(played, [
    [character, run.name],
    [character, run.name],
  ]);
  studio.setArrivals({ motion: "beside" });
  await open("open");
  assert.deepEqual(
    studio.characters.map(({ name }) => name),
    [character.name, run.name],
  );
  await open("instead");
  assert.deepEqual(
    studio.characters.map(({ name }) => name),
    [run.name],
  );
  // Without a skin there is nothing to play it on.
  studio.setArrivals({ motion: "ask" });
  await open("open");
  assert.equal(asked.length, 2);
  assert.ok(engine.memory > 0);
});
