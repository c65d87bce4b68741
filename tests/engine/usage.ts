// SPDX-License-Identifier: Apache-2.0

// A program against the types; tsc reads it and nobody runs it. Lines that have to be errors say so.
import {
  createEngine,
  POSE_STRIDE,
  type Clip,
  type Diagnostic,
  type Document,
  type Goal,
  type Method,
  type Pose,
  type Result,
  type RetargetOptions,
  type Skeleton,
  type Solver,
  type Stage,
  type Vec3,
} from "@ulna/engine";

declare function show(error: Diagnostic): void;

function openFile(engine: Awaited<ReturnType<typeof createEngine>>, bytes: ArrayBuffer): Document | null {
  const opened = engine.open(bytes, "walk.bvh", { strict: true });
  if (!opened.ok) {
    show(opened.error);
    // @ts-expect-error an error has no value
    opened.value;
    return null;
  }
  return opened.value;
}

function drag(stage: Stage, pose: Pose, method: Method): Solver | null {
  const goals: Goal[] = [
    { kind: "position", joint: "LeftHand", target: [0, 1, 0], level: 2, weight: 0.5 },
    { kind: "pin", joint: 3 },
    { kind: "orientation", joint: "Head", target: new Float64Array(4) },
    { kind: "pole", start: "LeftArm", mid: "LeftForeArm", end: "LeftHand", target: [0, 0, -1] },
    // @ts-expect-error a position has a target
    { kind: "position", joint: "LeftHand" },
    // @ts-expect-error there is no third level
    { kind: "pin", joint: "LeftFoot", level: 3 },
  ];
  const made = stage.makeSolver(goals, { method, continuity: true, pose });
  if (!made.ok) return null;
  const report = made.value.solve(pose);
  const worst: number = Math.max(...report.errors);
  // @ts-expect-error a report is only read
  report.cost = worst;
  const trace = made.value.trace(pose, 20);
  return trace.poses.length === trace.errors.length ? made.value : null;
}

function pull(stage: Stage, pose: Pose): boolean {
  const made = stage.makeDrag(
    pose,
    { joint: "LeftHand", start: [0.6, 1.4, 0] },
    { pins: [{ joint: "LeftFoot", target: [0.1, 0.1, 0], orientation: [0, 0, 0, 1] }], method: "auto" },
  );
  if (!made.ok) return false;
  const { report, more } = made.value.solve([0.5, 1.2, 0.1], pose);
  // @ts-expect-error what holds a joint has a target
  stage.makeDrag(pose, { joint: 0, start: [0, 0, 0] }, { pins: [{ joint: "LeftFoot" }] });
  const held: Vec3 = made.value.heldPoint(pose);
  return more || (report.status === "reached" && held[1] > 1);
}

function matrices(skeleton: Skeleton, pose: Pose): Float32Array {
  const exact: Float64Array = skeleton.modelMatrices(pose);
  const single: Float32Array = skeleton.modelMatrices(pose, new Float32Array(exact.length));
  // @ts-expect-error a pose is a Float64Array
  skeleton.modelMatrices([0, 0, 0]);
  return single;
}

function edit(clip: Clip): Result<Clip> {
  clip.setInterpolation("catmull-rom");
  const key: number = clip.setKey("Hips", "translation", 0.5, [0, 1, 0]);
  clip.moveKey("Hips", "translation", key, 0.75);
  // @ts-expect-error there is no such part
  clip.setKey("Hips", "position", 0, [0, 0, 0]);
  const reduced = clip.reduced({ tolerance: 0.01 });
  return reduced.ok ? { ok: true, value: reduced.value.clip } : reduced;
}

function play(engine: Awaited<ReturnType<typeof createEngine>>, from: Document, to: Document): number {
  const clip = from.clips[0];
  if (clip === undefined) return 0;
  const options: RetargetOptions = {
    feet: "lock",
    keep: { body: true },
    contact: { floor: 0 },
    progress: (done) => done < 1,
  };
  const made = engine.retarget(clip, { ...from, rest: clip.sample(0) }, to, options);
  // @ts-expect-error limits are not taken from another skeleton
  engine.retarget(clip, from, to, { limits: to.skeleton });
  const contacts = engine.findContacts(clip, from);
  if (!made.ok || !contacts.ok) return 0;
  engine.retarget(clip, from, to, { contacts: contacts.value });
  return made.value.report.slideMost;
}

export async function main(bytes: ArrayBuffer): Promise<void> {
  const engine = await createEngine({ wasm: new URL("engine.wasm", "https://example.org/") });
  const document = openFile(engine, bytes);
  if (document === null) return;
  const { skeleton, clips, meshes } = document;
  const pose = skeleton.restPose();
  const stride: 10 = POSE_STRIDE;
  if (pose.length !== stride * skeleton.jointCount) return;
  const stage = skeleton.stage("anatomical", { meshes });
  if (stage.ok) for (const method of engine.methods) drag(stage.value, pose, method);
  if (stage.ok) pull(stage.value, pose);
  matrices(skeleton, pose);
  const held = skeleton.poseHand(pose, "left", { curl: 0.5 });
  if (held.ok) console.log(held.value.shape === "fist", skeleton.hand(pose, "right").ok);
  // @ts-expect-error there is no such shape
  skeleton.poseHand(pose, "left", "claw");
  const clip = clips[0];
  if (clip !== undefined) edit(clip);
  for (const mesh of meshes) {
    const positions = new Float32Array(3 * mesh.vertexCount);
    mesh.deform(pose, { positions }, { blend: "dual-quaternion", twist: "limb" });
    const saved = mesh.weights();
    mesh.paint("Head", mesh.pointOn(0, [1, 0, 0]), { radius: 0.1, mode: "smooth" });
    mesh.setWeights(saved);
    const tied = mesh.tie({ pose, method: "heat" });
    if (tied.ok && tied.value.how === "raised") console.log(tied.value.rise);
  }
  if (play(engine, document, document) > 0.01) show(document.warnings[0] as Diagnostic);
  const written = engine.writeGltf({ skeleton, clips, meshes });
  if (written.ok) new Blob([written.value.bytes]);
  document.free();
}
