// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import studio from "./load.mjs";

const { Bus, Playback, TracePlayer } = studio;

/** What a playback needs of a character: a clip and the time it shows. */
function actor(duration, frameTime = 0) {
  return {
    time: 0,
    clip: duration === null ? null : { duration, frameTime },
    frameTime: frameTime > 0 ? frameTime : 1 / 30,
    frameAt(at) {
      return Math.round(at / this.frameTime) * this.frameTime;
    },
    visit(time) {
      this.time = time;
    },
  };
}

function stage(...characters) {
  const bus = new Bus();
  const cast = { characters, active: characters[0] ?? null };
  return { bus, cast, playback: new Playback(cast, bus) };
}

test("a moment is shown by every character, in clips of others by going round", () => {
  const [first, short, still] = [actor(4), actor(1), actor(null)];
  stage(first, short, still).playback.seek(2.5);
  assert.deepEqual([first.time, short.time, still.time], [2.5, 0.5, 0]);
});

test("playing goes on by the clock times the speed, and round at the end", () => {
  const one = actor(4);
  const { playback } = stage(one);
  playback.play();
  playback.setSpeed(2);
  playback.advance(1.5);
  assert.equal(one.time, 3);
  playback.advance(1);
  assert.equal(one.time, 1);
  assert.equal(playback.playing, true);
});

test("without a loop it ends at the end, and begins there from the start", () => {
  const one = actor(4);
  const { playback } = stage(one);
  playback.setLoop(false);
  playback.play();
  playback.advance(9);
  assert.deepEqual([one.time, playback.playing], [4, false]);
  playback.toggle();
  assert.deepEqual([one.time, playback.playing], [0, true]);
});

test("there is nothing to play without a clip, or in one of no length", () => {
  for (const one of [actor(null), actor(0)]) {
    const { playback } = stage(one);
    playback.play();
    assert.equal(playback.playing, false);
  }
  const { cast, playback } = stage(actor(4));
  playback.play();
  cast.active = null;
  playback.advance(1);
  assert.equal(playback.playing, false);
});

test("a step is one frame from the nearest one, and stays within the clip", () => {
  const one = actor(1, 0.25);
  const { playback } = stage(one);
  playback.seek(0.26);
  playback.step(1);
  assert.equal(one.time, 0.5);
  for (let i = 0; i < 9; ++i) playback.step(1);
  assert.equal(one.time, 1);
  for (let i = 0; i < 9; ++i) playback.step(-1);
  assert.equal(one.time, 0);
});

test("what changes is told: time while it is sought, played and paused", () => {
  const { bus, playback } = stage(actor(4));
  let told = 0;
  bus.on("time", () => ++told);
  playback.play();
  playback.pause();
  playback.pause();
  playback.setLoop(false);
  assert.equal(told, 3, "a second pause is no change");
});

/** A trace of so many iterations: each pose has its number. */
const traceOf = (iterations) => ({ poses: Array.from({ length: iterations + 1 }, (_, i) => Float64Array.of(i)) });

function watched(iterations) {
  const bus = new Bus();
  const pose = Float64Array.of(-1);
  const player = new TracePlayer(bus);
  player.start({ solvePose: (change) => change(pose) }, traceOf(iterations));
  return { player, pose };
}

test("a trace plays from the start to the answer, and stops there", () => {
  const { player, pose } = watched(20);
  const seen = [];
  for (let i = 0; i < 30; ++i) {
    player.advance(0.1);
    seen.push(pose[0]);
  }
  assert.deepEqual(
    [...new Set(seen)],
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
  assert.deepEqual([player.watched.step, player.watched.playing], [20, false]);
});

test("a long trace is watched in five seconds", () => {
  const { player } = watched(1000);
  for (let i = 0; i < 52; ++i) player.advance(0.1);
  assert.equal(player.watched.playing, false);
});

test("an iteration that is picked is shown and stays, within those there are", () => {
  const { player, pose } = watched(5);
  for (const [step, shown] of [
    [3, 3],
    [-2, 0],
    [99, 5],
  ]) {
    player.show(step);
    player.advance(1);
    assert.equal(pose[0], shown);
  }
});

test("its end shows the answer; to drop it leaves the pose as it is", () => {
  const first = watched(5);
  first.player.end();
  assert.deepEqual([first.pose[0], first.player.watched], [5, null]);
  const second = watched(5);
  second.player.show(2);
  second.player.drop();
  assert.deepEqual([second.pose[0], second.player.watched], [2, null]);
});
