// SPDX-License-Identifier: Apache-2.0
//
// glTF judged by other programs. Everything we write passes the Khronos validator without an error
// or a warning, and three.js puts joints, skinned vertices and their normals where we do: of our
// files, of what we make of BVH and rig files, of the third-party files where they are present, and
// of these written again.
//   node check.mjs GLTF_PROGRAM SHARED_DATA
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { dumpPoses } from "./three_poses.mjs";
import validator from "gltf-validator";

const [program, shared] = process.argv.slice(2);
const work = fs.mkdtempSync(path.join(os.tmpdir(), "ulna-gltf-"));
process.on("exit", () => fs.rmSync(work, { recursive: true }));
let failures = 0;

function fail(file, what) {
  console.error(`${file}: ${what}`);
  ++failures;
}

const run = (...args) =>
  execFileSync(program, args, { maxBuffer: 1 << 30, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

async function validate(file) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 20 });
  // A skin without a mesh is "unused" to the validator; it is what makes nodes bones.
  for (const issue of report.issues.messages) {
    if (issue.severity < 2) fail(path.basename(file), `${issue.code} ${issue.pointer}: ${issue.message}`);
  }
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const triple = (numbers, i) => numbers.slice(3 * i, 3 * i + 3);

// The largest distance over all positions, relative to the size of it all, and of normals.
class Comparison {
  constructor(file) {
    Object.assign(this, { file, joints: 0, vertices: 0, normals: 0, worst: 0, turned: 0, size: 1e-9 });
  }

  look(mine, other) {
    this.size = Math.max(this.size, Math.hypot(...mine));
    // A distance that is no number must not pass for a small one.
    const apart = distance(mine, other);
    this.worst = Math.max(this.worst, Number.isNaN(apart) ? Infinity : apart);
  }

  lookAtMesh(mine, other, what) {
    if (!other) return fail(this.file, `${what} is missing`);
    if (other.count !== mine.count) return fail(this.file, `${what} has ${mine.count} vertices, not ${other.count}`);
    for (let i = 0; 3 * i < mine.positions.length; ++i) {
      this.look(triple(mine.positions, i), other.position(i * mine.step));
      ++this.vertices;
      if (mine.normals.length === 0) continue;
      const normal = other.normal(i * mine.step);
      if (!normal) continue; // it has no direction
      this.turned = Math.max(this.turned, distance(triple(mine.normals, i), normal));
      ++this.normals;
    }
  }

  lookAtFrame(mine, other) {
    if (mine.positions.length !== other.positions.length) fail(this.file, `${other.positions.length} joints`);
    mine.positions.forEach((p, j) => this.look(p, other.positions[j]));
    this.joints += mine.positions.length;
    if (mine.meshes.length !== other.meshes.length)
      fail(this.file, `${mine.meshes.length} meshes, not ${other.meshes.length}`);
    mine.meshes.forEach((mesh, m) => this.lookAtMesh(mesh, other.meshes[m], `time ${mine.time}, mesh ${m}`));
  }

  finish() {
    const share = this.worst / this.size;
    console.log(
      `${this.file}: ${this.joints} joints and ${this.vertices} vertices agree to ${share.toExponential(1)}, ` +
        `${this.normals} normals to ${this.turned.toExponential(1)}`,
    );
    if (this.joints === 0) fail(this.file, "nothing was compared");
    // Floats on both sides: 1e-5 is what is promised, and they are better than that.
    if (!(share < 2e-6)) fail(this.file, `a position differs by ${this.worst} in ${this.size}`);
    if (!(this.turned < 1e-5)) fail(this.file, `a normal differs by ${this.turned}`);
  }
}

function compare(file, ours, theirs) {
  const comparison = new Comparison(file);
  for (const [mine, other] of theirs.frames(ours)) comparison.lookAtFrame(mine, other);
  if (ours.rest.meshes.length > 0 && comparison.vertices === 0) fail(file, "no vertex was compared");
  comparison.finish();
}

async function check(file) {
  const ours = JSON.parse(run("dump", file));
  compare(path.basename(file), ours, await dumpPoses(file, ours));
}

function find(folder, endings) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: false })
    .map((name) => path.join(folder, name))
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .sort();
}

run("samples", work);
for (const file of find(work, [".glb", ".gltf"])) {
  await validate(file);
  await check(file);
}
const inputs = [
  "assets/ulna-character.bvh",
  "assets/ulna-character.rig.json",
  ...find(path.join(shared, "bvh"), [".bvh"]),
  ...find(path.join(shared, "momentum"), [".bvh", ".glb"]),
  ...find(path.join(shared, "gltf"), [".glb", ".gltf"]),
];
for (const [i, input] of inputs.entries()) {
  if (/\.gl(b|tf)$/.test(input)) await check(input);
  const file = path.join(work, `${i}-${path.basename(input)}.${i % 2 ? "gltf" : "glb"}`);
  run("convert", input, file);
  await validate(file);
  await check(file);
}
process.exit(failures > 0 ? 1 : 0);
