// SPDX-License-Identifier: Apache-2.0

// Keys set, moved and erased; curves; few keys made of many frames.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asset, createEngine, largest, must, open, placeOf } from "./support.mjs";

const engine = await createEngine();
const character = must(open(engine, asset("ulna-character.glb")));
const { skeleton } = character;

const aboutX = (angle) => [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)];

test("a clip made by hand plays what was keyed", () => {
  const clip = engine.makeClip(skeleton, { name: "nod" });
  assert.deepEqual([clip.name, clip.form, clip.duration, clip.keyCount], ["nod", "keys", 0, 0]);
  assert.deepEqual(clip.sample(1), skeleton.restPose());
  clip.setInterpolation("linear");
  clip.setKey("Head", "rotation", 0, aboutX(0));
  clip.setKey("Head", "rotation", 1, aboutX(0.6));
  clip.setKey("Hips", "translation", 0.5, [0, 1, 0]);
  assert.deepEqual([clip.duration, clip.keyCount], [1, 3]);
  const head = skeleton.find("Head");
  const half = clip.sample(0.5).subarray(10 * head + 3, 10 * head + 7);
  aboutX(0.3).forEach((value, i) => assert.ok(Math.abs(half[i] - value) < 1e-12)); // slerp
  assert.deepEqual([...clip.keyTimes()], [0, 0.5, 1]);
  assert.deepEqual([...clip.keyTimes("Head")], [0, 1]);
  const [track] = clip.tracks("Hips");
  assert.deepEqual(track, {
    joint: 0,
    part: "translation",
    interpolation: "linear",
    keys: [{ time: 0.5, value: [0, 1, 0] }],
  });
});

test("keys are replaced, moved past each other and erased", () => {
  const clip = engine.makeClip(skeleton);
  for (const time of [0, 1, 2]) clip.setKey("Hips", "translation", time, [time, 0, 0]);
  assert.equal(clip.setKey("Hips", "translation", 1, [9, 0, 0]), 1);
  assert.equal(clip.keyCount, 3);
  assert.equal(clip.moveKey("Hips", "translation", 1, 5), 2);
  assert.deepEqual([...clip.keyTimes()], [0, 2, 5]);
  assert.deepEqual(clip.tracks()[0].keys.at(-1).value, [9, 0, 0]);
  clip.eraseKey("Hips", "translation", 0);
  assert.deepEqual([...clip.keyTimes()], [2, 5]);
  assert.throws(() => clip.eraseKey("Hips", "translation", 7), /has no key 7/);
  assert.throws(() => clip.moveKey("Head", "rotation", 0, 1), /has no key 0/);
  assert.throws(() => clip.setKey("Hips", "rotation", 0, [0, 0, 1]), /4 numbers/);
  assert.throws(() => clip.setKey("Hips", "translation", 0, [0, Infinity, 1]), /finite/);
});

test("a whole pose is keyed at once and sampled back", () => {
  const clip = engine.makeClip(skeleton);
  const poses = [0, 0.4, 0.9].map((time) => character.clips[0].sample(time));
  poses.forEach((pose, i) => clip.keyPose(i, pose));
  poses.forEach((pose, i) => assert.ok(largest(clip.sample(i).map((value, k) => value - pose[k])) < 1e-12));
  const only = engine.makeClip(skeleton);
  only.keyPose(0, poses[1], ["LeftArm"]);
  assert.deepEqual(
    only.tracks().map((track) => [skeleton.names[track.joint], track.part]),
    [["LeftArm", "rotation"]],
  );
});

test("a column of keys is moved and erased as one", () => {
  const clip = engine.makeClip(skeleton);
  const pose = skeleton.restPose();
  for (const time of [0, 1, 2]) clip.keyPose(time, pose, ["Head", "Neck", "Hips"]);
  assert.equal(clip.keyCount, 12); // three rotations and a root's translation, three times
  assert.equal(clip.moveKeysAt(1, 1.5), 4);
  assert.deepEqual([...clip.keyTimes()], [0, 1.5, 2]);
  assert.equal(clip.eraseKeysAt(1.5, { joint: "Head" }), 1);
  assert.equal(clip.eraseKeysAt(0), 4);
  assert.equal(clip.keyCount, 7);
});

test("a clone is another clip", () => {
  const clip = engine.makeClip(skeleton);
  clip.setKey("Head", "rotation", 0, aboutX(0.2));
  const copy = clip.clone();
  clip.setKey("Head", "rotation", 0, aboutX(0.9));
  const head = skeleton.find("Head");
  assert.ok(Math.abs(copy.sample(0)[10 * head + 3] - Math.sin(0.1)) < 1e-12);
  clip.free();
  assert.ok(Math.abs(copy.sample(0)[10 * head + 3] - Math.sin(0.1)) < 1e-12);
});

test("interpolations do what their names say", () => {
  const values = {};
  for (const how of engine.interpolations) {
    const clip = engine.makeClip(skeleton);
    [
      [0, 0],
      [1, 1],
      [2, 0],
      [3, 0],
    ].forEach(([time, x]) => clip.setKey("Hips", "translation", time, [x, 0, 0]));
    clip.setInterpolation(how, "Hips", "translation");
    values[how] = clip.sampleTrack("Hips", "translation", 0.25, 0.25, 1)[0];
    assert.equal(clip.tracks()[0].interpolation, how);
    assert.equal(clip.sampleTrack("Hips", "translation", 1, 1, 1)[0], 1, how);
  }
  assert.equal(values.step, 0);
  assert.equal(values.linear, 0.25);
  assert.ok(Math.abs(values.hermite - (3 * 0.25 ** 2 - 2 * 0.25 ** 3)) < 1e-12); // no tangents: an ease
  assert.ok(values["catmull-rom"] > 0.25);
});

test("tangents of Hermite keys are kept", () => {
  const clip = engine.makeClip(skeleton);
  clip.setInterpolation("hermite");
  clip.setKey("Hips", "translation", 0, [0, 0, 0], { out: [3, 0, 0] });
  clip.setKey("Hips", "translation", 1, [0, 0, 0], { in: [-3, 0, 0] });
  assert.deepEqual(clip.tracks()[0].keys[0].out, [3, 0, 0]);
  assert.ok(Math.abs(clip.sampleTrack("Hips", "translation", 0.5, 0.5, 1)[0] - 0.75) < 1e-12);
});

test("angles are keyed one by one, beyond a turn", () => {
  const rig = must(open(engine, asset("ulna-character.rig.json"))).skeleton;
  const clip = engine.makeClip(rig);
  clip.setInterpolation("linear");
  clip.setKey("LeftLeg", "angle0", 0, [0]);
  clip.setKey("LeftLeg", "angle0", 1, [4 * Math.PI]);
  const knee = rig.find("LeftLeg");
  const stage = must(rig.stage());
  const dof = rig.joints[knee].firstDof;
  const value = stage.dofs(clip.sample(0.1))[dof];
  assert.ok(Math.abs(Math.cos(value) - Math.cos(0.4 * Math.PI)) < 1e-9);
  // A rotation keyed as a whole becomes angles there too.
  const pose = rig.restPose();
  stage.setDof(pose, dof, 1);
  clip.keyPose(2, pose, ["LeftLeg"]);
  assert.deepEqual(
    clip.tracks().map((track) => track.part),
    ["angle0"],
  );
  assert.ok(Math.abs(stage.dofs(clip.sample(2))[dof] - 1) < 1e-9);
  assert.throws(() => clip.setKey("LeftLeg", "angle2", 0, [0]), /no angle2/);
});

test("curves of degrees of freedom go on without jumps and stand for the clip's rotations", () => {
  const clip = character.clips[1];
  const stage = must(skeleton.stage("anatomical"));
  for (const [of, joints] of [
    [undefined, skeleton],
    [stage, stage.skeleton],
  ]) {
    const { firstDof, dofCount } = joints.joints[skeleton.find("LeftArm")];
    const count = 200;
    const curves = clip.dofCurves("LeftArm", 0, clip.duration, count, of);
    assert.equal(curves.length, count * dofCount);
    for (let i = 1; i < count; ++i)
      for (let k = 0; k < dofCount; ++k)
        assert.ok(Math.abs(curves[i * dofCount + k] - curves[(i - 1) * dofCount + k]) < 0.5);
    const on = of ?? must(skeleton.stage());
    for (const i of [0, 77, 199]) {
      const pose = clip.sample((clip.duration * i) / (count - 1));
      const dofs = on.dofs(pose);
      dofs.set(curves.subarray(i * dofCount, (i + 1) * dofCount), firstDof);
      const again = pose.slice();
      on.applyDofs(again, dofs);
      assert.ok(
        largest(placeOf(skeleton, again, "LeftHand").map((v, k) => v - placeOf(skeleton, pose, "LeftHand")[k])) < 1e-9,
      );
    }
  }
});

test("a trail is where the joint is", () => {
  const clip = character.clips[0];
  const trail = clip.trail("LeftHand", 0, 1, 11);
  for (let i = 0; i <= 10; ++i) {
    const place = placeOf(skeleton, clip.sample(i / 10), "LeftHand");
    assert.deepEqual([...trail.subarray(3 * i, 3 * i + 3)], place.map(Math.fround));
  }
});

test("an editable clip of few keys is a copy, and of many has fewer", () => {
  const few = engine.makeClip(skeleton);
  few.keyPose(0, skeleton.restPose());
  few.keyPose(1, skeleton.restPose());
  const copy = few.editable();
  assert.deepEqual([copy.form, copy.keyCount], ["keys", few.keyCount]);
  copy.eraseKeysAt(1);
  assert.deepEqual([...few.keyTimes()], [0, 1]);
  const dense = must(character.clips[0].sampled(60));
  dense.name = "dense";
  const made = dense.editable();
  assert.deepEqual([made.form, made.name], ["keys", "dense"]);
  assert.ok(made.keyCount < dense.keyed().keyCount / 2);
});

test("frames become keys, few keys, other frames and parts", () => {
  const { skeleton: wave, clips } = must(open(engine, asset("ulna-wave.bvh")));
  const [clip] = clips;
  assert.equal(clip.form, "frames");
  assert.throws(() => clip.setKey(0, "translation", 0, [0, 0, 0]), /a clip of frames has no keys/);
  const off = (other) => {
    let most = 0;
    for (let time = 0; time <= clip.duration; time += 0.0103) {
      const [a, b] = [clip, other].map((each) => wave.modelPositions(each.sample(time)));
      most = Math.max(most, largest(a.map((value, i) => value - b[i])));
    }
    return most;
  };
  assert.ok(off(clip.keyed()) < 1e-12);
  const tolerance = wave.height / 500;
  for (const interpolation of ["linear", "catmull-rom"]) {
    const { clip: few, report } = must(clip.reduced({ tolerance, interpolation }));
    assert.ok(few.keyCount < clip.keyed().keyCount / 3, `${few.keyCount} keys`);
    assert.equal(report.keys, few.keyCount);
    assert.ok(off(few) <= 1.0001 * tolerance && report.worstError <= tolerance);
  }
  assert.equal(clip.reduced({ tolerance: 0 }).ok, false);
  assert.equal(must(clip.sampled(60)).frameCount, 2 * (clip.frameCount - 1) + 1);
  const part = must(clip.trimmed(1, 2));
  assert.ok(Math.abs(part.duration - 1) < 1e-6);
  assert.ok(largest(part.sample(0.5).map((value, i) => value - clip.sample(1.5)[i])) < 1e-9);
  assert.equal(clip.trimmed(2, 1).ok, false);
});
