// SPDX-License-Identifier: Apache-2.0

// Drags: the hand goes where it is pulled, pins hold, and the body comes back. Judged by forward
// kinematics of our own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { POSE_STRIDE, asset, createEngine, distance, must, open } from "./support.mjs";

const engine = await createEngine();
const { skeleton, meshes } = must(open(engine, asset("ulna-character.glb")));
const rest = skeleton.restPose();
const FEET = ["LeftFoot", "RightFoot"];
const MILLIMETRE = 0.001;

/** v rotated by the unit quaternion x y z w. */
function rotated([x, y, z, w], v) {
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const t = cross([x, y, z], v).map((value) => 2 * value);
  const u = cross([x, y, z], t);
  return v.map((value, i) => value + w * t[i] + u[i]);
}

/** Where a point of a joint is in the model: up the tree, one transform after the other. */
function positionOf(pose, joint, point = [0, 0, 0]) {
  let at = [...point];
  for (let j = skeleton.find(joint); j >= 0; j = skeleton.parents[j]) {
    const numbers = pose.subarray(POSE_STRIDE * j, POSE_STRIDE * (j + 1));
    const scaled = at.map((value, i) => value * numbers[7 + i]);
    at = rotated(numbers.subarray(3, 7), scaled).map((value, i) => value + numbers[i]);
  }
  return at;
}

const hand = positionOf(rest, "LeftHand");
const grab = { joint: "LeftHand", start: hand };
const pins = FEET.map((joint) => ({ joint, target: positionOf(rest, joint) }));
const stage = must(skeleton.stage("anatomical"));

/** Pulls for so many frames, or until nothing more happens. */
function pull(drag, target, pose, frames = 60) {
  let step = drag.solve(target, pose);
  for (let i = 1; i < frames && step.more; ++i) step = drag.solve(target, pose);
  return step;
}

test("a body's usual stage has human limits and feet to pin; a chain has its own and none", () => {
  const body = must(skeleton.stage("usual"));
  assert.equal(body.limits, "anatomical");
  assert.deepEqual(body.feet.map((joint) => skeleton.names[joint]).sort(), FEET);
  const chain = must(engine.makePlanarChain().stage("usual"));
  assert.equal(chain.limits, "own");
  assert.deepEqual(chain.feet, []);
  assert.equal(must(skeleton.stage("none")).limits, "none");
  assert.equal(must(skeleton.stage(skeleton)).limits, "borrowed");
});

test("a document's size is the largest extent of its bones", () => {
  const { size, clips } = must(open(engine, asset("ulna-character.glb")));
  const extent = (pose) =>
    Math.max(
      ...[0, 1, 2].map((axis) => {
        const values = skeleton.modelPositions(pose).filter((_, i) => i % 3 === axis);
        return Math.max(...values) - Math.min(...values);
      }),
    );
  const joints = Math.max(extent(rest), extent(clips[0].sample(0)));
  // The tips of bones may reach a little beyond the joints.
  assert.ok(size >= joints - 1e-9 && size < 1.2 * joints, `${size} for ${joints}`);
});

test("the hand is on the pointer in every frame of a path, and the feet stay", () => {
  const drag = must(stage.makeDrag(rest, grab, { pins }));
  const pose = rest.slice();
  assert.equal(drag.note, "");
  for (let frame = 0; frame <= 120; ++frame) {
    const angle = (2 * Math.PI * frame) / 120;
    const target = [
      hand[0] - 0.15 + 0.15 * Math.cos(angle),
      hand[1] - 0.2 * Math.sin(angle),
      hand[2] + 0.1 * Math.sin(angle),
    ];
    const { report } = pull(drag, target, pose);
    assert.ok(distance(positionOf(pose, "LeftHand"), target) < MILLIMETRE, `frame ${frame}: ${report.status}`);
    for (const { joint, target: held } of pins)
      assert.ok(distance(positionOf(pose, joint), held) < MILLIMETRE, `frame ${frame}: ${joint} slipped`);
    assert.ok(stage.excess(pose) < 1e-6, `frame ${frame} is beyond the limits`);
  }
});

test("a hand that leaps away and comes back finds the body as it was", () => {
  const drag = must(stage.makeDrag(rest, grab, { pins }));
  const pose = rest.slice();
  pull(drag, [hand[0], hand[1] - 0.5, hand[2] + 0.3], pose);
  assert.ok(distance(positionOf(pose, "LeftHand"), hand) > 0.3);
  for (let frame = 0; frame < 30; ++frame) drag.solve(hand, pose);
  for (const name of skeleton.names) assert.ok(distance(positionOf(pose, name), positionOf(rest, name)) < 1e-9, name);
});

test("a target beyond reach stretches the body towards it, the feet stay, and it ends", () => {
  const drag = must(stage.makeDrag(rest, grab, { pins }));
  const pose = rest.slice();
  const target = [hand[0] + 5, hand[1], hand[2]];
  const before = distance(hand, target);
  const { more } = pull(drag, target, pose, 200);
  assert.equal(more, false);
  assert.ok(distance(positionOf(pose, "LeftHand"), target) < before);
  for (const { joint, target: held } of pins)
    assert.ok(distance(positionOf(pose, joint), held) < 2 * MILLIMETRE, joint);
});

test("a held point beside the joint is what goes to the pointer", () => {
  const point = [0.02, 0.05, 0];
  const start = positionOf(rest, "LeftHand", point);
  const drag = must(stage.makeDrag(rest, { joint: "LeftHand", point, start }, { pins }));
  const pose = rest.slice();
  assert.ok(distance(drag.heldPoint(pose), start) < 1e-12);
  const target = [start[0] - 0.2, start[1] - 0.1, start[2] + 0.2];
  pull(drag, target, pose);
  assert.ok(distance(positionOf(pose, "LeftHand", point), target) < MILLIMETRE);
  assert.ok(distance(drag.heldPoint(pose), positionOf(pose, "LeftHand", point)) < 1e-12);
});

test("locked joints stay, and without pins so does the root", () => {
  const drag = must(stage.makeDrag(rest, grab, { locked: ["LeftForeArm"] }));
  const pose = rest.slice();
  pull(drag, [hand[0] - 0.1, hand[1] - 0.3, hand[2]], pose);
  const rotation = (each, joint) => {
    const first = POSE_STRIDE * skeleton.find(joint) + 3;
    return [...each.subarray(first, first + 4)];
  };
  rotation(rest, "LeftForeArm").forEach((value, i) =>
    assert.ok(Math.abs(value - rotation(pose, "LeftForeArm")[i]) < 1e-9),
  );
  assert.notDeepEqual(rotation(pose, "LeftArm"), rotation(rest, "LeftArm"));
  const root = skeleton.parents.indexOf(-1);
  assert.ok(distance(positionOf(pose, skeleton.names[root]), positionOf(rest, skeleton.names[root])) < 1e-9);
});

test("pins hold orientations, and poles say where a limb bends", () => {
  const [orientation] = [
    [...skeleton.orientations(rest).subarray(4 * skeleton.find("LeftFoot"), 4 * skeleton.find("LeftFoot") + 4)],
  ];
  const elbow = positionOf(rest, "LeftForeArm");
  const poles = [{ start: "LeftArm", mid: "LeftForeArm", end: "LeftHand", target: [elbow[0], elbow[1] - 1, elbow[2]] }];
  const drag = must(stage.makeDrag(rest, grab, { pins: [{ ...pins[0], orientation }, pins[1]], poles }));
  const pose = rest.slice();
  const target = [hand[0] - 0.25, hand[1], hand[2] + 0.15];
  pull(drag, target, pose);
  const now = skeleton.orientations(pose).subarray(4 * skeleton.find("LeftFoot"), 4 * skeleton.find("LeftFoot") + 4);
  const alike = Math.abs(orientation.reduce((sum, value, i) => sum + value * now[i], 0));
  assert.ok(2 * Math.acos(Math.min(1, alike)) < 1e-3);
  const middle = positionOf(pose, "LeftArm").map((value, i) => (value + positionOf(pose, "LeftHand")[i]) / 2);
  assert.ok(positionOf(pose, "LeftForeArm")[1] < middle[1], "the elbow points down, where the pole is");
});

test("a pole is as far from the joint as the limb is long, and only limbs have one", () => {
  const pole = skeleton.pole(rest, "LeftForeArm");
  assert.deepEqual(
    [pole.start, pole.mid, pole.end].map((joint) => skeleton.names[joint]),
    ["LeftArm", "LeftForeArm", "LeftHand"],
  );
  const [shoulder, elbow] = ["LeftArm", "LeftForeArm"].map((joint) => positionOf(rest, joint));
  assert.ok(Math.abs(distance(pole.target, elbow) - distance(shoulder, hand)) < 1e-9);
  assert.equal(skeleton.pole(rest, 0), null);
  assert.ok(must(stage.makeDrag(rest, grab, { pins, poles: [pole] })));
});

test("a pin that was dragged is on its joint, or where the hand wanted it", () => {
  const [pose, pin] = [rest.slice(), { joint: "LeftHand", target: hand, mine: true }];
  const drag = must(stage.makeDrag(pose, grab, { pins }));
  const [near, far] = [
    [hand[0] - 0.1, hand[1], hand[2] + 0.1],
    [hand[0] + 9, hand[1], hand[2]],
  ];
  pull(drag, near, pose);
  const moved = drag.movedPin(pin, near, pose);
  assert.ok(moved.reached && moved.mine && distance(moved.target, positionOf(pose, "LeftHand")) < 1e-12);
  assert.notEqual(pull(drag, far, pose).status, "max_iterations");
  const beyond = drag.movedPin(pin, far, pose);
  assert.ok(!beyond.reached && distance(beyond.target, far) < 1e-12);
});

test("a method that cannot do everything says what it left out", () => {
  const ccd = must(stage.makeDrag(rest, grab, { pins, method: "two-bone" }));
  assert.match(ccd.note, /two-bone follows one chain: the pins are left out/);
  const pose = rest.slice();
  const target = [hand[0] - 0.2, hand[1] - 0.1, hand[2] + 0.1];
  pull(ccd, target, pose);
  assert.ok(distance(positionOf(pose, "LeftHand"), target) < MILLIMETRE);
});

test("a body keeps its balance, or what it is asked to keep, or moves as little as it can", () => {
  const start = positionOf(rest, "LeftFoot");
  const right = positionOf(rest, "RightFoot");
  const hips = (options) => {
    const drag = must(stage.makeDrag(rest, { joint: "LeftFoot", start }, { pins, ...options }));
    const pose = rest.slice();
    pull(drag, [start[0] + 0.1, start[1] + 0.35, start[2] + 0.1], pose, 300);
    drag.free();
    return positionOf(pose, "Hips");
  };
  const off = ([x, , z]) => Math.hypot(x - right[0], z - right[2]);
  const [stands, falls, plain] = [hips({}), hips({ rules: { balance: false } }), hips({ natural: false })];
  assert.ok(off(stands) < off(falls) - 0.01, `${off(stands)} m from the foot, ${off(falls)} m without balance`);
  assert.ok(distance(falls, plain) > MILLIMETRE);
});

test("a stage measures the bulk of its skins, and takes no others", () => {
  const own = must(skeleton.stage("anatomical", { meshes }));
  const target = [-0.15, 1.2, 0.1];
  const [usual, measured] = [stage, own].map((each) => {
    const drag = must(each.makeDrag(rest, grab, { pins }));
    const pose = rest.slice();
    pull(drag, target, pose, 300);
    drag.free();
    assert.ok(distance(positionOf(pose, "LeftHand"), target) < MILLIMETRE);
    return positionOf(pose, "LeftForeArm");
  });
  // The trunk of the skin is thicker than that of a usual person: the elbow goes farther out.
  assert.ok(distance(usual, measured) > 0.01);
  own.free();
  const other = must(open(engine, asset("ulna-character.glb")));
  assert.throws(() => skeleton.stage("usual", { meshes: other.meshes }), /meshes of its own skeleton/);
  must(skeleton.stage("usual", { meshes })).free();
});

test("a trace shows the way and leaves the pose alone", () => {
  const drag = must(stage.makeDrag(rest, grab, { pins, continuity: false }));
  const target = [hand[0] - 0.2, hand[1] - 0.2, hand[2] + 0.2];
  const pose = rest.slice();
  const { poses, costs, errors } = drag.trace(pose, target, 8);
  assert.deepEqual(pose, rest);
  assert.equal(costs.length, poses.length - 1);
  assert.equal(errors.length, poses.length);
  const away = poses.map((each) => distance(positionOf(each, "LeftHand"), target));
  assert.ok(Math.abs(away[0] - distance(hand, target)) < 1e-12);
  assert.ok(away[away.length - 1] < 0.1 * away[0]);
});

test("the same drag gives the same bytes, with and without a pose of its own between", () => {
  const run = (between) => {
    const drag = must(stage.makeDrag(rest, grab, { pins }));
    const pose = rest.slice();
    for (let i = 1; i <= 10; ++i) {
      drag.solve([hand[0] - 0.02 * i, hand[1] - 0.01 * i, hand[2]], pose);
      between(drag, pose);
    }
    return pose;
  };
  assert.deepEqual(
    run(() => {}),
    run((drag, pose) => drag.heldPoint(pose)),
  );
});

test("mistakes throw, and what is freed cannot be used", () => {
  assert.throws(() => stage.makeDrag(rest, { joint: "Tail", start: hand }), /no joint 'Tail'/);
  assert.throws(() => stage.makeDrag(rest, { joint: "LeftHand" }), /the start needs 3 numbers/);
  assert.throws(() => stage.makeDrag(rest, grab, { pins: [{ joint: "LeftFoot" }] }), /the target needs 3 numbers/);
  assert.throws(() => stage.makeDrag(rest, grab, { method: "magic" }), /a method is one of auto/);
  const drag = must(stage.makeDrag(rest, grab));
  assert.throws(() => drag.solve([0, 0], rest.slice()), /a target needs 3 numbers/);
  drag.free();
  assert.throws(() => drag.solve(hand, rest.slice()), /the drag was freed/);
});
