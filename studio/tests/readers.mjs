// SPDX-License-Identifier: Apache-2.0

// Files read by other programs than ours: three.js's loaders, in node. Positions of joints by their names.
import { AnimationMixer, Vector3 } from "three";
import { BVHLoader } from "three/examples/jsm/loaders/BVHLoader.js";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

function positionsOf(root) {
  root.updateMatrixWorld(true);
  const out = new Map();
  root.traverse((node) => out.set(node.userData.name ?? node.name, node.getWorldPosition(new Vector3()).toArray()));
  return out;
}

/** The start of a clip of a GLB, without its skins, whose images node cannot decode. */
export async function poseOfGlb(bytes, clip) {
  const { scene, animations } = await new Promise((resolve, reject) =>
    new GLTFLoader().parse(withoutSkins(bytes), "", resolve, reject),
  );
  const mixer = new AnimationMixer(scene);
  mixer.clipAction(animations.find(({ name }) => name === clip)).play();
  mixer.setTime(0);
  return positionsOf(scene);
}

function withoutSkins(file) {
  const length = file.readUInt32LE(12);
  const gltf = JSON.parse(file.subarray(20, 20 + length));
  for (const key of ["meshes", "skins", "materials", "textures", "images", "samplers"]) delete gltf[key];
  for (const node of gltf.nodes) {
    delete node.mesh;
    delete node.skin;
  }
  const json = Buffer.from(JSON.stringify(gltf));
  const padded = Buffer.concat([json, Buffer.alloc(-json.length & 3, 32)]);
  const head = Buffer.alloc(20);
  const rest = file.subarray(20 + length);
  file.copy(head, 0, 0, 8);
  head.writeUInt32LE(20 + padded.length + rest.length, 8);
  head.writeUInt32LE(padded.length, 12);
  file.copy(head, 16, 16, 20);
  const whole = Buffer.concat([head, padded, rest]);
  return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length);
}

/** The first frame of a BVH. */
export function poseOfBvh(text) {
  const { skeleton, clip } = new BVHLoader().parse(text);
  const [root] = skeleton.bones;
  const mixer = new AnimationMixer(root);
  mixer.clipAction(clip).play();
  mixer.setTime(0);
  return positionsOf(root);
}
