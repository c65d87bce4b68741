// SPDX-License-Identifier: Apache-2.0

// FBX by three.js's own loader, made into a GLB that the engine reads: joints, skins with their colours, clips.
import * as THREE from "three";
import { GLTFExporter } from "three/examples/jsm/exporters/GLTFExporter.js";
import { FBXLoader } from "three/examples/jsm/loaders/FBXLoader.js";

export interface FbxContent {
  readonly bytes: ArrayBuffer; // a GLB, in metres
  readonly joints: number;
  readonly meshes: number;
  readonly clips: number;
  readonly left: readonly string[]; // what is not kept, for people
}

/** Throws a sentence where the file cannot be read. */
export async function readFbx(bytes: ArrayBuffer): Promise<FbxContent> {
  const root = new FBXLoader().parse(bytes, "");
  const unit: unknown = root.userData.unitScaleFactor;
  rescale(root, (typeof unit === "number" && unit > 0 ? unit : 1) / 100);
  const found = tidy(root);
  skinAllJoints(root);
  if (found.joints === 0 && found.meshes === 0) throw new Error("there are no joints in it");
  const glb = (await new GLTFExporter().parseAsync(root, {
    binary: true,
    onlyVisible: false,
    animations: root.animations,
  })) as ArrayBuffer;
  return { ...found, bytes: withOwnNames(glb), clips: root.animations.length };
}

/** Lengths of centimetres, or whatever the file has, as metres: joints, surfaces, motions. */
function rescale(root: THREE.Group, factor: number) {
  if (factor === 1) return;
  const done = new Set<unknown>();
  root.traverse((object) => {
    object.position.multiplyScalar(factor);
    if (!(object instanceof THREE.Mesh)) return;
    const { geometry } = object as THREE.Mesh<THREE.BufferGeometry>;
    if (!done.has(geometry)) geometry.scale(factor, factor, factor);
    done.add(geometry);
    if (!(object instanceof THREE.SkinnedMesh)) return;
    for (const matrix of [object.bindMatrix, object.bindMatrixInverse, ...object.skeleton.boneInverses]) {
      if (done.has(matrix)) continue;
      done.add(matrix);
      for (const i of [12, 13, 14]) matrix.elements[i] = (matrix.elements[i] ?? 0) * factor;
    }
  });
  for (const { tracks } of root.animations)
    for (const track of tracks)
      if (track.name.endsWith(".position")) track.values = track.values.map((value) => value * factor);
}

/** Leaves what a character has, in plain colours, and says what is taken away. */
function tidy(root: THREE.Group): Pick<FbxContent, "joints" | "meshes" | "left"> {
  const left = new Set<string>();
  const gone: THREE.Object3D[] = [];
  let [joints, meshes] = [0, 0];
  root.traverse((object) => {
    if (object instanceof THREE.Light || object instanceof THREE.Camera || object instanceof THREE.Line) {
      left.add(object instanceof THREE.Light ? "lights" : object instanceof THREE.Camera ? "cameras" : "curves");
      gone.push(object);
    }
    if (object instanceof THREE.Bone) ++joints;
    if (!(object instanceof THREE.Mesh)) return;
    ++meshes;
    const mesh = object as THREE.Mesh<THREE.BufferGeometry, THREE.Material | THREE.Material[]>;
    if (Object.keys(mesh.geometry.morphAttributes).length > 0) left.add("morph targets");
    mesh.geometry.morphAttributes = {};
    delete mesh.morphTargetInfluences;
    mesh.material = Array.isArray(mesh.material)
      ? mesh.material.map((each) => plain(each, left))
      : plain(mesh.material, left);
  });
  for (const object of gone) object.removeFromParent();
  for (const clip of root.animations) clip.tracks = clip.tracks.filter(({ name }) => !name.includes("morphTarget"));
  return { joints, meshes, left: [...left] };
}

/** Joints that move no vertex are joints too: skins name those alone that do. */
function skinAllJoints(root: THREE.Group) {
  root.updateMatrixWorld(true);
  const bones: THREE.Bone[] = [];
  root.traverse((object) => void (object instanceof THREE.Bone && bones.push(object)));
  root.traverse((object) => {
    if (!(object instanceof THREE.SkinnedMesh)) return;
    const { skeleton } = object;
    for (const bone of bones) {
      if (skeleton.bones.includes(bone)) continue;
      skeleton.bones.push(bone);
      skeleton.boneInverses.push(bone.matrixWorld.clone().invert());
    }
  });
}

function plain(material: THREE.Material, left: Set<string>): THREE.Material {
  const { color, map } = material as THREE.MeshPhongMaterial;
  // Images are decoded by nobody here; with one, the colour is what lies under it.
  if (map) left.add("images");
  const { name, side, opacity } = material;
  return new THREE.MeshStandardMaterial({ name, side, opacity, color: map ? 0xffffff : color, metalness: 0 });
}

/** three.js takes signs out of names that its motions cannot have; nodes get them back. */
function withOwnNames(glb: ArrayBuffer): ArrayBuffer {
  const view = new DataView(glb);
  const length = view.getUint32(12, true);
  const document = JSON.parse(new TextDecoder().decode(new Uint8Array(glb, 20, length))) as {
    nodes?: { name?: string; extras?: { originalName?: string } }[];
  };
  for (const node of document.nodes ?? []) {
    if (node.extras?.originalName) node.name = node.extras.originalName;
    delete node.extras;
  }
  const text = new TextEncoder().encode(JSON.stringify(document));
  const json = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(32);
  json.set(text);
  const rest = new Uint8Array(glb, 20 + length);
  const out = new Uint8Array(20 + json.length + rest.length);
  out.set(new Uint8Array(glb, 0, 20));
  out.set(json, 20);
  out.set(rest, 20 + json.length);
  const head = new DataView(out.buffer);
  head.setUint32(8, out.length, true);
  head.setUint32(12, json.length, true);
  return out.buffer;
}
