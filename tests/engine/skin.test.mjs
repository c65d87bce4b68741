// SPDX-License-Identifier: Apache-2.0

// Weights: told, set, made, painted, smoothed; meshes at bind.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { asset, createEngine, largest, must, open, root } from "./support.mjs";

const engine = await createEngine();

function openCharacter() {
  const { skeleton, clips, meshes } = must(open(engine, asset("ulna-character.glb")));
  return { skeleton, clips, mesh: meshes[0] };
}

/** Every row sums to 1, and no weight is negative. */
function checkRows(mesh) {
  const { first, joints, weights } = mesh.weights();
  assert.equal(first.length, mesh.vertexCount + 1);
  assert.equal(joints.length, weights.length);
  for (let v = 0; v < mesh.vertexCount; ++v) {
    let sum = 0;
    for (let i = first[v]; i < first[v + 1]; ++i) {
      assert.ok(weights[i] >= 0);
      sum += weights[i];
    }
    assert.ok(Math.abs(sum - 1) < 1e-5, `vertex ${v}: ${sum}`);
  }
}

function deformed(mesh, pose, blend) {
  const positions = new Float32Array(3 * mesh.vertexCount);
  mesh.deform(pose, { positions }, { blend });
  return positions;
}

test("a mesh at rest is where it is at bind, with both blends", () => {
  const { skeleton, mesh } = openCharacter();
  assert.equal(mesh.indices.length, 3 * mesh.triangleCount);
  assert.equal(mesh.colors.length, 4 * mesh.vertexCount);
  assert.equal(mesh.texcoords, null);
  for (const blend of ["linear", "dual-quaternion"]) {
    const positions = deformed(mesh, skeleton.restPose(), blend);
    assert.ok(largest(positions.map((value, i) => value - mesh.positions[i])) < 1e-6);
  }
});

test("the weights of single joints are the rows of all", () => {
  const { skeleton, mesh } = openCharacter();
  checkRows(mesh);
  const { first, joints, weights } = mesh.weights();
  const joint = skeleton.find("LeftForeArm");
  const one = mesh.weightsOf("LeftForeArm");
  for (let v = 0; v < mesh.vertexCount; v += 37) {
    let told = 0;
    for (let i = first[v]; i < first[v + 1]; ++i) if (joints[i] === joint) told += weights[i];
    assert.equal(one[v], Math.fround(told));
  }
});

test("painting changes weights under the brush alone, and the skin follows", () => {
  const { skeleton, clips, mesh } = openCharacter();
  const before = { weights: mesh.weights(), head: mesh.weightsOf("Head"), shape: deformed(mesh, clips[0].sample(0.5)) };
  const centre = mesh.pointOn(1000, [0.2, 0.3, 0.5]);
  const corners = [...mesh.indices.subarray(3000, 3003)].map((v) => [...mesh.positions.subarray(3 * v, 3 * v + 3)]);
  const expected = [0, 1, 2].map((k) => 0.2 * corners[0][k] + 0.3 * corners[1][k] + 0.5 * corners[2][k]);
  assert.ok(largest(centre.map((value, i) => value - expected[i])) < 1e-6);
  const radius = 0.08;
  const count = mesh.paint("Head", centre, { radius, strength: 0.8 });
  assert.ok(count > 3);
  checkRows(mesh);
  const after = mesh.weightsOf("Head");
  const positions = mesh.positions;
  let more = 0;
  for (let v = 0; v < mesh.vertexCount; ++v) {
    const away = Math.hypot(...[0, 1, 2].map((k) => positions[3 * v + k] - centre[k]));
    if (after[v] !== before.head[v]) {
      assert.ok(away <= radius, `vertex ${v} is ${away} away`);
      assert.ok(after[v] > before.head[v]);
      ++more;
    }
  }
  assert.ok(more > 3);
  assert.notDeepEqual(deformed(mesh, clips[0].sample(0.5)), before.shape);
  mesh.setWeights(before.weights); // undo
  assert.deepEqual(mesh.weightsOf("Head"), before.head);
  assert.deepEqual(deformed(mesh, clips[0].sample(0.5)), before.shape);
  mesh.paint("Head", centre, { radius, mode: "replace", value: 0 });
  assert.ok(mesh.weightsOf("Head").every((weight, v) => weight <= before.head[v]));
  assert.equal(skeleton.names.length, 79);
});

test("locked joints keep their weights under the brush", () => {
  const { mesh } = openCharacter();
  const centre = mesh.pointOn(5000, [1, 0, 0]);
  const { first, joints } = mesh.weights();
  const vertex = mesh.indices[15000];
  const locked = joints[first[vertex]];
  const before = mesh.weightsOf(locked);
  mesh.paint("Jaw", centre, { radius: 0.1, locked: [locked] });
  assert.deepEqual(mesh.weightsOf(locked), before);
});

test("smoothing brings neighbours nearer to each other and pruning leaves few", () => {
  const { mesh } = openCharacter();
  const roughness = () => {
    const weights = mesh.weightsOf("Spine1");
    const indices = mesh.indices;
    let sum = 0;
    for (let i = 0; i < indices.length; i += 3) sum += (weights[indices[i]] - weights[indices[i + 1]]) ** 2;
    return sum;
  };
  const before = roughness();
  mesh.smoothWeights({ amount: 0.5, rounds: 4 });
  assert.ok(roughness() < before);
  checkRows(mesh);
  const lost = mesh.pruneWeights({ most: 2 });
  assert.ok(lost > 0 && lost < 1);
  const { first } = mesh.weights();
  for (let v = 0; v < mesh.vertexCount; ++v) assert.ok(first[v + 1] - first[v] <= 2);
  checkRows(mesh);
});

test("bone heat ties a surface from a file to the skeleton", () => {
  const { skeleton, clips, mesh } = openCharacter();
  const { bytes } = must(engine.writeMesh(mesh, "ply"));
  const bare = must(engine.readMesh(skeleton, bytes, "body.ply")).mesh;
  assert.equal(bare.hasWeights, false);
  assert.deepEqual(deformed(bare, clips[0].sample(0.3)), bare.positions, "nothing moves it yet");
  const report = must(bare.makeWeights());
  assert.equal(bare.hasWeights, true);
  assert.ok(Array.isArray(report.idle));
  checkRows(bare);
  // The bundled weights were made by bone heat too, so the shapes are near each other.
  const pose = clips[0].sample(0.3);
  const [a, b] = [deformed(bare, pose), deformed(mesh, pose)];
  assert.ok(largest(a.map((value, i) => value - b[i])) < 0.2);
  must(bare.makeWeights({ method: "distance" }));
  const square = must(
    engine.readMesh(skeleton, readFileSync(join(root, "tests/fuzz/corpus/mesh/square.obj")), "square.obj"),
  );
  assert.ok(square.mesh.vertexCount >= 4);
  const broken = engine.readMesh(skeleton, "f 1 2 3\n", "broken.obj");
  assert.equal(broken.ok, false);
  assert.equal(broken.error.line, 1);
});

test("a surface can be tied in another pose than the rest pose", () => {
  const { skeleton, clips, mesh } = openCharacter();
  const pose = clips[0].sample(0.3);
  const { bytes } = must(engine.writeMesh(mesh, "ply", { pose }));
  const posed = must(engine.readMesh(skeleton, bytes, "posed.ply")).mesh;
  posed.bind(pose);
  must(posed.makeWeights());
  assert.ok(
    largest(deformed(posed, pose).map((value, i) => value - posed.positions[i])) < 1e-5,
    "it leaves its own pose",
  );
  // Taken back to rest, it is about what it was made of.
  assert.ok(largest(deformed(posed, skeleton.restPose()).map((value, i) => value - mesh.positions[i])) < 0.2);
});

test("one side's weights are made from the other's", () => {
  const { mesh } = openCharacter();
  const left = mesh.weightsOf("LeftHand");
  mesh.paint("LeftHand", mesh.pointOn(0, [1, 0, 0]), { radius: 0.2 });
  const { unmatched } = must(mesh.mirrorWeights("left"));
  assert.equal(typeof unmatched, "number");
  checkRows(mesh);
  const sum = (weights) => weights.reduce((total, weight) => total + weight, 0);
  assert.ok(Math.abs(sum(mesh.weightsOf("RightHand")) - sum(mesh.weightsOf("LeftHand"))) < 0.02 * sum(left));
});

test("weights that make no sense are refused", () => {
  const { mesh } = openCharacter();
  const good = mesh.weights();
  assert.throws(() => mesh.setWeights({ ...good, first: good.first.slice(1) }), /a row for each/);
  assert.throws(() => mesh.setWeights({ ...good, joints: good.joints.map(() => 99) }), /no joint 99/);
  assert.throws(() => mesh.setWeights({ ...good, weights: good.weights.map(() => NaN) }), /finite/);
  assert.throws(() => mesh.paint("Head", [0, 0, 0], { radius: -1 }), /radius/);
  assert.throws(() => mesh.deform(new Float64Array(790), { positions: new Float32Array(3) }), /room for/);
});
