// SPDX-License-Identifier: Apache-2.0

// Hands by a few numbers, judged by where the tips of the fingers are and by the native tool.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asset, createEngine, distance, must, open, placeOf } from "./support.mjs";

const engine = await createEngine();
const SIDES = { left: "Left", right: "Right" };
const SHAPES = ["flat", "relaxed", "open", "grip", "fist", "point", "pinch"];

function person() {
  const { skeleton } = must(open(engine, asset("ulna-character.glb")));
  return { skeleton, pose: skeleton.restPose() };
}

/** How far the tip of a finger is from the wrist. */
function reach(skeleton, pose, side, finger) {
  const hand = `${SIDES[side]}Hand`;
  return distance(placeOf(skeleton, pose, `${hand}${finger}3_end`), placeOf(skeleton, pose, hand));
}

test("a fist brings the fingertips to the palm, and a pointing hand leaves the index finger", () => {
  for (const side of ["left", "right"]) {
    const { skeleton, pose } = person();
    const open = (finger) => reach(skeleton, skeleton.restPose(), side, finger);
    must(skeleton.poseHand(pose, side, "fist"));
    for (const finger of ["Index", "Middle", "Ring", "Pinky"])
      assert.ok(reach(skeleton, pose, side, finger) < 0.62 * open(finger), finger);
    must(skeleton.poseHand(pose, side, "point"));
    assert.ok(reach(skeleton, pose, side, "Index") > 0.99 * open("Index"));
    assert.ok(reach(skeleton, pose, side, "Ring") < 0.65 * open("Ring"));
  }
});

test("a pinch brings the tip of the thumb to that of the index finger", () => {
  for (const side of ["left", "right"]) {
    const { skeleton, pose } = person();
    const hand = `${SIDES[side]}Hand`;
    const apart = () =>
      distance(placeOf(skeleton, pose, `${hand}Thumb3_end`), placeOf(skeleton, pose, `${hand}Index3_end`));
    const open = apart();
    assert.equal(must(skeleton.poseHand(pose, side, "pinch")).oppose.toFixed(3), "1.000");
    assert.ok(open > 0.05 && apart() < 0.0065, `${open} to ${apart()}`);
  }
});

test("nothing but the fingers moves, and flat is the rest pose again", () => {
  const { skeleton, pose } = person();
  const rest = skeleton.restPose();
  const { joints } = must(skeleton.poseHand(pose, "left", { curl: 0.7, spread: 0.4 }));
  assert.equal(joints.length, 15);
  for (const joint of skeleton.joints) {
    const moved = [...pose.subarray(10 * joint.index, 10 * joint.index + 10)].some(
      (value, i) => Math.abs(value - rest[10 * joint.index + i]) > 1e-6,
    );
    if (moved) assert.ok(joints.includes(joint.index), joint.name);
    if (!/^LeftHand./.test(joint.name)) assert.ok(!moved, joint.name);
  }
  must(skeleton.poseHand(pose, "left", "flat"));
  pose.forEach((value, i) => assert.ok(Math.abs(value - rest[i]) < 1e-12));
});

test("a hand is read as it was posed", () => {
  for (const side of ["left", "right"]) {
    for (const shape of SHAPES) {
      const { skeleton, pose } = person();
      assert.equal(must(skeleton.poseHand(pose, side, shape)).shape, shape);
      assert.equal(must(skeleton.hand(pose, side)).shape, shape);
    }
    const { skeleton, pose } = person();
    must(skeleton.poseHand(pose, side, { curl: 0.63, spread: -0.4, oppose: 0.7 }));
    const state = must(skeleton.hand(pose, side));
    assert.equal(state.shape, null);
    assert.ok(Math.abs(state.curl - 0.63) < 0.02, `${state.curl}`);
    assert.ok(Math.abs(state.spread + 0.4) < 0.05, `${state.spread}`);
    assert.ok(Math.abs(state.oppose - 0.7) < 0.05, `${state.oppose}`);
    assert.equal(must(skeleton.hand(skeleton.restPose(), side)).curl, 0);
  }
});

test("what has no hands says so, and words that are none throw", () => {
  const chain = engine.makePlanarChain({ bones: 3 });
  const pose = chain.restPose();
  const before = pose.slice();
  assert.equal(chain.poseHand(pose, "left", "fist").ok, false);
  assert.match(chain.hand(pose, "left").error.message, /body|hips/);
  assert.deepEqual(pose, before);
  const { skeleton, pose: own } = person();
  assert.throws(() => skeleton.poseHand(own, "up", "fist"), /a side/);
  assert.throws(() => skeleton.poseHand(own, "left", "claw"), /the shape of a hand/);
  assert.throws(() => skeleton.poseHand(own, "left", { curl: NaN }), /the curl/);
});
