// SPDX-License-Identifier: Apache-2.0

// @ulna/engine; engine.d.ts is its page.
import { Clip, INTERPOLATIONS } from "./lib/clip.js";
import { readPointCache } from "./lib/fit.js";
import { instantiate } from "./lib/load.js";
import { readMaterials } from "./lib/looks.js";
import { Memory, POSE_STRIDE, choice, countOf } from "./lib/memory.js";
import { BLENDS, Mesh } from "./lib/mesh.js";
import { withFiles } from "./lib/buffers.js";
import { EULER_ORDERS, Skeleton } from "./lib/skeleton.js";
import { METHODS } from "./lib/solver.js";

export { POSE_STRIDE };

const FORMATS = ["bvh", "gltf", "rig"];

export async function createEngine({ wasm } = {}) {
  return new Engine(new Memory(await instantiate(wasm)));
}

class Engine {
  #memory;

  constructor(memory) {
    this.#memory = memory;
    memory.calls.engineVersion();
    this.version = memory.reply().text();
    this.methods = [...METHODS];
    this.interpolations = [...INTERPOLATIONS];
  }

  get memory() {
    return this.#memory.bytes;
  }

  open(bytes, name = "", { files, strict = false, lenient = false, positionChannels = "replace" } = {}) {
    const add = choice(["replace", "add"], positionChannels, "what position channels do");
    const flags = [strict ? 1 : 0, lenient ? 1 : 0, add];
    return unlessTooMuch(name, () => {
      const sizes = this.#memory.sendBytes(files === undefined ? bytes : withFiles(bytes, files), name);
      const answer = this.#memory.calls.engineOpen(...sizes, ...flags);
      return this.#memory.result(answer, (reply) => this.#readDocument(reply, name));
    });
  }

  readMesh(skeleton, bytes, name = "") {
    const { pointer_: pointer } = skeleton;
    return unlessTooMuch(name, () => {
      const sizes = this.#memory.sendBytes(bytes, name);
      const answer = this.#memory.calls.engineReadMesh(pointer, ...sizes);
      return this.#memory.result(answer, (reply) => {
        const positionCount = reply.number();
        const warnings = reply.warnings();
        return { mesh: new Mesh(this.#memory, answer, skeleton), positionCount, warnings };
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
      const turn = arms === 1 ? 0 : 90 - (180 * i) / (arms - 1);
      joints.push(...hinges(`arm${i + 1}_`, bones, length, `trunk${trunk}`, [length, 0, 0], turn));
    }
    return this.#planar(joints);
  }

  makeClip(skeleton, { name = "", pose = skeleton.restPose() } = {}) {
    skeleton.sendPose_(pose);
    const clip = new Clip(this.#memory, this.#memory.calls.clipMake(skeleton.pointer_), skeleton);
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
    const clip = new Clip(this.#memory, this.#memory.calls.clipOfPoses(skeleton.pointer_, poses.length, frameTime), skeleton);
    if (name !== "") clip.name = name;
    return clip;
  }

  writeBvh(skeleton, clip, { fps = 0, order, rootOnlyPositions = false } = {}) {
    const which = order === undefined ? -1 : choice(EULER_ORDERS, order, "an order");
    const pointer = clip === null ? 0 : clip.pointer_;
    const flag = rootOnlyPositions ? 1 : 0;
    return this.#written(this.#memory.calls.writeBvhFile(skeleton.pointer_, pointer, Number(fps), which, flag));
  }

  writeGltf({ skeleton, clips = [], meshes = [] }, { text = false } = {}) {
    this.#memory.send([...pointers(clips), ...pointers(meshes)]);
    return this.#written(this.#memory.calls.writeGltfFile(skeleton.pointer_, text ? 1 : 0));
  }

  writeRig(skeleton, clips = [], { name = "", fps = 0 } = {}) {
    const [, nameSize] = this.#memory.sendBytes(Float64Array.from(pointers(clips)), name);
    return this.#written(this.#memory.calls.writeRigFile(skeleton.pointer_, Number(fps), nameSize));
  }

  writeMesh(mesh, format, { pose, blend = "linear" } = {}) {
    const ply = choice(["obj", "ply"], format, "a format");
    const how = choice(BLENDS, blend, "a blend");
    return mesh.write_(ply, pose, how, (answer) => this.#written(answer));
  }

  #written(answer) {
    return this.#memory.result(answer, (reply) => {
      const warnings = reply.warnings();
      return { bytes: reply.bytes(reply.number()), warnings };
    });
  }

  #readDocument(reply, name) {
    const format = FORMATS[reply.number()];
    const skeletonPointer = reply.number();
    const clipPointers = reply.numbers(reply.number());
    const meshPointers = reply.numbers(reply.number());
    const materials = readMaterials(reply, this.#memory);
    const warnings = reply.warnings();
    const skeleton = new Skeleton(this.#memory, skeletonPointer);
    const clips = clipPointers.map((pointer) => new Clip(this.#memory, pointer, skeleton));
    const meshes = meshPointers.map((pointer) => new Mesh(this.#memory, pointer, skeleton, materials));
    const free = () => [skeleton, ...clips, ...meshes].forEach((object) => object.free());
    return { format, name, skeleton, clips, meshes, warnings, free };
  }

  #planar(joints) {
    const made = this.makeSkeleton(joints, { planar: true });
    if (!made.ok) throw new RangeError(made.error.message);
    return made.value;
  }
}

/** Of a file that brought the engine to a stop, which only memory that cannot grow any more does. */
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

function gaveUp(name) {
  const what = "the file needs more memory than there is";
  const advice = "free what is not needed any more, or open a part of it";
  const place = name === "" ? "" : `${name}: `;
  return { what, file: name, line: 0, column: 0, path: "", text: "", advice, message: `${place}${what} (${advice})` };
}

/** How many objects there are, and where. */
function pointers(objects) {
  return [objects.length, ...objects.map((object) => object.pointer_)];
}

/** A row of hinges in the plane: the first at the tip of `parent`, turned by an angle in degrees. */
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
