// SPDX-License-Identifier: Apache-2.0

// Retargeting, judged by the native tool, by forward kinematics and by plain matrices.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { asset, createEngine, distance, largest, must, native, open, placeOf, sharedFiles } from "./support.mjs";

const engine = await createEngine();
const folder = mkdtempSync(join(tmpdir(), "ulna-retarget-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const captured = sharedFiles([".bvh"]).find((path) => basename(path) === "09_01.bvh");
const character = must(open(engine, asset("ulna-character.glb")));
const runner = must(open(engine, captured));
const rest = runner.clips[0].sample(0);
const run = runner.clips[0];
const source = { ...runner, rest };

const positionsAt = ({ skeleton }, clip, frame) => skeleton.modelPositions(clip.sample(frame * clip.frameTime));
const off = (a, b) => largest(a.map((value, i) => value - b[i]));

/** The same by the tool: what it prints, and positions of all joints by frame. */
function nativeRetarget(from, to, ...options) {
  const out = join(folder, "out.rig.json");
  const printed = native("retarget", from, "--to", to, "--out", out, ...options);
  return { printed, frames: native("fk", out, "--all").frames };
}

const PAIRS = [
  [captured, asset("ulna-character.glb"), ["--rest-frame", "0", "--feet", "lock"], { feet: "lock" }],
  [captured, asset("ulna-character.glb"), ["--rest-frame", "0", "--limits", "anatomical"], { limits: "anatomical" }],
  [captured, asset("ulna-character.rig.json"), ["--rest-frame", "0", "--to-floor", "0.25"], { floor: 0.25 }],
  [asset("ulna-run.bvh"), captured, ["--to-rest-frame", "0", "--feet", "keep"], { feet: "keep" }],
];
for (const [from, to, native, options] of PAIRS) {
  test(`${basename(from)} on ${basename(to)} with ${native.join(" ")} is what the tool makes`, () => {
    const [a, b] = [must(open(engine, from)), must(open(engine, to))];
    const bodies = [a, b].map((body, i) =>
      [from, to][i] === captured ? { ...body, rest: body.clips[0].sample(0) } : body,
    );
    const { clip, report, contacts } = must(engine.retarget(a.clips[0], ...bodies, options));
    const { printed, frames } = nativeRetarget(from, to, ...native);
    assert.equal(clip.frameCount, printed.frames);
    assert.equal(clip.frameCount, a.clips[0].frameCount);
    const worst = frames.map(({ positions }, frame) => off(positionsAt(b, clip, frame), positions.flat()) / b.size);
    assert.ok(largest(worst) < 1e-9, `${largest(worst)}`);
    const degrees = 180 / Math.PI;
    for (const [name, ours, theirs] of [
      ["scale", report.scale, printed.scale],
      ["floor", report.floor, printed.floor],
      ["largest direction", report.directionMost * degrees, printed.limbs.most_degrees],
      ["mean slide", report.slideMean, printed.feet.slide_mean],
      ["largest slide", report.slideMost, printed.feet.slide_most],
      ["penetration", report.penetration, printed.feet.penetration],
      ["lowered frames", report.lowered, printed.pelvis.lowered_frames],
      ["fastest", report.fastest * degrees, printed.fastest.degrees_per_second],
      ["fastest of the source", report.fastestSource * degrees, printed.fastest.source_degrees_per_second],
      ["floor of the source", contacts.floor, printed.contacts.floor],
    ])
      assert.ok(Math.abs(ours - theirs) < 1e-9 * Math.max(1, b.size, Math.abs(theirs)), `${name}: ${ours}, ${theirs}`);
    assert.ok(Math.abs(report.directionMean * degrees - printed.limbs.mean_degrees) < 1e-6);
    assert.equal(b.skeleton.names[report.fastestJoint] ?? null, printed.fastest.joint);
    assert.deepEqual(contacts.contacts, printed.contacts.spans);
  });
}

test("a floor, and hands that need not keep near each other, change what they name", () => {
  const make = (options) => must(engine.retarget(run, source, character, { feet: "lock", ...options })).clip;
  const [low, high, apart] = [make({}), make({ floor: 0.3 }), make({ keep: { pair: false, floor: false } })];
  const [a, b, c] = [low, high, apart].map((clip) => positionsAt(character, clip, 60));
  for (let i = 0; i < a.length; i += 3) assert.ok(Math.abs(b[i + 1] - a[i + 1] - 0.3) < 1e-6, `joint ${i / 3}`);
  const foot = 3 * character.skeleton.find("LeftFoot");
  assert.ok(off(a.slice(foot, foot + 3), c.slice(foot, foot + 3)) < 1e-9);
});

test("contacts are those of the report; others are obeyed, and refused outside the clip", () => {
  const found = must(engine.findContacts(run, source));
  const made = must(engine.retarget(run, source, character, { feet: "lock" }));
  assert.deepEqual(found, made.contacts);
  assert.ok(found.contacts.length > 2);
  const ankle = ({ clip }, frame) => placeOf(character.skeleton, clip.sample(frame * clip.frameTime), "LeftFoot");
  const held = {
    floor: found.floor,
    contacts: ["heel", "ball"].map((part) => ({ side: "left", part, first: 40, last: 60 })),
  };
  const told = must(engine.retarget(run, source, character, { feet: "lock", contacts: held }));
  assert.deepEqual(told.contacts, held);
  assert.ok(distance(ankle(told, 42), ankle(told, 58)) < 1e-3);
  const shortest = must(engine.findContacts(run, source, { shortest: 10 }));
  assert.deepEqual(shortest.contacts, []);
  const outside = { floor: 0, contacts: [{ side: "left", part: "heel", first: 3, last: run.frameCount }] };
  const refused = engine.retarget(run, source, character, { contacts: outside });
  assert.match(refused.error.what, /a contact from frame 3 to \d+ is not inside the clip/);
});

test("progress grows, cancels, and what it throws comes out", () => {
  const seen = [];
  must(engine.retarget(run, source, character, { progress: (fraction) => void seen.push(fraction) }));
  assert.ok(seen.length > 1 && seen[0] === 0 && seen.every((each, i) => each < 1 && (i === 0 || each > seen[i - 1])));
  let calls = 0;
  const cancelled = engine.retarget(run, source, character, { progress: () => ++calls < 2 });
  assert.equal(cancelled.ok, false);
  assert.match(cancelled.error.what, /cancelled/);
  assert.equal(calls, 2);
  const thrown = new Error("enough");
  const progress = () => {
    throw thrown;
  };
  assert.throws(() => engine.retarget(run, source, character, { progress }), thrown);
  assert.ok(engine.retarget(run, source, character).ok);
});

test("a first frame in which somebody stands replaces a rest pose in which nobody does", () => {
  for (const path of sharedFiles([".bvh"])) {
    const { skeleton, clips, free } = must(open(engine, path));
    assert.equal(skeleton.replacesRest(clips[0].sample(0)), path.includes("/cmu/"), basename(path));
    free();
  }
  const { skeleton, clips } = character;
  for (const clip of clips) assert.equal(skeleton.replacesRest(clip.sample(0)), false, clip.name);
  // The rest pose is one itself, and lying down is none.
  assert.equal(skeleton.replacesRest(skeleton.restPose()), false);
});

test("a body without its mesh, and with its soles, is the same body", () => {
  const { skeleton, meshes } = character;
  const soles = engine.findSoles(character);
  assert.ok(soles.every((side) => side.length >= 9 && side.length % 3 === 0));
  for (const side of soles) for (let i = 1; i < side.length; i += 3) assert.ok(Math.abs(side[i]) < 0.03, `${side[i]}`);
  const whole = must(engine.retarget(run, source, { skeleton, meshes }, { feet: "lock" })).clip;
  const given = must(engine.retarget(run, source, { skeleton, soles }, { feet: "lock" })).clip;
  const rig = must(engine.open(must(engine.writeRig(skeleton)).bytes, "target.rig.json"));
  const passed = must(engine.retarget(run, source, { skeleton: rig.skeleton, soles }, { feet: "lock" })).clip;
  for (const frame of [0, 50, 120]) {
    const time = frame * whole.frameTime;
    assert.deepEqual(given.sample(time), whole.sample(time));
    assert.ok(off(passed.sample(time), whole.sample(time)) < 1e-9);
  }
  assert.deepEqual(
    engine.findSoles({ skeleton }).map((side) => side.length),
    [0, 0],
  );
});

test("a picture of the source lies over the result, whatever its axes and unit", () => {
  const out = join(folder, "up.bvh");
  native("convert", captured, out, "--up", "z", "--scale", "10");
  const other = must(open(engine, out));
  const body = { ...other, rest: other.clips[0].sample(0) };
  const {
    clip,
    report,
    targetFromSource: m,
  } = must(engine.retarget(other.clips[0], body, character, { feet: "lock" }));
  const leg =
    report.scale *
    distance(placeOf(other.skeleton, body.rest, "LeftUpLeg"), placeOf(other.skeleton, body.rest, "LeftFoot"));
  for (let frame = 1; frame < clip.frameCount; frame += 10) {
    const pose = other.clips[0].sample(frame * clip.frameTime);
    for (const joint of ["LeftUpLeg", "LeftFoot"]) {
      const [x, y, z] = placeOf(other.skeleton, pose, joint);
      const mapped = [0, 1, 2].map((k) => m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k]);
      const here = placeOf(character.skeleton, clip.sample(frame * clip.frameTime), joint);
      assert.ok(distance(mapped, here) < 0.15 * leg, `${joint}, frame ${frame}: ${mapped} is not about ${here}`);
    }
  }
});

test("what is no body, and what belongs together, is said", () => {
  const joints = [{ name: "a" }, { name: "b", parent: "a", offset: [1, 0, 0] }];
  const skeleton = must(engine.makeSkeleton(joints));
  const clip = engine.makeFrames(skeleton, [skeleton.restPose()]);
  const refused = engine.retarget(clip, { skeleton }, character);
  assert.equal(refused.ok, false);
  assert.match(refused.error.message, /^the source: /);
  assert.match(engine.retarget(run, source, { skeleton }).error.message, /^the target: /);
  assert.equal(engine.findContacts(clip, { skeleton }).ok, false);
  assert.throws(() => engine.retarget(clip, source, character), /from its own skeleton/);
  assert.throws(() => engine.retarget(run, { ...source, meshes: character.meshes }, character), /of its own skeleton/);
  assert.throws(() => engine.retarget(run, source, character, { limits: "borrowed" }), /limits/);
  assert.throws(() => engine.retarget(run, { ...source, rest: rest.subarray(10) }, character), RangeError);
  assert.throws(() => engine.retarget(run, source, character, { feet: "dance" }), /what feet do is one of/);
});

test("a clip of keys is played too", () => {
  const keyed = run.keyed();
  const [frames, keys] = [run, keyed].map((clip) => must(engine.retarget(clip, source, character)).clip);
  assert.equal(keys.form, "frames");
  assert.ok(off(keys.sample(0.4), frames.sample(0.4)) < 1e-6);
});
