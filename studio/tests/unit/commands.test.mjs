// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import studioModules, { makeStudio } from "./load.mjs";

const { begin, perform, sameSnapshot } = studioModules;
const { resetPose, resetJoint, mirrorPose, takePose } = studioModules;
const { togglePin, togglePinOrientation, toggleLock, togglePole, setLimits } = studioModules;
const { setKey, eraseKeys, setInterpolation, reduceKeys, KeyMove, KeyEdit, smoothWeights } = studioModules;

const { unpin, copyPose, pastePose, mirrorPart, resetPart, eraseKeySpan } = studioModules;

const { engine, studio, character } = await makeStudio();
const joint = (name) => character.skeleton.find(name);
const [hand, elbow] = [joint("LeftHand"), joint("LeftForeArm")];
const elbowDof = character.stage.skeleton.joints[elbow].firstDof;
const bend = (value) => {
  const change = begin(studio, "Bend");
  character.setDof(elbowDof, value);
  change.finish();
};

/** Every command, on a character that it changes. */
const COMMANDS = [
  ["Reset pose", () => resetPose],
  ["Reset joint", () => resetJoint(elbow)],
  ["Mirror pose", () => mirrorPose],
  ["Take pose", () => takePose("Take pose", character.rest)],
  ["Pin", () => togglePin(character, hand)],
  ["Unpin", () => togglePin(character, joint("LeftFoot"))],
  ["Hold orientation", () => togglePinOrientation(joint("LeftFoot"))],
  ["Lock", () => toggleLock(character, elbow)],
  ["Pole", () => togglePole(elbow)],
  ["Limits", () => setLimits("none")],
  ["Set key", () => setKey()],
  ["Delete keys", () => eraseKeys(0)],
  ["Interpolation", () => setInterpolation("step")],
  ["Reduce keys", () => reduceKeys],
  ["Smooth weights", () => smoothWeights],
  ["Unpin", () => unpin([joint("LeftFoot"), joint("RightFoot")])],
  ["Paste pose", () => pastePose({ from: "another", joints: new Map([["LeftForeArm", character.rest.slice(0, 10)]]) })],
  ["Mirror part", () => mirrorPart(elbow)],
  ["Reset part", () => resetPart(hand)],
  ["Delete keys", () => eraseKeySpan([0, 1])],
];

for (const [name, make] of COMMANDS) {
  test(`"${name}" is one step of the history, which undo takes back and redo does again`, () => {
    bend(0.7);
    const [before, last] = [character.snapshot(), studio.history.undoName];
    perform(studio, make());
    const after = character.snapshot();
    assert.equal(studio.history.undoName, name);
    assert.ok(!sameSnapshot(before, after), "it changed nothing");
    studio.history.undo();
    assert.ok(sameSnapshot(character.snapshot(), before));
    assert.equal(studio.history.undoName, last);
    studio.history.redo();
    assert.ok(sameSnapshot(character.snapshot(), after));
    studio.history.undo();
    studio.history.undo();
  });
}

test("a part that is copied has its joints alone, and is refused where nothing has their names", () => {
  const { joints } = copyPose(character, hand);
  assert.ok(joints.has("LeftArm") && joints.has("LeftHandThumb1") && !joints.has("RightArm") && !joints.has("Hips"));
  assert.equal(copyPose(character, null).joints.size, character.skeleton.jointCount);
  const before = character.snapshot();
  perform(studio, pastePose({ from: "a robot", joints: new Map([["wheel", [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]]]) }));
  assert.ok(sameSnapshot(character.snapshot(), before));
  assert.match(studio.messages.at(-1).what, /no joint of a robot/);
});

test("a command that changes nothing leaves no step", () => {
  const last = studio.history.undoName;
  perform(studio, setLimits(character.limits));
  perform(studio, { name: "Nothing", apply() {} });
  assert.equal(studio.history.undoName, last);
});

test("a command that cannot be done says why, and all is as it was", () => {
  const [before, last] = [character.snapshot(), studio.history.undoName];
  const refusal = { kind: "error", title: "No", location: "", what: "because", text: "", advice: "" };
  const command = {
    name: "Refused",
    apply(each) {
      each.setDof(elbowDof, 1.1);
      each.unpin(joint("LeftFoot"));
      return refusal;
    },
  };
  perform(studio, command);
  assert.equal(studio.messages.at(-1), refusal);
  assert.ok(sameSnapshot(character.snapshot(), before));
  assert.equal(studio.history.undoName, last);
  studio.dismiss(refusal);
});

test("a command is heard of once, however much it changes", () => {
  let heard = 0;
  const listener = () => ++heard;
  for (const topic of ["pose", "goals"]) studio.bus.on(topic, listener);
  const command = {
    name: "Much",
    apply(each) {
      each.setDof(elbowDof, 0.9);
      each.pin(hand, true);
      each.setLocked(elbow, true);
    },
  };
  perform(studio, command);
  assert.equal(heard, 1);
  for (const topic of ["pose", "goals"]) studio.bus.off(topic, listener);
  studio.history.undo();
});

test("a change that is given up leaves no trace", () => {
  const [before, last] = [character.snapshot(), studio.history.undoName];
  const change = begin(studio, "Drag");
  character.setDof(elbowDof, 1.2);
  character.pin(hand, false);
  change.cancel();
  assert.ok(sameSnapshot(character.snapshot(), before));
  assert.equal(studio.history.undoName, last);
});

test("a key that is dragged has its pose at the new time; undo gives the clip back", () => {
  const { clip } = character;
  const time = clip.keyTimes()[Math.floor(clip.keyTimes().length / 2)];
  studio.playback.seek(time);
  const pose = character.pose.slice();
  const move = new KeyMove(studio, time);
  assert.equal(character.clip, clip, "nothing has moved yet");
  for (const by of [0.01, 0.02, 0.031]) move.moveTo(time + by);
  move.finish();
  assert.equal(studio.history.undoName, "Move keys");
  assert.ok([...character.clip.keyTimes()].some((each) => Math.abs(each - time - 0.031) < 1e-9));
  assert.ok(character.clip.sample(time + 0.031).every((value, i) => Math.abs(value - pose[i]) < 1e-5));
  assert.deepEqual(clip.keyTimes(), character.original.keyTimes(), "the clip of the file has changed");
  studio.history.undo();
  assert.equal(character.clip, clip);
});

test("a key that is pulled up in the curves gives its degree of freedom that value", () => {
  const { clip } = character;
  perform(studio, setKey());
  const { time } = character;
  const edit = new KeyEdit(studio, time, elbowDof);
  edit.moveTo(time, 0.6);
  edit.moveTo(time + 0.05, 0.8);
  edit.finish();
  const there = character.stage.dofs(character.clip.sample(time + 0.05))[elbowDof];
  assert.ok(Math.abs(there - 0.8) < 1e-6, `${there}`);
  assert.equal(studio.history.undoName, "Edit key");
  studio.history.undo();
  studio.history.undo();
  assert.equal(character.clip, clip);
});

test("a pole lies on the side to which the limb bends, a limb's length away", () => {
  bend(1.2);
  perform(studio, togglePole(elbow));
  const { start, end, target } = character.poles.get(elbow);
  assert.deepEqual([start, end], [joint("LeftArm"), hand]);
  const [a, b, c] = [start, elbow, end].map((each) => character.position(each));
  const minus = (p, q) => p.map((value, i) => value - q[i]);
  const dot = (p, q) => p.reduce((sum, value, i) => sum + value * q[i], 0);
  const [way, limb] = [minus(target, b), minus(c, a)];
  const bendWay = minus(
    b,
    a.map((value, i) => (value + c[i]) / 2),
  );
  assert.ok(Math.abs(Math.hypot(...way) - Math.hypot(...limb)) < 1e-9);
  assert.ok(dot(way, bendWay) / Math.hypot(...way) / Math.hypot(...bendWay) > 1 - 1e-9);
  perform(studio, togglePole(elbow));
  assert.equal(character.poles.size, 0);
  for (let i = 0; i < 3; ++i) studio.history.undo();
});

test("state that is read cannot be written past the setters", () => {
  for (const write of [
    () => (studio.tool = "paint"),
    () => (studio.selected = 3),
    () => (studio.active = null),
    () => (character.edited = true),
    () => (character.time = 1),
    () => (character.clipIndex = 1),
    () => (studio.view.mesh = false),
  ]) {
    assert.throws(write, TypeError);
  }
});

test("each setter of a character tells what it changed", () => {
  const told = [];
  character.listen((...topics) => told.push(...topics));
  for (const [change, ...topics] of [
    [() => character.setDof(elbowDof, 0.4), "pose"],
    [() => character.solvePose(() => {}), "pose"],
    [() => character.pin(hand, false), "goals"],
    [() => character.unpin(hand), "goals"],
    [() => character.setLocked(elbow, true), "goals"],
    [() => character.setPole(elbow, { start: 0, end: 1, target: [0, 0, 0] }), "goals"],
    [() => character.removePole(elbow), "goals"],
    [() => character.setLimits("none"), "goals", "pose"],
    [() => character.sample(0.1), "pose", "time"],
    [() => character.chooseClip(1), "clip", "pose", "time"],
    [() => character.smoothWeights(), "weights", "pose"],
  ]) {
    told.length = 0;
    change();
    assert.deepEqual(new Set(told), new Set(topics), String(change));
  }
  character.listen(studio.bus.emit);
});

test("a character that is taken away is freed, with the steps that changed it", () => {
  studio.playInThePlane("chain");
  assert.equal(studio.history.undoName, null);
  assert.throws(() => character.skeleton.restPose(), /free/);
  assert.equal(studio.active.planar, true);
  assert.ok(engine.memory > 0);
});
