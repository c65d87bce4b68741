// SPDX-License-Identifier: Apache-2.0

// Forward kinematics, sampling and skins, judged by the native tool.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { asset, createEngine, largest, must, native, open, sharedFiles, tool } from "./support.mjs";

const engine = await createEngine();

const everyFile = [
  asset("ulna-character.rig.json"),
  asset("ulna-character.glb"),
  asset("ulna-character.bvh"),
  asset("ulna-wave.bvh"),
  ...sharedFiles([".bvh", ".glb", ".gltf"]),
];

/** The largest difference of two lists of rows, and the largest number. */
function compare(rows, values, stride) {
  let difference = 0;
  let size = 0;
  rows.forEach((row, i) =>
    row.forEach((value, k) => {
      difference = Math.max(difference, Math.abs(value - values[stride * i + k]));
      size = Math.max(size, Math.abs(value));
    }),
  );
  return { difference, size };
}

test("every joint of every file is where the native tool has it, at frames and between", () => {
  for (const path of everyFile) {
    const document = must(open(engine, path));
    const { skeleton, clips } = document;
    const clip = clips[0];
    const times = clip === undefined ? [] : [0, 0.1, 0.3333, 0.77].map((share) => share * clip.duration);
    const choice = times.length > 0 ? ["--times", times.join(",")] : ["--rest"];
    const told = native("fk", path, ...choice);
    assert.deepEqual([...skeleton.names], told.joints, path);
    assert.deepEqual([...skeleton.parents], told.parents, path);
    told.frames.forEach((frame, i) => {
      const pose = times.length > 0 ? clip.sample(times[i]) : skeleton.restPose();
      const positions = compare(frame.positions, skeleton.modelPositions(pose), 3);
      assert.ok(
        positions.difference <= 1e-9 * Math.max(1, positions.size),
        `${basename(path)}: ${positions.difference}`,
      );
      // q and -q are one rotation.
      const orientations = skeleton.orientations(pose);
      frame.rotations.forEach((q, j) => {
        const dot = q.reduce((sum, value, k) => sum + value * orientations[4 * j + k], 0);
        assert.ok(1 - Math.abs(dot) < 1e-9, `${basename(path)}: ${skeleton.names[j]}`);
      });
    });
    document.free();
  }
});

test("poses between keys are those of the native tool's sample", () => {
  const document = must(open(engine, asset("ulna-character.glb")));
  for (const clip of document.clips) {
    const times = [0.01, 0.2, 0.5, 0.61].map((share) => share * clip.duration);
    const told = native("sample", asset("ulna-character.glb"), "--clip", clip.name, "--times", times.join(","));
    assert.equal(told.samples.length, times.length);
    told.samples.forEach((sample, i) => {
      const pose = clip.sample(times[i]);
      assert.ok(compare(sample.translations, pose, 10).difference < 1e-9);
      sample.rotations.forEach((q, j) => {
        const dot = q.reduce((sum, value, k) => sum + value * pose[10 * j + 3 + k], 0);
        assert.ok(1 - Math.abs(dot) < 1e-9, `${clip.name}: ${document.skeleton.names[j]}`);
      });
    });
  }
  document.free();
});

test("matrices in float are those in double, rounded", () => {
  const { skeleton, clips } = must(open(engine, asset("ulna-character.glb")));
  const pose = clips[0].sample(0.4);
  const exact = skeleton.modelMatrices(pose);
  const single = skeleton.modelMatrices(pose, new Float32Array(16 * skeleton.jointCount));
  assert.deepEqual(single, Float32Array.from(exact));
  assert.equal(exact.length, 16 * skeleton.jointCount);
  assert.deepEqual([...exact.subarray(12, 15)], [...skeleton.modelPositions(pose).subarray(0, 3)]);
});

test("deformed vertices and normals are those of the native reference, to 1e-6 of the size", () => {
  const folder = mkdtempSync(join(tmpdir(), "ulna-engine-"));
  const skinned = [asset("ulna-character.glb"), ...sharedFiles(["CesiumMan.glb", "Fox.glb", "RiggedFigure.glb"])];
  for (const path of skinned) {
    const document = must(open(engine, path));
    const { meshes, clips } = document;
    const time = 0.37 * clips[0].duration;
    for (const blend of ["linear", "dual-quaternion"]) {
      const out = join(folder, "posed.ply");
      execFileSync(tool, ["skin", path, "--time", String(time), "--blend", blend, "--out", out, "--quiet"]);
      const mesh = meshes[0];
      const told = must(engine.readMesh(document.skeleton, readFileSync(out), "posed.ply")).mesh;
      assert.equal(
        told.vertexCount,
        meshes.reduce((sum, each) => sum + each.vertexCount, 0),
        path,
      );
      const positions = new Float32Array(3 * mesh.vertexCount);
      const normals = new Float32Array(3 * mesh.vertexCount);
      mesh.deform(clips[0].sample(time), { positions, normals }, { blend });
      const exact = told.positions;
      const size = largest(exact);
      const off = largest(positions.map((value, i) => value - exact[i]));
      assert.ok(off <= 1e-6 * size, `${basename(path)} ${blend}: ${off / size} of the size`);
      if (!readFileSync(out, "latin1").includes("property float nx")) continue; // it has none
      const exactNormals = told.normals;
      const turned = largest(normals.map((value, i) => value - exactNormals[i]));
      assert.ok(turned < 2e-5, `${basename(path)} ${blend}: normals off by ${turned}`);
    }
    document.free();
  }
  rmSync(folder, { recursive: true });
});

test("twist is spread over limbs as in the native tool, and not where it is not asked for", () => {
  const folder = mkdtempSync(join(tmpdir(), "ulna-twist-"));
  const { skeleton, clips, meshes } = must(open(engine, asset("ulna-character.glb")));
  const wave = clips.find(({ name }) => name === "wave");
  const [mesh] = meshes;
  const pose = wave.sample(1.5);
  const [joint, limb] = ["joint", "limb"].map((twist) => {
    const out = join(folder, "posed.ply");
    execFileSync(tool, [
      ...["skin", asset("ulna-character.glb"), "--clip", "wave", "--time", "1.5"],
      ...["--twist", twist, "--out", out, "--force", "--quiet"],
    ]);
    const exact = must(engine.readMesh(skeleton, readFileSync(out), "posed.ply")).mesh.positions;
    const positions = new Float32Array(3 * mesh.vertexCount);
    mesh.deform(pose, { positions }, { twist });
    assert.ok(largest(positions.map((value, i) => value - exact[i])) < 2e-6, twist);
    const bytes = must(engine.writeMesh(mesh, "ply", { pose, twist })).bytes;
    const written = must(engine.readMesh(skeleton, bytes, "written.ply")).mesh.positions;
    assert.ok(largest(written.map((value, i) => value - exact[i])) < 2e-6, twist);
    return positions;
  });
  assert.ok(largest(joint.map((value, i) => value - limb[i])) > 0.002);
  const plain = new Float32Array(3 * mesh.vertexCount);
  mesh.deform(pose, { positions: plain });
  assert.deepEqual(plain, joint);
  assert.throws(() => mesh.deform(pose, { positions: plain }, { twist: "candy" }), /a twist/);
  rmSync(folder, { recursive: true });
});

test("a joint turned about a model axis moves what hangs on it in a circle, and nothing else", () => {
  const { skeleton } = must(open(engine, asset("ulna-character.glb")));
  const pose = skeleton.restPose();
  const before = skeleton.modelPositions(pose);
  const elbow = skeleton.find("LeftForeArm");
  skeleton.turnJoint(pose, "LeftForeArm", [0, 1, 0], 0.7);
  const after = skeleton.modelPositions(pose);
  const [cos, sin] = [Math.cos(0.7), Math.sin(0.7)];
  const below = new Set([elbow]);
  skeleton.joints.forEach(({ index, parent }) => {
    if (below.has(parent)) below.add(index);
    const [x, y, z] = [0, 1, 2].map((k) => before[3 * index + k] - before[3 * elbow + k]);
    const turned = below.has(index) ? [cos * x + sin * z, y, cos * z - sin * x] : [x, y, z];
    for (let k = 0; k < 3; ++k)
      assert.ok(Math.abs(after[3 * index + k] - before[3 * elbow + k] - turned[k]) < 1e-12, skeleton.names[index]);
  });
});

test("Euler angles go in and come out, whatever the order", () => {
  const { skeleton } = must(open(engine, asset("ulna-character.rig.json")));
  for (const order of ["xyz", "zxy", "yzx", "zxz"]) {
    const pose = skeleton.restPose();
    const angles = [0.4, 0.9, -1.3];
    skeleton.setEulerAngles(pose, "Spine", order, angles);
    const back = skeleton.eulerAngles(pose, "Spine", order, [0.3, 0.8, -1]);
    back.forEach((angle, i) => assert.ok(Math.abs(angle - angles[i]) < 1e-12, order));
  }
});

test("a mirrored pose is the mirror image of every joint", () => {
  const { skeleton, clips } = must(open(engine, asset("ulna-character.glb")));
  const pose = clips[1].sample(0.2);
  const mirrored = must(skeleton.mirrored(pose));
  const [here, there] = [skeleton.modelPositions(pose), skeleton.modelPositions(mirrored)];
  const other = (name) => name.replace(/Left|Right/, (side) => (side === "Left" ? "Right" : "Left"));
  skeleton.names.forEach((name, j) => {
    const k = skeleton.find(other(name));
    assert.ok(Math.abs(there[3 * k] + here[3 * j]) < 1e-6, name);
    assert.ok(Math.abs(there[3 * k + 1] - here[3 * j + 1]) < 1e-6, name);
  });
  const halfway = skeleton.blend(pose, mirrored, 0.5);
  const start = skeleton.blend(pose, mirrored, 0);
  assert.ok(largest(start.map((value, i) => value - pose[i])) < 1e-12);
  assert.equal(halfway.length, pose.length);
});

test("the wrong arguments are mistakes that say what is wrong", () => {
  const { skeleton, clips } = must(open(engine, asset("ulna-character.glb")));
  assert.throws(() => skeleton.modelMatrices(new Float64Array(3)), /a pose of 79 joints has 790 numbers, not 3/);
  assert.throws(() => skeleton.modelMatrices([1, 2, 3]), /a pose is a Float64Array/);
  assert.throws(() => skeleton.turnJoint(skeleton.restPose(), "Elbow", [0, 0, 1], 1), /no joint 'Elbow'/);
  assert.throws(() => skeleton.turnJoint(skeleton.restPose(), 79, [0, 0, 1], 1), /no joint 79/);
  assert.throws(() => clips[0].sample(NaN), /a time is a finite number/);
  assert.throws(() => skeleton.modelMatrices(skeleton.restPose(), new Float32Array(16)), /room for 1264 numbers/);
});
