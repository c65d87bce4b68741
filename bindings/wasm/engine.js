// SPDX-License-Identifier: Apache-2.0

// @ulna/engine; engine.d.ts is its page.
import { withFiles } from "./lib/buffers.js";
import { countOf } from "./lib/checks.js";
import { Clip } from "./lib/clip.js";
import { readPointCache } from "./lib/fit.js";
import { instantiate } from "./lib/load.js";
import { readMaterials } from "./lib/materials.js";
import { Memory, POSE_STRIDE } from "./lib/memory.js";
import { Mesh } from "./lib/mesh.js";
import { memoryPieces, takePieces } from "./lib/move.js";
import {
  INTERPOLATIONS,
  METHODS,
  readDocumentReply,
  readMeshFileReply,
  writeBvhOptions,
  writeOpenOptions,
} from "./lib/protocol.js";
import { Progress } from "./lib/progress.js";
import { findContacts, findSoles, retarget } from "./lib/retarget.js";
import { Skeleton } from "./lib/skeleton.js";

export { POSE_STRIDE };

export async function createEngine({ wasm } = {}) {
  const progress = new Progress();
  const { module, instance } = await instantiate(wasm, { progress: progress.tell });
  return new Engine(new Memory(instance, progress), module);
}

class Engine {
  #memory;

  constructor(memory, module) {
    this.#memory = memory;
    this.module = module;
    memory.exports.engineVersion();
    this.version = memory.reply().text();
    this.methods = [...METHODS];
    this.interpolations = [...INTERPOLATIONS];
  }

  get memory() {
    return this.#memory.bytes;
  }

  open(bytes, name = "", options = {}) {
    return this.#open(bytes, name, options, (reply) => this.#readDocument(reply, name));
  }

  openToMove(bytes, name = "", options = {}, prepare = () => {}) {
    return this.#open(bytes, name, options, (reply) => {
      const read = reply.bytes();
      const document = this.#readDocument(this.#memory.replyOf(read), name);
      const stage = document.skeleton.movableStage_(document.meshes);
      prepare(document);
      return { name, version: this.version, reply: read, stage, pieces: memoryPieces(this.#memory) };
    });
  }

  async receive({ name, version, reply, stage, pieces }, { pause } = {}) {
    if (version !== this.version) throw new TypeError(`an engine ${this.version} cannot receive from one ${version}`);
    const engine = await createEngine({ wasm: this.module });
    await takePieces(engine.#memory, pieces, pause);
    const document = engine.#readDocument(engine.#memory.replyOf(reply), name);
    return { ...document, stage: document.skeleton.movedStage_(stage) };
  }

  readMesh(skeleton, bytes, name = "") {
    this.#memory.pointerOf(skeleton); // throws where it was freed
    return unlessTooMuch(name, () => {
      const sizes = this.#memory.sendBytes(bytes, name);
      const answer = this.#memory.calls.engineReadMesh(skeleton, ...sizes);
      return this.#memory.result(answer, (reply) => {
        const read = readMeshFileReply(reply);
        return { mesh: new Mesh(this.#memory, answer, skeleton), ...read };
      });
    });
  }

  readPointCache(bytes, name = "") {
    return unlessTooMuch(name, () => readPointCache(this.#memory, bytes, name));
  }

  makeSkeleton(joints, { planar = false } = {}) {
    const opened = this.open(JSON.stringify({ ulna: 1, ...(planar ? { planar } : {}), joints }), ".rig.json");
    if (!opened.ok) return { ok: false, error: { ...opened.error, file: "" } };
    return { ok: true, value: opened.value.skeleton };
  }

  makePlanarChain({ bones = 5, length = 1 } = {}) {
    return this.#planar([...hinges("bone", countOf(bones, 1, "bones"), length, null, [length, 0, 0], 0)]);
  }

  makePlanarTree({ trunk = 2, arms = 2, bones = 3, length = 1 } = {}) {
    countOf(trunk, 1, "bones of the trunk");
    countOf(arms, 1, "arms");
    countOf(bones, 1, "bones of an arm");
    const joints = hinges("trunk", trunk, length, null, [0, length, 0], 90, false);
    for (let i = 0; i < arms; ++i) {
      // Spread over a half circle, the outermost to the sides.
      const angle = arms === 1 ? 0 : 90 - (180 * i) / (arms - 1);
      joints.push(...hinges(`arm${i + 1}_`, bones, length, `trunk${trunk}`, [length, 0, 0], angle));
    }
    return this.#planar(joints);
  }

  makeClip(skeleton, { name = "", pose = skeleton.restPose() } = {}) {
    skeleton.sendPose_(pose);
    const clip = new Clip(this.#memory, this.#memory.calls.clipMake(skeleton), skeleton);
    if (name !== "") clip.name = name;
    return clip;
  }

  makeFrames(skeleton, poses, { frameTime = 1 / 30, name = "" } = {}) {
    if (poses.length === 0) throw new RangeError("a clip needs a pose");
    if (!(frameTime > 0 && frameTime < Infinity)) throw new RangeError("a frame takes some time");
    const size = skeleton.poseSize_;
    for (const pose of poses) skeleton.checkPose_(pose);
    const room = this.#memory.room(size * poses.length);
    poses.forEach((pose, i) => room.set(pose.subarray(0, size), i * size));
    const clip = new Clip(this.#memory, this.#memory.calls.clipOfPoses(skeleton, poses.length, frameTime), skeleton);
    if (name !== "") clip.name = name;
    return clip;
  }

  readClip(skeleton, bytes) {
    const [size] = this.#memory.sendBytes(bytes);
    const answer = this.#memory.calls.clipOfBytes(skeleton, size);
    return this.#memory.result(answer, () => new Clip(this.#memory, answer, skeleton));
  }

  retarget(clip, source, target, options = {}) {
    return retarget(this.#memory, clip, source, target, options);
  }

  findContacts(clip, body, options = {}) {
    return findContacts(this.#memory, clip, body, options);
  }

  findSoles(body) {
    return findSoles(this.#memory, body);
  }

  writeBvh(skeleton, clip, options = {}) {
    this.#memory.sendRequest(writeBvhOptions, options);
    return this.#memory.calls.writeBvhFile(skeleton, clip);
  }

  writeGltf({ skeleton, clips = [], meshes = [] }, { text = false } = {}) {
    this.#memory.send([...this.#pointers(clips), ...this.#pointers(meshes)]);
    return this.#memory.calls.writeGltfFile(skeleton, text ? "text" : "binary");
  }

  writeRig(skeleton, clips = [], { name = "", fps = 0 } = {}) {
    const [, nameSize] = this.#memory.sendBytes(Float64Array.from(this.#pointers(clips)), name);
    return this.#memory.calls.writeRigFile(skeleton, Number(fps), nameSize);
  }

  writeMesh(mesh, format, { pose, blend = "linear", twist = "joint" } = {}) {
    return mesh.write_(format, pose, blend, twist);
  }

  #readDocument(reply, name) {
    const document = readDocumentReply(reply);
    const materials = readMaterials(reply);
    const skeleton = new Skeleton(this.#memory, document.skeleton);
    const clips = document.clips.map((pointer) => new Clip(this.#memory, pointer, skeleton));
    const meshes = document.meshes.map((pointer) => new Mesh(this.#memory, pointer, skeleton, materials));
    const free = () => [skeleton, ...clips, ...meshes].forEach((object) => object.free());
    return { ...document, name, engine: this, skeleton, clips, meshes, free };
  }

  #open(bytes, name, options, read) {
    const numbers = [];
    writeOpenOptions(numbers, options);
    return unlessTooMuch(name, () => {
      const data = options.files === undefined ? bytes : withFiles(bytes, options.files);
      const [, size, nameSize] = this.#memory.sendBytes(Float64Array.from(numbers), data, name);
      return this.#memory.result(this.#memory.calls.engineOpen(size, nameSize), read);
    });
  }

  /** How many objects there are, and where. */
  #pointers(objects) {
    return [objects.length, ...objects.map((object) => this.#memory.pointerOf(object))];
  }

  #planar(joints) {
    const made = this.makeSkeleton(joints, { planar: true });
    if (!made.ok) throw new RangeError(made.error.message);
    return made.value;
  }
}

/** What `read` gives, or an error where a file takes more memory than there is. */
function unlessTooMuch(name, read) {
  try {
    return read();
  } catch (trap) {
    // A trap of the engine, or a text longer than texts may be.
    if (!(trap instanceof WebAssembly.RuntimeError || trap instanceof RangeError)) throw trap;
    return { ok: false, error: gaveUp(name) };
  }
}

/** Of a file that brought the engine to a stop, which only memory that cannot grow any more does. */
function gaveUp(name) {
  const what = "the file needs more memory than there is";
  const advice = "free what is not needed any more, or open a part of it";
  const where = name === "" ? "" : `${name}: `;
  return { what, file: name, line: 0, column: 0, path: "", text: "", advice, message: `${where}${what} (${advice})` };
}

/** A row of hinges in the plane: the first at the tip of `parent`, rotated by an angle in degrees. */
function hinges(name, count, length, parent, first, degrees, ended = true) {
  const half = (degrees * Math.PI) / 360;
  const joints = [];
  for (let i = 0; i < count; ++i) {
    joints.push({
      name: `${name}${i + 1}`,
      ...(i > 0 ? { parent: `${name}${i}` } : parent === null ? {} : { parent }),
      kind: "hinge",
      axis: [0, 0, 1],
      offset: i > 0 ? [length, 0, 0] : parent === null ? [0, 0, 0] : [length, 0, 0],
      ...(i === 0 && degrees !== 0 ? { rotation: [0, 0, Math.sin(half), Math.cos(half)] } : {}),
      tip: [length, 0, 0],
    });
  }
  if (ended) {
    joints.push({
      name: `${name}${count}_end`,
      parent: `${name}${count}`,
      kind: "fixed",
      offset: [length, 0, 0],
      end_site: true,
    });
  }
  return joints;
}
