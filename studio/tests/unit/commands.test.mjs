// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import studioModules, { makeStudio } from "./load.mjs";

const { begin, perform, sameSnapshot } = studioModules;
const { resetPose, resetJoint, mirrorPose, takePose } = studioModules;
const { togglePin, togglePinOrientation, toggleLock, togglePole, setLimits } = studioModules;
const { setKey, eraseKeys, setInterpolation, KeyMove, KeyEdit, smoothWeights, exchangeClip } = studioModules;
const { addLayer, changeLayer, mergeLayers, removeLayer } = studioModules;

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
  ["New layer", () => addLayer],
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

/** The clip as few keys, as it is after it was reduced. */
function reduce() {
  const reduced = studioModules.must(character.clip.reduced({ interpolation: "catmull-rom" }));
  perform(studio, exchangeClip("Reduce keys", character.clip, reduced.clip));
  return reduced.clip;
}

test("a key that is dragged has its pose at the new time; undo gives the clip back", () => {
  const before = character.clip;
  const clip = reduce();
  assert.equal(clip.dense, false);
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
  for (const command of [eraseKeys(character.clip.keyTimes()[0]), setInterpolation("step")]) {
    perform(studio, command);
    assert.equal(studio.history.undoName, command.name);
    studio.history.undo();
  }
  studio.history.undo();
  assert.equal(character.clip, clip);
  studio.history.undo();
  assert.equal(character.clip, before);
});

test("a key that is pulled up in the curves gives its degree of freedom that value, and the frame rate stays", () => {
  const before = character.clip;
  const { frameTime } = reduce();
  assert.ok(Math.abs(frameTime - before.frameTime) < 1e-12);
  studio.playback.seek(character.frameAt(0.4));
  perform(studio, setKey());
  const { time } = character;
  const edit = new KeyEdit(studio, time, elbowDof);
  edit.moveTo(time, 0.6);
  edit.moveTo(time + 0.05, 0.8);
  edit.finish();
  const there = character.stage.dofs(character.clip.sample(time + 0.05))[elbowDof];
  assert.ok(Math.abs(there - 0.8) < 1e-6, `${there}`);
  assert.equal(character.clip.frameTime, frameTime);
  assert.equal(studio.history.undoName, "Edit key");
  for (let i = 0; i < 3; ++i) studio.history.undo();
  assert.equal(character.clip, before);
});

test("a key on a dense motion is one of a layer; layers are weighed, muted, merged and deleted", () => {
  const base = character.clip;
  assert.equal(base.dense, true);
  const at = character.frameAt(base.duration / 2);
  studio.playback.seek(at);
  bend(1.1);
  const keyed = character.pose.slice();
  perform(studio, setKey());
  const { clip } = character;
  assert.equal(clip.base, base);
  const [layer] = clip.layers;
  assert.deepEqual([layer.name, layer.keys.length, layer.pins.length], ["Layer 1", 1, 2]);
  assert.deepEqual([clip.frameTime, clip.frameCount > 0], [base.frameTime, true]);
  const off = (a, b) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));
  assert.ok(off(clip.sample(at), keyed) < 1e-12);
  for (let time = 0; time < base.duration; time += base.frameTime) {
    if (Math.abs(time - at) < 0.5 + 1e-9) continue;
    assert.deepEqual(clip.sample(time), base.sample(time), `outside the falloff, at ${time}`);
  }
  const dof = (each) => character.stage.dofs(each.sample(at))[elbowDof];
  perform(studio, changeLayer(0, { weight: 0.5 }));
  assert.ok(Math.abs(dof(character.clip) - (dof(base) + dof(clip)) / 2) < 1e-9);
  perform(studio, changeLayer(0, { muted: true }));
  assert.deepEqual(character.clip.sample(at), base.sample(at));
  studio.history.undo();
  studio.history.undo();
  perform(studio, addLayer);
  bend(0.2);
  perform(studio, setKey());
  assert.deepEqual(
    character.clip.layers.map(({ name, keys }) => [name, keys.length]),
    [
      ["Layer 1", 1],
      ["Layer 2", 1],
    ],
  );
  const [both, shown] = [character.clip, character.clip.sample(at + 0.1)];
  perform(studio, mergeLayers(0));
  assert.deepEqual(
    character.clip.layers.map(({ name }) => name),
    ["Layer 2"],
  );
  assert.ok(off(character.clip.sample(at + 0.1), shown) < 1e-9, "what is merged looks as before");
  studio.history.undo();
  assert.equal(character.clip, both);
  perform(studio, removeLayer(1));
  perform(studio, removeLayer(0));
  assert.equal(character.clip, base, "without layers it is the motion itself");
  while (character.clip !== base || studio.history.undoName === "Delete layer") studio.history.undo();
  for (let i = 0; i < 6 && studio.history.undoName !== null; ++i) studio.history.undo();
  assert.equal(character.clip, base);
});

test("keys of layers are moved, pulled in the curves and deleted", () => {
  const base = character.clip;
  studio.playback.seek(character.frameAt(0.5));
  bend(0.9);
  perform(studio, setKey());
  const at = character.time;
  const move = new KeyMove(studio, at);
  move.moveTo(at + 2 * base.frameTime);
  move.finish();
  assert.ok(Math.abs(character.clip.layers[0].keys[0].time - at - 2 * base.frameTime) < 1e-12);
  const edit = new KeyEdit(studio, character.clip.layers[0].keys[0].time, elbowDof);
  edit.moveTo(character.time, 0.35);
  edit.finish();
  const there = character.stage.dofs(character.clip.sample(character.time))[elbowDof];
  assert.ok(Math.abs(there - 0.35) < 1e-6, `${there}`);
  perform(studio, eraseKeys(character.time));
  assert.equal(character.clip.layers[0].keys.length, 0);
  assert.deepEqual(character.clip.sample(0.5), base.sample(0.5));
  for (const command of [setInterpolation("step")]) {
    const last = studio.history.undoName;
    perform(studio, command);
    assert.equal(studio.history.undoName, last, "a dense motion has no interpolation to choose");
  }
  for (let i = 0; i < 5; ++i) studio.history.undo();
  assert.equal(character.clip, base);
});

test("with auto-key a changed pose is a key at once, in the same step", () => {
  const base = character.clip;
  studio.setKeeping({ autoKey: true });
  studio.playback.seek(character.frameAt(0.3));
  bend(0.8);
  studio.setKeeping({ autoKey: false });
  assert.deepEqual([character.edited, character.clip.layers.length], [false, 1]);
  assert.equal(studio.history.undoName, "Bend");
  studio.history.undo();
  assert.equal(character.clip, base);
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

test("an edit that is not keyed is kept while other moments are shown, and is there again at its own", () => {
  const { time } = character;
  bend(0.9);
  const edited = character.pose.slice();
  studio.playback.seek(time + 0.2);
  assert.deepEqual([character.edited, character.drafts.length], [false, 1]);
  assert.notDeepEqual(character.pose, edited);
  studio.playback.seek(time + 0.001);
  assert.equal(character.edited, true);
  assert.deepEqual(character.pose, edited);
  perform(studio, resetPose);
  assert.deepEqual([character.edited, character.drafts.length], [false, 0]);
  studio.history.undo();
  assert.deepEqual(character.pose, edited);
  studio.history.undo();
  assert.equal(character.edited, false);
});

test("a character that is closed comes back with its edits", () => {
  bend(0.8);
  const pose = character.pose.slice();
  const last = studio.history.undoName;
  studio.playInThePlane("chain");
  assert.deepEqual([studio.history.undoName, studio.active.planar], ["Plane", true]);
  studio.history.undo();
  assert.equal(studio.active, character);
  assert.deepEqual(character.pose, pose);
  assert.equal(studio.history.undoName, last);
  studio.history.redo();
  assert.equal(studio.active.planar, true);
  const plane = studio.active;
  studio.history.undo();
  studio.remove(character);
  assert.deepEqual([studio.active, studio.history.undoName], [null, "Close ulna-character.glb"]);
  assert.throws(() => plane.skeleton.restPose(), /free/, "what no step brings back any more is freed");
  studio.history.undo();
  assert.equal(studio.active, character);
  studio.history.undo();
});

test("work is unsaved from its first change until it is saved, and when what was saved is taken back", () => {
  assert.equal(studio.unsaved, false);
  bend(0.4);
  assert.equal(studio.unsaved, true);
  studio.noteSaved();
  assert.equal(studio.unsaved, false);
  studio.history.undo();
  assert.equal(studio.unsaved, true);
  studio.history.redo();
  assert.equal(studio.unsaved, false);
  studio.history.undo();
});

test("of characters that undo could bring back only the latest are kept, and the others are freed", () => {
  for (let i = 0; i < 8; ++i) studio.playInThePlane("tree");
  assert.throws(() => character.skeleton.restPose(), /free/);
  let steps = 0;
  for (; studio.history.undoName !== null; ++steps) studio.history.undo();
  assert.ok(steps >= 3 && steps < 8, `${steps} steps are left`);
  assert.equal(studio.active.planar, true);
  assert.ok(engine.memory > 0);
});
