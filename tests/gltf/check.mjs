// SPDX-License-Identifier: Apache-2.0
//
// glTF judged by other programs. Everything we write passes the Khronos validator without an error
// or a warning, and three.js puts joints and vertices where we do: of our files, of what we make of
// BVH and rig files, of the third-party files where they are present, and of these written again.
//   node check.mjs GLTF_PROGRAM SHARED_DATA
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dumpPoses } from './three_poses.mjs';
import validator from 'gltf-validator';

const [program, shared] = process.argv.slice(2);
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'ulna-gltf-'));
process.on('exit', () => fs.rmSync(work, { recursive: true }));
let failures = 0;

function fail(file, what) {
  console.error(`${file}: ${what}`);
  ++failures;
}

const run = (...args) => execFileSync(program, args, { maxBuffer: 1 << 30, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

async function validate(file) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 20 });
  // A skin without a mesh is "unused" to the validator; it is what makes nodes bones.
  for (const issue of report.issues.messages) {
    if (issue.severity < 2) fail(path.basename(file), `${issue.code} ${issue.pointer}: ${issue.message}`);
  }
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

// The largest distance over all positions, relative to the size of it all.
function compare(file, ours, theirs) {
  let worst = 0;
  let size = 1e-9;
  let count = 0;
  const look = (a, b, what) => {
    if (!b) return fail(file, `${what} is missing`);
    size = Math.max(size, Math.hypot(...a));
    worst = Math.max(worst, distance(a, b));
    ++count;
  };
  const lookAtFrame = (mine, other, what) => {
    mine.positions.forEach((p, j) => look(p, other.positions[j], `${what}, joint ${j}`));
    mine.meshes.forEach((mesh, m) => {
      if (!other.meshes[m]) return; // several primitives: three splits what we join
      mesh.vertices.forEach((v) => look(v.position, other.meshes[m](v.vertex), `${what}, mesh ${m}`));
    });
  };
  for (const [mine, other] of theirs.frames(ours)) lookAtFrame(mine, other, `time ${mine.time}`);
  console.log(`${file}: ${count} positions agree to ${(worst / size).toExponential(1)}`);
  // three.js has floats in its tracks and meshes. SimpleSkin has rotations of three digits, which are
  // made one long by us and not by three.js.
  if (!(worst / size < (file === 'SimpleSkin.gltf' ? 1e-3 : 2e-6))) fail(file, `a position differs by ${worst} in ${size}`);
}

async function check(file) {
  const ours = JSON.parse(run('dump', file));
  compare(path.basename(file), ours, await dumpPoses(file, ours));
}

function find(folder, endings) {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { recursive: true, withFileTypes: false })
    .map((name) => path.join(folder, name))
    .filter((name) => endings.some((ending) => name.endsWith(ending))).sort();
}

run('samples', work);
for (const file of find(work, ['.glb', '.gltf'])) {
  await validate(file);
  await check(file);
}
const inputs = ['assets/ulna-character.bvh', 'assets/ulna-character.rig.json',
  ...find(path.join(shared, 'bvh'), ['.bvh']), ...find(path.join(shared, 'momentum'), ['.bvh', '.glb']),
  ...find(path.join(shared, 'gltf'), ['.glb', '.gltf'])];
for (const [i, input] of inputs.entries()) {
  if (/\.gl(b|tf)$/.test(input)) await check(input);
  const file = path.join(work, `${i}-${path.basename(input)}.${i % 2 ? 'gltf' : 'glb'}`);
  run('convert', input, file);
  await validate(file);
  await check(file);
}
process.exit(failures > 0 ? 1 : 0);
