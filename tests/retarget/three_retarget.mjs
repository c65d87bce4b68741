// SPDX-License-Identifier: Apache-2.0
//
// What three.js's SkeletonUtils.retargetClip makes of a clip: node three_retarget.mjs CLIP.bvh TARGET.glb HIP FPS OUT.json
// writes the names of the target's bones and their positions in every frame. Run in tests/gltf, whose packages it uses.
import fs from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.cwd()}/package.json`);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const three = await load("three");
const { GLTFLoader } = await load("three/addons/loaders/GLTFLoader.js");
const { BVHLoader } = await load("three/addons/loaders/BVHLoader.js");
const { retargetClip } = await load("three/addons/utils/SkeletonUtils.js");
globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};

const [clipFile, targetFile, hip, fps, out] = process.argv.slice(2);
// Without its pictures, which need a browser.
const bytes = fs.readFileSync(targetFile);
const length = bytes.readUInt32LE(12);
const json = JSON.parse(bytes.subarray(20, 20 + length).toString("utf8"));
for (const key of ["images", "textures", "materials"]) delete json[key];
for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
json.buffers[0].uri = `data:application/octet-stream;base64,${bytes.subarray(28 + length).toString("base64")}`;
const gltf = await new GLTFLoader().parseAsync(JSON.stringify(json), "");
const source = new BVHLoader().parse(fs.readFileSync(clipFile, "latin1"));
let target = null;
gltf.scene.traverse((object) => (target ??= object.isSkinnedMesh ? object : null));

const began = performance.now();
const clip = retargetClip(target, source.skeleton, source.clip, {
  hip,
  fps: Number(fps),
  useFirstFramePosition: false,
});
const seconds = (performance.now() - began) / 1000;
const mixer = new three.AnimationMixer(target);
mixer.clipAction(clip).play();
const frames = [];
for (let f = 0; f < clip.tracks[0].times.length; ++f) {
  mixer.setTime(f / Number(fps));
  gltf.scene.updateMatrixWorld(true);
  frames.push(target.skeleton.bones.map((bone) => bone.getWorldPosition(new three.Vector3()).toArray()));
}
fs.writeFileSync(out, JSON.stringify({ seconds, names: target.skeleton.bones.map((bone) => bone.name), frames }));
