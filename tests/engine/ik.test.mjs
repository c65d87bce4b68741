// SPDX-License-Identifier: Apache-2.0

// Inverse kinematics, judged by forward kinematics: where joints are, not what reports say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asset, createEngine, distance, largest, must, open, placeOf, random } from "./support.mjs";

const engine = await createEngine();
const { skeleton, clips } = must(open(engine, asset("ulna-character.glb")));
const rig = must(open(engine, asset("ulna-character.rig.json"))).skeleton;
const limitsOf = { own: "own", none: "none", anatomical: "anatomical", rig };

/** A hand dragged along a curve within reach, both feet pinned. */
function drag(stage, frames, look) {
  const pose = skeleton.restPose();
  const goals = [
    { kind: "position", joint: "LeftHand", target: [0.5, 1.2, 0.3] },
    { kind: "pin", joint: "LeftFoot" },
    { kind: "pin", joint: "RightFoot" },
  ];
  const solver = must(stage.makeSolver(goals, { pose, continuity: true, maxIterations: 20 }));
  for (let i = 0; i < frames; ++i) {
    const a = 0.03 * i;
    const target = [0.45 + 0.2 * Math.sin(a), 1.2 + 0.3 * Math.sin(0.7 * a), 0.3 + 0.2 * Math.cos(a)];
    solver.setTarget(0, target);
    look(pose, target, solver.solve(pose));
  }
  solver.free();
}

test("a dragged hand is followed and pinned feet stay, with every kind of limits", () => {
  const feet = ["LeftFoot", "RightFoot"].map((foot) => placeOf(skeleton, skeleton.restPose(), foot));
  for (const [name, limits] of Object.entries(limitsOf)) {
    const stage = must(skeleton.stage(limits));
    let last = 0;
    drag(stage, 300, (pose, target, report) => {
      last = distance(placeOf(skeleton, pose, "LeftHand"), target);
      assert.ok(distance(placeOf(skeleton, pose, "LeftFoot"), feet[0]) < 3e-4, name);
      assert.ok(distance(placeOf(skeleton, pose, "RightFoot"), feet[1]) < 3e-4, name);
      assert.ok(Math.abs(report.errors[0] - last) < 1e-9, "a report's error is the distance");
      assert.ok(stage.excess(pose) < 1e-9, `${name}: limits hold`);
    });
    assert.ok(last < 2e-3, `${name}: the hand is ${last} away`);
    stage.free();
  }
});

test("a hand dragged far out of reach pulls no foot off its pin, moves without jumps and comes to rest", () => {
  const rest = skeleton.restPose();
  const feet = ["LeftFoot", "RightFoot"].map((foot) => placeOf(skeleton, rest, foot));
  for (const [name, limits] of Object.entries(limitsOf)) {
    const pose = rest.slice();
    const goals = [
      { kind: "position", joint: "LeftHand", target: [0.5, 1.2, 0.3] },
      { kind: "pin", joint: "LeftFoot" },
      { kind: "pin", joint: "RightFoot" },
    ];
    const solver = must(must(skeleton.stage(limits)).makeSolver(goals, { pose, continuity: true, maxIterations: 20 }));
    let hand = placeOf(skeleton, pose, "LeftHand");
    for (let i = 0; i < 150; ++i) {
      const share = Math.min(1, i / 100);
      solver.setTarget(0, [0.5 + 1.5 * share, 1.2 + 0.3 * share, 0.3 + 0.7 * share]);
      solver.solve(pose);
      ["LeftFoot", "RightFoot"].forEach((foot, k) =>
        assert.ok(distance(placeOf(skeleton, pose, foot), feet[k]) < 1e-3, `${name}: ${foot} at ${i}`),
      );
      const now = placeOf(skeleton, pose, "LeftHand");
      assert.ok(i === 0 || distance(now, hand) < 0.05, `${name}: a jump at ${i}`);
      hand = now;
    }
    const before = skeleton.modelPositions(pose);
    solver.solve(pose);
    assert.ok(largest(skeleton.modelPositions(pose).map((value, i) => value - before[i])) < 1e-5, name);
  }
});

test("the same drag gives the same poses to the bit", () => {
  const stage = must(skeleton.stage("anatomical"));
  const runs = [0, 1].map(() => {
    const poses = [];
    drag(stage, 50, (pose) => poses.push(pose.slice()));
    return poses;
  });
  assert.deepEqual(runs[0], runs[1]);
});

test("every method brings the end of a planar chain to its target", () => {
  const next = random(11);
  for (const method of engine.methods) {
    const chain = engine.makePlanarChain({ bones: method === "two-bone" ? 2 : 5 });
    const end = method === "two-bone" ? "bone2_end" : "bone5_end";
    const stage = must(chain.stage());
    const reach = method === "two-bone" ? 2 : 5;
    const solver = must(
      stage.makeSolver([{ kind: "position", joint: end, target: [1, 1, 0] }], { method, maxIterations: 2000 }),
    );
    for (let i = 0; i < 20; ++i) {
      const [angle, radius] = [6.28 * next(), reach * (0.3 + 0.6 * next())];
      const target = [radius * Math.cos(angle), radius * Math.sin(angle), 0];
      const pose = chain.restPose();
      chain.turnJoint(pose, 0, [0, 0, 1], angle - 0.4); // not straight towards it: that is a saddle
      chain.turnJoint(pose, 1, [0, 0, 1], 0.3);
      solver.setTarget(0, target);
      const report = solver.solve(pose);
      const off = distance(placeOf(chain, pose, end), target);
      assert.ok(off < 2 * solver.positionTolerance, `${method} ${i}: ${report.status}, ${off} away`);
      assert.equal(report.status, "reached", method);
    }
    stage.free();
    chain.free();
  }
});

test("a trace is what solves with so many iterations give, for every method", () => {
  const chain = engine.makePlanarChain({ bones: 6 });
  const stage = must(chain.stage());
  const goals = [{ kind: "position", joint: "bone6_end", target: [1, 3, 0] }];
  for (const method of engine.methods.filter((name) => name !== "two-bone")) {
    const start = chain.restPose();
    chain.turnJoint(start, 0, [0, 0, 1], 0.3);
    const trace = must(stage.makeSolver(goals, { method })).trace(start, 6);
    assert.deepEqual(trace.poses[0], start);
    assert.equal(trace.errors.length, trace.poses.length);
    assert.equal(trace.costs.length, trace.poses.length - 1);
    trace.poses.slice(1).forEach((pose, i) => {
      const solver = must(stage.makeSolver(goals, { method, maxIterations: i + 1, history: true }));
      const again = start.slice();
      const report = solver.solve(again);
      assert.deepEqual(again, pose, `${method} after ${i + 1}`);
      const off = distance(placeOf(chain, pose, "bone6_end"), goals[0].target);
      assert.ok(Math.abs(trace.errors[i + 1] - off / solver.positionTolerance) < 1e-6 * trace.errors[0], method);
      assert.equal(report.history.length, report.iterations + 1, method);
    });
    assert.ok(trace.errors.at(-1) < trace.errors[0], `${method} gets nearer`);
  }
});

test("goals of every kind are met", () => {
  const stage = must(skeleton.stage("none"));
  const solveFor = (goals, options = {}) => {
    const pose = skeleton.restPose();
    const report = must(stage.makeSolver(goals, options)).solve(pose);
    return { pose, report };
  };
  const aim = solveFor([{ kind: "aim", joint: "Head", target: [1, 1.6, 2] }]);
  const head = skeleton.find("Head");
  const matrix = skeleton.modelMatrices(aim.pose).subarray(16 * head, 16 * head + 16);
  const sight = [1 - matrix[12], 1.6 - matrix[13], 2 - matrix[14]];
  const along = (sight[0] * matrix[8] + sight[1] * matrix[9] + sight[2] * matrix[10]) / Math.hypot(...sight);
  assert.ok(along > 1 - 1e-7, "the head looks there");

  const turned = [0, Math.sin(0.4), 0, Math.cos(0.4)];
  const oriented = solveFor([{ kind: "orientation", joint: "RightHand", target: turned }]);
  const hand = skeleton.find("RightHand");
  const q = skeleton.orientations(oriented.pose).subarray(4 * hand, 4 * hand + 4);
  assert.ok(Math.abs(q.reduce((sum, value, i) => sum + value * turned[i], 0)) > 1 - 1e-8);

  const floor = solveFor([{ kind: "plane", joint: "LeftHand", offset: 1.6, side: "above" }]);
  assert.ok(placeOf(skeleton, floor.pose, "LeftHand")[1] > 1.6 - 1e-3);

  const near = solveFor([{ kind: "distance", jointA: "LeftHand", jointB: "RightHand", distance: 0.2 }]);
  const [a, b] = ["LeftHand", "RightHand"].map((joint) => placeOf(skeleton, near.pose, joint));
  assert.ok(Math.abs(distance(a, b) - 0.2) < 1e-3);

  const apart = { kind: "keep_apart", jointA: "LeftHand", jointB: "Head", radiusA: 0.05, radiusB: 0.15, margin: 0.05 };
  const pulled = {
    kind: "position",
    joint: "LeftHand",
    target: placeOf(skeleton, skeleton.restPose(), "Head"),
    level: 2,
  };
  const beside = solveFor([{ ...apart, endB: [0, 0.1, 0] }, { kind: "pin", joint: "Head" }, pulled]);
  const [touching, face] = ["LeftHand", "Head"].map((joint) => placeOf(skeleton, beside.pose, joint));
  assert.ok(distance(touching, face) > 0.25 - 1e-3, "the hand stays off the face");
  assert.ok(distance(touching, face) < 0.5, "and comes near it");

  const feet = ["LeftFoot", "LeftToeBase", "RightFoot", "RightToeBase"];
  const standing = { kind: "balance", contacts: feet.map((joint) => ({ joint })), margin: 0.01 };
  const leaning = [...feet.map((joint) => ({ kind: "pin", joint })), { ...pulled, level: 1, target: [0.2, 1, 0.6] }];
  const balanced = solveFor([...leaning, standing]).report.errors.at(-1);
  const falling = solveFor([...leaning, { ...standing, weight: 1e-12 }]).report.errors.at(-1);
  assert.ok(balanced < 1e-3 && falling > 1e-2, "the body leans back to stay over its feet");

  const target = [0.35, 1.2, 0.35];
  const limb = { start: "LeftArm", mid: "LeftForeArm", end: "LeftHand" };
  for (const side of [-1, 1]) {
    const pole = [0.4, 1.2 + side, 0];
    const { pose } = solveFor([
      { kind: "position", joint: "LeftHand", target },
      { kind: "pole", ...limb, target: pole },
    ]);
    assert.ok(distance(placeOf(skeleton, pose, "LeftHand"), target) < 1e-3);
    const [start, mid, end] = Object.values(limb).map((joint) => placeOf(skeleton, pose, joint));
    assert.ok(cosineAbout(start, end, mid, pole) > 0.999, "the elbow is on the pole's side");
  }
});

/** Of the angle between two points, seen along the line from `start` to `end`. */
function cosineAbout(start, end, a, b) {
  const minus = (p, q) => p.map((value, i) => value - q[i]);
  const dot = (p, q) => p.reduce((sum, value, i) => sum + value * q[i], 0);
  const line = minus(end, start);
  const flat = (p) =>
    minus(
      p,
      line.map((value) => (value * dot(p, line)) / dot(line, line)),
    );
  const [u, v] = [flat(minus(a, start)), flat(minus(b, start))];
  return dot(u, v) / Math.hypot(...u) / Math.hypot(...v);
}

test("points, axes and orientations mean the same with anatomical limits", () => {
  const point = [0.02, 0.1, 0.03];
  const target = [0.4, 1.3, 0.4];
  const spot = (pose) => {
    const j = skeleton.find("LeftHand");
    const m = skeleton.modelMatrices(pose).subarray(16 * j, 16 * j + 16);
    return [0, 1, 2].map((i) => m[i] * point[0] + m[4 + i] * point[1] + m[8 + i] * point[2] + m[12 + i]);
  };
  for (const limits of Object.values(limitsOf)) {
    const stage = must(skeleton.stage(limits));
    const pose = skeleton.restPose();
    const goals = [
      { kind: "position", joint: "LeftHand", point, target },
      { kind: "orientation", joint: "Head" },
    ];
    const solver = must(stage.makeSolver(goals));
    solver.solve(pose);
    assert.ok(distance(spot(pose), target) < 1e-3);
    solver.setTarget(1, [0, Math.sin(0.1), 0, Math.cos(0.1)]);
    solver.solve(pose);
    const head = skeleton.find("Head");
    const q = skeleton.orientations(pose).subarray(4 * head, 4 * head + 4);
    assert.ok(Math.abs(q[1] * Math.sin(0.1) + q[3] * Math.cos(0.1)) > 1 - 1e-6);
  }
});

test("out of reach is an answer, and a target that is no number leaves the pose", () => {
  const stage = must(skeleton.stage());
  const solver = must(stage.makeSolver([{ kind: "position", joint: "LeftHand", target: [9, 9, 9] }]));
  const pose = skeleton.restPose();
  assert.equal(solver.solve(pose).status, "out_of_reach");
  const kept = pose.slice();
  solver.setTarget(0, [Infinity, 0, 0]);
  assert.equal(solver.solve(pose).status, "bad_goal");
  assert.deepEqual(pose, kept);
});

test("roots are held unless something is pinned or they are set free", () => {
  const hips = placeOf(skeleton, skeleton.restPose(), "Hips");
  const stage = must(skeleton.stage());
  const far = { kind: "position", joint: "LeftHand", target: [2, 1, 0] };
  const moved = [{}, { freeRoot: true }].map((options) => {
    const pose = skeleton.restPose();
    must(stage.makeSolver([far], options)).solve(pose);
    return distance(placeOf(skeleton, pose, "Hips"), hips);
  });
  assert.equal(moved[0], 0);
  assert.ok(moved[1] > 0.1);
});

test("what cannot be solved says which goal and why", () => {
  const stage = must(skeleton.stage());
  const bad = stage.makeSolver([
    { kind: "pin", joint: "Head" },
    { kind: "aim", joint: "Head", target: [0, 0, 0], axis: [0, 0, 0] },
  ]);
  assert.equal(bad.ok, false);
  assert.equal(bad.error.path, "goals[1]");
  const ccd = stage.makeSolver([{ kind: "orientation", joint: "Head" }], { method: "ccd" });
  assert.equal(ccd.ok, false);
  assert.match(ccd.error.message, /ccd|position/);
  assert.throws(() => stage.makeSolver([{ kind: "pin", joint: "Nose" }]), /no joint 'Nose'/);
  assert.throws(() => stage.makeSolver([{ kind: "wish", joint: "Head" }]), /the kind of a goal is one of/);
  assert.throws(() => stage.makeSolver([], { method: "magic" }), /a method is one of auto/);
});

test("degrees of freedom go to a pose and back, one at a time too", () => {
  const next = random(5);
  for (const limits of [rig, "anatomical"]) {
    const stage = must(skeleton.stage(limits));
    const { dofs } = stage.skeleton;
    const numbers = Float64Array.from(dofs, ({ min, max, isAngle }) => {
      const [low, high] = [Math.max(min, isAngle ? -0.5 : -1), Math.min(max, isAngle ? 0.5 : 1)];
      return low + (high - low) * next();
    });
    const pose = skeleton.restPose();
    stage.applyDofs(pose, numbers);
    assert.ok(stage.excess(pose) < 1e-9);
    assert.ok(largest(stage.dofs(pose, numbers).map((value, i) => value - numbers[i])) < 1e-9);

    const single = skeleton.restPose();
    const start = stage.dofs(single);
    dofs.forEach((_, dof) => stage.setDof(single, dof, numbers[dof], { near: start }));
    assert.ok(largest(single.map((value, i) => value - pose[i])) < 1e-9, "one at a time or all at once");
  }
});

test("a degree of freedom stops at its limit unless it is set free, and clamping brings it back", () => {
  const stage = must(skeleton.stage(rig));
  const { dofs } = stage.skeleton;
  const knee = dofs.findIndex(({ joint }) => stage.skeleton.names[joint] === "LeftLeg");
  const pose = skeleton.restPose();
  assert.equal(stage.setDof(pose, knee, 9), dofs[knee].max);
  assert.equal(stage.setDof(pose, knee, -0.5 + dofs[knee].min, { free: true }), -0.5 + dofs[knee].min);
  assert.ok(Math.abs(stage.excess(pose) - 0.5) < 1e-9);
  assert.deepEqual(stage.clamp(pose), [dofs[knee].joint]);
  assert.ok(stage.excess(pose) < 1e-9);
});

test("handles are where the joint is: a turn about an arc's axis is what setDof does", () => {
  for (const limits of [rig, "anatomical", "own"]) {
    const stage = must(skeleton.stage(limits));
    const pose = clips[3].sample(1.1);
    stage.clamp(pose);
    const near = stage.dofs(pose);
    for (const joint of ["LeftArm", "LeftForeArm", "Spine", "RightHand"]) {
      const handles = stage.handles(pose, joint);
      const tip = stage.skeleton.joints[stage.skeleton.find(joint)].children[0];
      assert.ok(distance(handles.origin, placeOf(skeleton, pose, joint)) < 1e-12);
      for (const arc of handles.arcs) {
        assert.ok(Math.abs(Math.hypot(...arc.axis) - 1) < 1e-9 && Math.abs(Math.hypot(...arc.zero) - 1) < 1e-9);
        assert.ok(Math.abs(arc.axis.reduce((sum, value, i) => sum + value * arc.zero[i], 0)) < 1e-9);
        const step = 1e-5;
        const moved = pose.slice();
        stage.setDof(moved, arc.dof, arc.value + step, { free: true, near });
        const turned = pose.slice();
        skeleton.turnJoint(turned, joint, arc.axis, step);
        const apart = distance(placeOf(skeleton, moved, tip), placeOf(skeleton, turned, tip));
        assert.ok(apart < 1e-9, `${joint} ${stage.skeleton.dofs[arc.dof].name}: ${apart}`);
      }
    }
  }
});

test("a cone's handle tells swing and twist as they are", () => {
  const made = must(
    engine.makeSkeleton([
      { name: "shoulder", kind: "ball", cone: { axis: [1, 0, 0], swing: 80, twist: [-40, 60] } },
      { name: "hand", parent: "shoulder", kind: "fixed", offset: [1, 0, 0], end_site: true },
    ]),
  );
  const stage = must(made.stage());
  const pose = made.restPose();
  made.turnJoint(pose, "shoulder", [1, 0, 0], 0.3);
  made.turnJoint(pose, "shoulder", [0, 0, 1], 0.5);
  const { cone } = stage.handles(pose, "shoulder");
  assert.ok(distance(cone.axis, [1, 0, 0]) < 1e-12);
  assert.ok(distance(cone.pointer, placeOf(made, pose, "hand")) < 1e-12);
  assert.ok(Math.abs(cone.swing - 0.5) < 1e-12 && Math.abs(cone.twist - 0.3) < 1e-12);
  assert.ok(Math.abs(cone.swingMax - (80 * Math.PI) / 180) < 1e-12);
  made.turnJoint(pose, "shoulder", [0, 0, 1], 2);
  assert.deepEqual(stage.clamp(pose), [0]);
  assert.ok(Math.abs(stage.handles(pose, "shoulder").cone.swing - cone.swingMax) < 1e-9);
});

test("a planar tree reaches with both arms at once", () => {
  const tree = engine.makePlanarTree({ trunk: 2, arms: 2, bones: 3 });
  const stage = must(tree.stage());
  const ends = tree.joints.filter((joint) => joint.endSite).map((joint) => joint.name);
  assert.equal(ends.length, 2);
  const targets = [
    [-1.5, 3.5, 0],
    [1.2, 3, 0],
  ];
  const pose = tree.restPose();
  must(stage.makeSolver(ends.map((joint, i) => ({ kind: "position", joint, target: targets[i] })))).solve(pose);
  ends.forEach((end, i) => assert.ok(distance(placeOf(tree, pose, end), targets[i]) < 1e-2));
  for (let j = 0; j < tree.jointCount; ++j) assert.equal(placeOf(tree, pose, j)[2], 0);
});
