// SPDX-License-Identifier: Apache-2.0

// What a page needs to know to pose any body: its handles, what its coordinates do, its parts, what it stands on.
import assert from "node:assert/strict";
import { basename } from "node:path";
import { test } from "node:test";
import { asset, createEngine, must, open, sharedFiles } from "./support.mjs";

const engine = await createEngine();
const MOST_HANDLES = 16;

test("every file has a few handles, and never an eye", () => {
  for (const path of sharedFiles([".bvh", ".glb", ".gltf"])) {
    const { skeleton, free } = must(open(engine, path));
    const ranked = skeleton.joints.filter(({ rank }) => rank === "major" || rank === "end");
    assert.ok(ranked.length > 0 && ranked.length <= MOST_HANDLES, `${basename(path)}: ${ranked.length}`);
    for (const { name, rank } of skeleton.joints) assert.equal(rank === "hidden", /eye/i.test(name), name);
    free?.();
  }
});

test("known and unknown bodies stand on the ground, on the feet that they have", () => {
  for (const [name, feet] of [
    ["CesiumMan", 2],
    ["RiggedFigure", 2],
    ["Fox", 4],
  ]) {
    const [path] = sharedFiles([".glb"]).filter((each) => basename(each) === `${name}.glb`);
    const document = must(open(engine, path));
    const { skeleton, meshes, size } = document;
    const pose = skeleton.restPose();
    let lowest = Infinity;
    for (const mesh of meshes) {
      const positions = new Float32Array(3 * mesh.vertexCount);
      mesh.deform(pose, { positions }, { blend: "linear" });
      for (let i = 1; i < positions.length; i += 3) lowest = Math.min(lowest, positions[i]);
    }
    assert.ok(Math.abs(lowest) < 0.02 * size, `${name} is ${lowest} from the ground`);
    const stage = must(skeleton.stage("usual", { meshes }));
    const heights = stage.feet.map((joint) => skeleton.modelPositions(pose)[3 * joint + 1]);
    assert.equal(heights.length, feet, name);
    for (const height of heights) assert.ok(height < 0.25 * size, `${name} has a foot at ${height}`);
    assert.ok(skeleton.facing[2] > 0.99, `${name} faces ${skeleton.facing}`);
    stage.free();
    document.free();
  }
});

test("coordinates have words, each once for every joint of three, and slides are slides", () => {
  const document = must(open(engine, asset("ulna-character.glb")));
  for (const limits of ["own", "anatomical", "none"]) {
    const stage = must(document.skeleton.stage(limits));
    const { joints, dofs } = stage.skeleton;
    for (const { name, firstDof, dofCount } of joints) {
      const own = dofs.slice(firstDof, firstDof + dofCount);
      for (const { isAngle, movement } of own) assert.equal(movement === "slide", !isAngle, name);
      const words = own.filter(({ isAngle }) => isAngle).map(({ movement }) => movement);
      if (words.length === 3) assert.deepEqual(words.sort(), ["bend", "side", "twist"], `${name}, ${limits}`);
    }
    stage.free();
  }
  document.free();
});

test("an arm is a part, and is copied to the other side", () => {
  const document = must(open(engine, asset("ulna-character.glb")));
  const { skeleton } = document;
  const part = skeleton.part("LeftHand").map((joint) => skeleton.names[joint]);
  assert.ok(part.includes("LeftArm") && part.includes("LeftHandThumb1"));
  assert.ok(part.every((name) => name.startsWith("Left")) && !part.includes("LeftLeg"));
  const pose = skeleton.restPose();
  skeleton.turnJoint(pose, "LeftForeArm", [0, 1, 0], -0.8);
  must(skeleton.mirrorPart(pose, "LeftHand"));
  const at = (name) => [...skeleton.modelPositions(pose).slice(3 * skeleton.find(name))].slice(0, 3);
  const [left, right] = [at("LeftHand"), at("RightHand")];
  assert.ok(Math.hypot(left[0] + right[0], left[1] - right[1], left[2] - right[2]) < 1e-3, `${left} and ${right}`);
  const twice = pose.slice();
  must(skeleton.mirrorPart(twice, "RightHand"));
  assert.ok(Math.max(...twice.map((value, i) => Math.abs(value - pose[i]))) < 1e-9);
  document.free();
});

test("a pinned foot that keeps a knee from going up is named", () => {
  const document = must(open(engine, asset("ulna-character.glb")));
  const { skeleton, size } = document;
  const stage = must(skeleton.stage("usual"));
  const pose = skeleton.restPose();
  const at = (joint) => [...skeleton.modelPositions(pose).slice(3 * joint, 3 * joint + 3)];
  const pins = stage.feet.map((joint) => ({ joint, target: at(joint), reached: true }));
  const knee = skeleton.find("LeftLeg");
  const start = at(knee);
  const grab = { joint: knee, start };
  const [x, y, z] = start;
  const found = stage.hinderingPins(pose, grab, [x, y + 0.2 * size, z + 0.25 * size], { pins, size });
  assert.ok(found.includes(skeleton.find("LeftFoot")), found.join());
  assert.deepEqual(stage.hinderingPins(pose, grab, [x, y, z + 0.005 * size], { pins, size }), []);
  stage.free();
  document.free();
});
