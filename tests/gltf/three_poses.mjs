// SPDX-License-Identifier: Apache-2.0
//
// Where three.js puts the joints and vertices of a glTF file, and how it turns normals.
import fs from "node:fs";
import path from "node:path";
import * as three from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

// The loader expects a browser.
globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};

// The file as the loader takes it without a browser: pictures left out, files beside it inside.
function loadable(file) {
  const bytes = fs.readFileSync(file);
  let text = bytes;
  let binary = null;
  if (bytes.toString("latin1", 0, 4) === "glTF") {
    const length = bytes.readUInt32LE(12);
    text = bytes.subarray(20, 20 + length);
    if (bytes.length > 28 + length) binary = bytes.subarray(28 + length);
  }
  const json = JSON.parse(text.toString("utf8"));
  // What we write is loaded as it stands, but for pictures.
  if (json.asset.generator?.startsWith("Ulna ") && !json.images) {
    return binary || text !== bytes
      ? bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
      : text.toString("utf8");
  }
  for (const key of ["images", "textures", "materials"]) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  for (const buffer of json.buffers ?? []) {
    if (buffer.uri?.startsWith("data:")) continue;
    const data = buffer.uri ? fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(buffer.uri))) : binary;
    buffer.uri = `data:application/octet-stream;base64,${data.toString("base64")}`;
  }
  return JSON.stringify(json);
}

// Depth first, children in the file's order: the order of our joints.
function nodesInOrder(json) {
  const out = [];
  const visit = (i) => {
    out.push(i);
    (json.nodes[i].children ?? []).forEach(visit);
  };
  (json.scenes?.[json.scene ?? 0]?.nodes ?? []).forEach(visit);
  return out;
}

// The node of each of our joints. three.js changes names, so the file's own are used.
function nodesOfJoints(json, names) {
  const order = nodesInOrder(json);
  let place = 0;
  return names.map((name) => {
    for (; place < order.length; ++place) {
      const own = json.nodes[order[place]].name || `node_${order[place]}`;
      if (name === own || name.replace(/#\d+$/, "") === own) return order[place++];
    }
    throw new Error(`no node for joint '${name}'`);
  });
}

// glTF's rotations are unit quaternions; files with few digits hold nearly such, and three.js takes
// them as they are.
function normalizeRotations(gltf) {
  gltf.scene.traverse((object) => object.quaternion.normalize());
  for (const clip of gltf.animations) {
    for (const track of clip.tracks) {
      // Of cubic splines three.js makes unit quaternions itself.
      if (track.ValueTypeName !== "quaternion" || track.values.length !== 4 * track.times.length) continue;
      for (let i = 0; i < track.values.length; i += 4)
        new three.Quaternion().fromArray(track.values, i).normalize().toArray(track.values, i);
    }
  }
}

// The vertices of a node's mesh in the order of ours: those of its primitives one after the other,
// where several take the same ones only once.
class Vertices {
  constructor(gltf, node, object) {
    const parser = gltf.parser;
    const primitives = parser.json.meshes[node.mesh].primitives;
    const own = (child) => parser.associations.get(child)?.nodes === undefined;
    const parts = primitives.length === 1 ? [object] : object.children.filter(own);
    const seen = new Set();
    this.parts = [];
    this.count = 0;
    primitives.forEach((primitive, i) => {
      const key = JSON.stringify(Object.entries(primitive.attributes).sort());
      if ((primitive.mode ?? 4) < 4 || seen.has(key)) return;
      seen.add(key);
      this.parts.push({ first: this.count, mesh: parts[i] });
      this.count += parts[i].geometry.attributes.position.count;
    });
  }

  find(vertex) {
    const part = this.parts.findLast(({ first }) => first <= vertex);
    return [part.mesh, vertex - part.first];
  }

  position(vertex) {
    const [mesh, i] = this.find(vertex);
    return mesh.getVertexPosition(i, new three.Vector3()).applyMatrix4(mesh.matrixWorld).toArray();
  }

  // What becomes of a normal is the difference of what becomes of two points that it lies between.
  normal(vertex) {
    const [mesh, i] = this.find(vertex);
    const pose = (point) =>
      (mesh.isSkinnedMesh ? mesh.applyBoneTransform(i, point) : point).applyMatrix4(mesh.matrixWorld);
    const start = new three.Vector3().fromBufferAttribute(mesh.geometry.attributes.position, i);
    const normal = new three.Vector3().fromBufferAttribute(mesh.geometry.attributes.normal, i);
    const posed = pose(start.clone().add(normal)).sub(pose(start));
    return posed.length() < 1e-6 ? null : posed.normalize().toArray(); // zero, or scaled to nothing
  }
}

export async function dumpPoses(file, ours) {
  const gltf = await new GLTFLoader().parseAsync(loadable(file), "");
  normalizeRotations(gltf);
  const json = gltf.parser.json;
  const nodes = await gltf.parser.getDependencies("node");
  const joints = nodesOfJoints(json, ours.joints).map((i) => nodes[i]);
  const inScene = new Set(nodesInOrder(json));
  const meshes = json.nodes
    .map((node, i) => [node, i])
    .filter(([node, i]) => node.mesh !== undefined && inScene.has(i))
    .map(([node, i]) => new Vertices(gltf, node, nodes[i]));
  const pose = () => {
    gltf.scene.updateMatrixWorld(true);
    return {
      positions: joints.map((object) => object.getWorldPosition(new three.Vector3()).toArray()),
      meshes,
    };
  };
  return {
    *frames() {
      yield [ours.rest, pose()];
      if (ours.clips.length !== gltf.animations.length) throw new Error(`${gltf.animations.length} clips`);
      for (const [i, clip] of ours.clips.entries()) {
        const mixer = new three.AnimationMixer(gltf.scene);
        const action = mixer.clipAction(gltf.animations[i]);
        action.setLoop(three.LoopOnce);
        action.clampWhenFinished = true;
        action.play();
        for (const frame of clip.frames) {
          mixer.setTime(frame.time);
          yield [frame, pose()];
        }
        action.stop();
        mixer.uncacheRoot(gltf.scene);
      }
    },
  };
}
