// SPDX-License-Identifier: Apache-2.0

// Surfaces tied to a skeleton: which pose they fit, and that they follow it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asset, createEngine, largest, must, open } from "./support.mjs";

const engine = await createEngine();
const { skeleton, meshes } = must(open(engine, asset("ulna-character.glb")));
const [body] = meshes;
const rest = skeleton.restPose();

/** The body as an OBJ file, its vertices moved. */
function surface(move, positions = body.positions) {
  const lines = [];
  for (let i = 0; i < positions.length; i += 3) lines.push(`v ${move([...positions.subarray(i, i + 3)]).join(" ")}`);
  const { indices } = body;
  for (let i = 0; i < indices.length; i += 3)
    lines.push(`f ${[...indices.subarray(i, i + 3)].map((v) => v + 1).join(" ")}`);
  return must(engine.readMesh(skeleton, lines.join("\n"), "body.obj")).mesh;
}
const deformed = (mesh, pose) => {
  const positions = new Float32Array(3 * mesh.vertexCount);
  mesh.deform(pose, { positions });
  return positions;
};
const apart = (a, b) => largest(a.map((value, i) => value - b[i]));

test("a surface made for the rest pose is bound there and follows the joints", () => {
  const mesh = surface((p) => p);
  const report = must(mesh.tie());
  assert.equal(report.how, "rest");
  assert.equal(report.rise, 0);
  assert.equal(report.hadWeights, false);
  assert.ok(report.outside < skeleton.jointCount / 4, `${report.outside} joints are outside`);
  assert.ok(mesh.hasWeights);
  assert.ok(apart(deformed(mesh, rest), mesh.positions) < 1e-5);
  // With the right upper leg rotated, what hangs on the left leg stays and the right foot goes.
  const pose = rest.slice();
  skeleton.turnJoint(pose, "RightUpLeg", [1, 0, 0], 0.5);
  const moved = deformed(mesh, pose);
  const foot = (side) => {
    const weights = mesh.weightsOf(`${side}ToeBase`);
    return weights.findIndex((weight) => weight > 0.9);
  };
  const way = (v) => Math.hypot(...[0, 1, 2].map((i) => moved[3 * v + i] - mesh.positions[3 * v + i]));
  assert.ok(way(foot("Right")) > 0.2 && way(foot("Left")) < 1e-5);
});

test("a surface higher up is met by the rest pose, raised by as much", () => {
  const mesh = surface(([x, y, z]) => [x, y + 0.7, z]);
  const report = must(mesh.tie());
  assert.equal(report.how, "raised");
  assert.ok(Math.abs(report.rise - 0.7) < 0.05, `raised by ${report.rise}`);
  const root = skeleton.parents.indexOf(-1);
  assert.ok(Math.abs(report.pose[10 * root + 1] - rest[10 * root + 1] - report.rise) < 1e-12);
  assert.ok(apart(deformed(mesh, report.pose), mesh.positions) < 1e-5);
});

test("a surface made for the pose the character is in is bound in that pose", () => {
  const pose = rest.slice();
  pose[10 * skeleton.parents.indexOf(-1)] += 3; // beside where it rests
  const mesh = surface((p) => p, deformed(body, pose));
  const report = must(mesh.tie({ pose }));
  assert.equal(report.how, "present");
  assert.deepEqual(report.pose, pose);
  assert.ok(apart(deformed(mesh, pose), mesh.positions) < 1e-5);
});

test("a surface of another size or somewhere else is refused with advice and left alone", () => {
  const giant = surface((p) => p.map((value) => 100 * value));
  const refused = giant.tie();
  assert.equal(refused.ok, false);
  assert.match(refused.error.message, /100 times as large/);
  assert.notEqual(refused.error.advice, "");
  assert.equal(giant.hasWeights, false);
  const away = surface(([x, y, z]) => [x + 10, y, z]).tie();
  assert.equal(away.ok, false);
  assert.match(away.error.message, /no joint/);
});

test("a surface that has weights keeps them", () => {
  const mesh = surface((p) => p);
  must(mesh.makeWeights({ method: "distance" }));
  const before = mesh.weights();
  assert.equal(must(mesh.tie()).hadWeights, true);
  assert.deepEqual(mesh.weights(), before);
});

test("the way weights are made can be chosen", () => {
  const [heat, near] = ["heat", "distance"].map((method) => {
    const mesh = surface((p) => p);
    must(mesh.tie({ method, most: 2 }));
    return mesh.weights();
  });
  for (const { first } of [heat, near])
    for (let v = 1; v < first.length; ++v) assert.ok(first[v] - first[v - 1] <= 2, `vertex ${v - 1}`);
  assert.notDeepEqual(heat.weights, near.weights);
});
