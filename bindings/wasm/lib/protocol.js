// SPDX-License-Identifier: Apache-2.0

// Made by generate.mjs of protocol.mjs, which is the file to change.
import { choice, countOf, finite, numbersOf } from "./checks.js";

// Words, in the order of the engine's values.
export const METHODS = ["auto","two-bone","ccd","fabrik","transpose","gradient","projected-gradient","pinv","dls"];
export const SOLVER_STATUSES = ["reached","out_of_reach","stalled","max_iterations","bad_goal"];
export const PLANE_SIDES = ["on","above"];
export const DISTANCE_BOUNDS = ["exactly","at-least","at-most"];
export const CCD_DIRECTIONS = ["end-to-root","root-to-end"];
export const LIMITS = ["own","none","anatomical","borrowed"];
export const JOINT_KINDS = ["fixed","hinge","universal","ball","free","prismatic"];
export const EULER_ORDERS = ["xyz","xzy","yxz","yzx","zxy","zyx","xyx","xzx","yxy","yzy","zxz","zyz"];
export const INTERPOLATIONS = ["step","linear","catmull-rom","uniform-catmull-rom","hermite"];
export const PARTS = ["translation","rotation","scale","angle0","angle1","angle2"];
export const BLENDS = ["linear","dual-quaternion"];
export const TWISTS = ["joint","limb"];
export const BODY_SIDES = ["left","right"];
export const HANDLE_RANKS = ["hidden","minor","major","end"];
export const MOVEMENTS = ["bend","side","twist","slide"];
export const HAND_SHAPES = ["flat","relaxed","open","grip","fist","point","pinch"];
export const WEIGHT_METHODS = ["heat","distance"];
export const FITTING_POSES = ["rest","present","raised"];
export const PAINT_MODES = ["add","subtract","replace","smooth"];
export const ALPHA_MODES = ["opaque","mask","blend"];
export const WRAPS = ["repeat","clamp","mirror"];
export const FIT_LOSSES = ["squares","huber","geman-mcclure"];
export const FIT_STATUSES = ["converged","stalled","max_iterations","bad_target"];
export const POSITION_CHANNELS = ["replace","add"];
export const MESH_FORMATS = ["obj","ply"];
export const GLTF_FORMS = ["binary","text"];
export const SIDES = ["left","right"];
export const RETARGET_FEET = ["auto","lock","keep"];
export const SOLE_SIDES = ["left","right"];
export const SOLE_PARTS = ["heel","ball"];
export const DOCUMENT_FORMATS = ["bvh","gltf","rig"];

// Requests become numbers at the end of `out`; joints are those of `skeleton`.

export function writeOpenOptions(out, value) {
  out.push((value.strict ?? false) ? 1 : 0);
  out.push((value.lenient ?? false) ? 1 : 0);
  out.push(choice(POSITION_CHANNELS, value.positionChannels ?? "replace", "what position channels do"));
}

export function writeBvhOptions(out, value) {
  out.push(finite(value.fps ?? 0, "the fps"));
  out.push(value.order === undefined ? -1 : choice(EULER_ORDERS, value.order, "an order"));
  out.push((value.rootOnlyPositions ?? false) ? 1 : 0);
}

export function writePositionGoal(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push(...numbersOf(value.target, 3, "the target"));
  out.push(...numbersOf(value.point ?? [0,0,0], 3, "the point"));
}

export function writePinGoal(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push(value.target === undefined ? 0 : 1);
  if (value.target !== undefined) out.push(...numbersOf(value.target, 3, "the target"));
  out.push(...numbersOf(value.point ?? [0,0,0], 3, "the point"));
}

export function writeOrientationGoal(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push(value.target === undefined ? 0 : 1);
  if (value.target !== undefined) out.push(...numbersOf(value.target, 4, "the target"));
}

export function writeAimGoal(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push(...numbersOf(value.target, 3, "the target"));
  out.push(...numbersOf(value.axis ?? [0,0,1], 3, "the axis"));
  out.push(...numbersOf(value.eye ?? [0,0,0], 3, "the eye"));
}

export function writePoleGoal(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.start));
  out.push(skeleton.jointIndex_(value.mid));
  out.push(skeleton.jointIndex_(value.end));
  out.push(...numbersOf(value.target, 3, "the target"));
}

export function writePlaneGoal(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push(...numbersOf(value.normal ?? [0,1,0], 3, "the normal"));
  out.push(finite(value.offset ?? 0, "the offset"));
  out.push(choice(PLANE_SIDES, value.side ?? "above", "a side"));
  out.push(...numbersOf(value.point ?? [0,0,0], 3, "the point"));
}

export function writeDistanceGoal(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.jointA));
  out.push(skeleton.jointIndex_(value.jointB));
  out.push(finite(value.distance, "the distance"));
  out.push(choice(DISTANCE_BOUNDS, value.bound ?? "exactly", "a bound"));
  out.push(...numbersOf(value.pointA ?? [0,0,0], 3, "the point a"));
  out.push(...numbersOf(value.pointB ?? [0,0,0], 3, "the point b"));
}

export function writeRelativePositionGoal(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push(skeleton.jointIndex_(value.base));
  out.push(...numbersOf(value.target, 3, "the target"));
  out.push(...numbersOf(value.point ?? [0,0,0], 3, "the point"));
}

export function writeRelativeOrientationGoal(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push(skeleton.jointIndex_(value.base));
  out.push(...numbersOf(value.target, 4, "the target"));
}

export function writeKeepApartGoal(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.jointA));
  out.push(skeleton.jointIndex_(value.jointB));
  out.push(...numbersOf(value.startA ?? [0,0,0], 3, "the start a"));
  out.push(...numbersOf(value.endA ?? [0,0,0], 3, "the end a"));
  out.push(finite(value.radiusA ?? 0, "the radius a"));
  out.push(...numbersOf(value.startB ?? [0,0,0], 3, "the start b"));
  out.push(...numbersOf(value.endB ?? [0,0,0], 3, "the end b"));
  out.push(finite(value.radiusB ?? 0, "the radius b"));
  out.push(finite(value.margin ?? 0, "the margin"));
}

export function writeContactPoint(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push(...numbersOf(value.point ?? [0,0,0], 3, "the point"));
}

export function writeJointMass(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push(finite(value.mass, "the mass"));
  out.push(...numbersOf(value.centre ?? [0,0,0], 3, "the centre"));
}

export function writeBalanceGoal(out, value, skeleton) {
  out.push(value.contacts.length);
  for (const each of value.contacts) writeContactPoint(out, each, skeleton);
  const masses = value.masses ?? [];
  out.push(masses.length);
  for (const each of masses) writeJointMass(out, each, skeleton);
  out.push(...numbersOf(value.up ?? [0,1,0], 3, "the up"));
  out.push(finite(value.margin ?? 0, "the margin"));
}

export function writePostureGoal(out, value, skeleton) {
  if (value.pose === undefined) out.push(0);
  else skeleton.pushPose_(out, value.pose);
  const joints = value.joints ?? [];
  out.push(joints.length);
  for (const each of joints) out.push(skeleton.jointIndex_(each));
}

export function writeSolverOptions(out, value, skeleton) {
  out.push(choice(METHODS, value.method ?? "auto", "a method"));
  out.push((value.continuity ?? false) ? 1 : 0);
  out.push(finite(value.positionTolerance ?? 0, "the position tolerance"));
  out.push(finite(value.angleTolerance ?? 0.0001, "the angle tolerance"));
  out.push(countOf(value.maxIterations ?? 0, 0, "the max iterations"));
  out.push(countOf(value.restarts ?? 0, 0, "the restarts"));
  out.push(countOf(value.seed ?? 1, 0, "the seed"));
  out.push((value.history ?? false) ? 1 : 0);
  out.push((value.fabrikFirst ?? true) ? 1 : 0);
  out.push(value.chain === undefined ? -1 : skeleton.jointIndex_(value.chain));
  out.push(finite(value.step ?? 1, "the step"));
  out.push(finite(value.damping ?? 0.1, "the damping"));
  out.push(finite(value.jointDamping ?? 0, "the joint damping"));
  out.push((value.lineSearch ?? true) ? 1 : 0);
  out.push(choice(CCD_DIRECTIONS, value.ccdDirection ?? "end-to-root", "a direction"));
  const locked = value.locked ?? [];
  out.push(locked.length);
  for (const each of locked) out.push(skeleton.jointIndex_(each));
  const stiffness = value.stiffness ?? [];
  out.push(stiffness.length);
  for (const each of stiffness) writeJointStiffness(out, each, skeleton);
}

export function writeSolverRequest(out, value, skeleton) {
  writeSolverOptions(out, value.options, skeleton);
  out.push(value.freeRoot === undefined ? 0 : 1);
  if (value.freeRoot !== undefined) out.push(value.freeRoot ? 1 : 0);
}

export function writeJointStiffness(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push(finite(value.stiffness, "the stiffness"));
}

export function writeDragGrab(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push(...numbersOf(value.start, 3, "the start"));
  out.push(...numbersOf(value.point ?? [0,0,0], 3, "the point"));
}

export function writeDragPin(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push(...numbersOf(value.target, 3, "the target"));
  out.push(value.orientation === undefined ? 0 : 1);
  if (value.orientation !== undefined) out.push(...numbersOf(value.orientation, 4, "the orientation"));
  out.push((value.reached ?? true) ? 1 : 0);
}

export function writeDragPole(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.start));
  out.push(skeleton.jointIndex_(value.mid));
  out.push(skeleton.jointIndex_(value.end));
  out.push(...numbersOf(value.target, 3, "the target"));
}

export function writeNaturalRules(out, value) {
  out.push((value.balance ?? true) ? 1 : 0);
  out.push((value.floor ?? true) ? 1 : 0);
  out.push((value.bulk ?? true) ? 1 : 0);
  out.push((value.pairs ?? true) ? 1 : 0);
}

export function writeDragOptions(out, value, skeleton) {
  out.push(choice(METHODS, value.method ?? "auto", "a method"));
  out.push(countOf(value.maxIterations ?? 0, 0, "the max iterations"));
  out.push((value.continuity ?? true) ? 1 : 0);
  out.push((value.natural ?? true) ? 1 : 0);
  writeNaturalRules(out, value.rules ?? {}, skeleton);
  const locked = value.locked ?? [];
  out.push(locked.length);
  for (const each of locked) out.push(skeleton.jointIndex_(each));
  out.push(finite(value.size ?? 0, "the size"));
}

export function writeDragRequest(out, value, skeleton) {
  writeDragGrab(out, value.grab, skeleton);
  writeDragOptions(out, value.options, skeleton);
  const pins = value.pins ?? [];
  out.push(pins.length);
  for (const each of pins) writeDragPin(out, each, skeleton);
  const poles = value.poles ?? [];
  out.push(poles.length);
  for (const each of poles) writeDragPole(out, each, skeleton);
}

export function writeLayerPin(out, value, skeleton) {
  out.push(skeleton.jointIndex_(value.joint));
  out.push((value.orientation ?? false) ? 1 : 0);
}

export function writeLayerKeyRequest(out, value) {
  out.push(finite(value.time, "the time"));
  out.push(value.rotations.length);
  for (let i = 0; i < value.rotations.length; ++i) out.push(Number(value.rotations[i]));
  out.push(value.translations.length);
  for (let i = 0; i < value.translations.length; ++i) out.push(Number(value.translations[i]));
}

export function writeLayerOptions(out, value, skeleton) {
  out.push(finite(value.weight ?? 1, "the weight"));
  out.push((value.muted ?? false) ? 1 : 0);
  out.push(finite(value.in ?? 0.5, "the in"));
  out.push(finite(value.out ?? 0.5, "the out"));
  const pins = value.pins ?? [];
  out.push(pins.length);
  for (const each of pins) writeLayerPin(out, each, skeleton);
  const keys = value.keys ?? [];
  out.push(keys.length);
  for (const each of keys) writeLayerKeyRequest(out, each, skeleton);
}

export function writeLayersRequest(out, value, skeleton) {
  out.push(value.layers.length);
  for (const each of value.layers) writeLayerOptions(out, each, skeleton);
}

export function writeReduceOptions(out, value) {
  out.push(value.tolerance === undefined ? 0 : 1);
  if (value.tolerance !== undefined) out.push(Number(value.tolerance));
  out.push(choice(INTERPOLATIONS, value.interpolation ?? "linear", "an interpolation"));
}

export function writeHeatOptions(out, value) {
  out.push(choice(WEIGHT_METHODS, value.method ?? "heat", "a method"));
  out.push(finite(value.stiffness ?? 1, "the stiffness"));
  out.push(countOf(value.most ?? 4, 0, "the most"));
}

export function writeTieOptions(out, value, skeleton) {
  writeHeatOptions(out, value.weights, skeleton);
  if (value.pose === undefined) out.push(0);
  else skeleton.pushPose_(out, value.pose);
  out.push(value.zUp ? 1 : 0);
}

export function writePaintOptions(out, value, skeleton) {
  out.push(...numbersOf(value.centre, 3, "a position"));
  out.push(Number(value.radius));
  out.push(choice(PAINT_MODES, value.mode ?? "add", "a mode"));
  out.push(Number(value.strength ?? 1));
  out.push(Number(value.value ?? 1));
  const locked = value.locked ?? [];
  out.push(locked.length);
  for (const each of locked) out.push(skeleton.jointIndex_(each));
}

export function writeFitOptions(out, value, skeleton) {
  out.push(choice(FIT_LOSSES, value.loss ?? "squares", "a loss"));
  out.push(finite(value.lossScale ?? 0, "the loss scale"));
  out.push(finite(value.tolerance ?? 1e-9, "the tolerance"));
  out.push(countOf(value.maxIterations ?? 100, 0, "the max iterations"));
  out.push(finite(value.smoothness ?? 0, "the smoothness"));
  const locked = value.locked ?? [];
  out.push(locked.length);
  for (const each of locked) out.push(skeleton.jointIndex_(each));
  const pinned = value.pinned ?? [];
  out.push(pinned.length);
  for (const each of pinned) out.push(skeleton.jointIndex_(each));
  const masses = value.masses ?? [];
  out.push(masses.length);
  for (let i = 0; i < masses.length; ++i) out.push(Number(masses[i]));
  out.push((value.missingNaN ?? false) ? 1 : 0);
}

export function writeContactOptions(out, value) {
  out.push(value.floor === undefined ? 0 : 1);
  if (value.floor !== undefined) out.push(Number(value.floor));
  out.push(finite(value.beginHeight ?? 0.04, "the begin height"));
  out.push(finite(value.beginSpeed ?? 0.3, "the begin speed"));
  out.push(finite(value.endHeight ?? 0.05, "the end height"));
  out.push(finite(value.endSpeed ?? 0.45, "the end speed"));
  out.push(finite(value.shortest ?? 0.04, "the shortest"));
}

export function writeRetargetKeep(out, value) {
  out.push((value.floor ?? true) ? 1 : 0);
  out.push((value.pair ?? true) ? 1 : 0);
  out.push((value.body ?? false) ? 1 : 0);
}

export function writeContactRequest(out, value) {
  out.push(choice(SOLE_SIDES, value.side, "a side"));
  out.push(choice(SOLE_PARTS, value.part, "a part of a sole"));
  out.push(countOf(value.first, 0, "the first"));
  out.push(countOf(value.last, 0, "the last"));
}

export function writeRetargetOptions(out, value, skeleton) {
  out.push(choice(RETARGET_FEET, value.feet ?? "auto", "what feet do"));
  writeRetargetKeep(out, value.keep ?? {}, skeleton);
  out.push(choice(LIMITS, value.limits ?? "own", "limits"));
  out.push(finite(value.floor ?? 0, "the floor"));
  out.push(finite(value.speed ?? 1.5, "the speed"));
  writeContactOptions(out, value.contact ?? {}, skeleton);
  out.push((value.hasContacts ?? false) ? 1 : 0);
  out.push(Number(value.contactFloor ?? 0));
  const spans = value.spans ?? [];
  out.push(spans.length);
  for (const each of spans) writeContactRequest(out, each, skeleton);
}

export function writeBodyRequest(out, value, skeleton) {
  if (value.rest === undefined) out.push(0);
  else skeleton.pushPose_(out, value.rest);
  out.push((value.hasSoles ?? false) ? 1 : 0);
  const left = value.left ?? [];
  out.push(left.length);
  for (let i = 0; i < left.length; ++i) out.push(Number(left[i]));
  const right = value.right ?? [];
  out.push(right.length);
  for (let i = 0; i < right.length; ++i) out.push(Number(right[i]));
}

/** The kinds that the engine knows, in its order. */
const GOAL_KINDS = ["position","pin","orientation","aim","pole","plane","distance","relative_position","relative_orientation","keep_apart","balance","posture"];
const GOAL_KINDS_WRITERS = [writePositionGoal, writePinGoal, writeOrientationGoal, writeAimGoal, writePoleGoal, writePlaneGoal, writeDistanceGoal, writeRelativePositionGoal, writeRelativeOrientationGoal, writeKeepApartGoal, writeBalanceGoal, writePostureGoal];

export function writeGoal(out, value, skeleton) {
  out.push(value.weight === undefined ? 0 : 1);
  if (value.weight !== undefined) out.push(Number(value.weight));
  out.push(Math.trunc(value.level ?? 1));
  out.push((value.enabled ?? true) ? 1 : 0);
  const kind = choice(GOAL_KINDS, value.kind, "the kind of a goal");
  out.push(kind);
  GOAL_KINDS_WRITERS[kind](out, value, skeleton);
}

/** Writers of the requests that may be left out whole, in the order of protocolDefaults. */
export const DEFAULTED = [writeOpenOptions, writeBvhOptions, writeSolverOptions, writeNaturalRules, writeDragOptions, writeLayerOptions, writeReduceOptions, writeHeatOptions, writeFitOptions, writeContactOptions, writeRetargetKeep, writeRetargetOptions, writeBodyRequest];

// Replies become plain values, in `into` where one is given.

export function readDiagnostic(reply, into = {}) {
  into.what = reply.text();
  into.file = reply.text();
  into.line = reply.number();
  into.column = reply.number();
  into.path = reply.text();
  into.text = reply.text();
  into.advice = reply.text();
  into.message = reply.text();
  return into;
}

export function readDocumentReply(reply, into = {}) {
  into.format = DOCUMENT_FORMATS[reply.number()];
  into.skeleton = reply.number();
  into.clips = reply.list(() => reply.number());
  into.meshes = reply.list(() => reply.number());
  into.size = reply.number();
  into.usualClip = reply.number();
  into.warnings = reply.list(() => readDiagnostic(reply));
  return into;
}

export function readMaterialSet(reply, into = {}) {
  into.images = reply.list(() => readImage(reply));
  into.materials = reply.list(() => readMaterial(reply));
  return into;
}

export function readMeshFileReply(reply, into = {}) {
  into.positionCount = reply.number();
  into.warnings = reply.list(() => readDiagnostic(reply));
  return into;
}

export function readWrittenReply(reply, into = {}) {
  into.warnings = reply.list(() => readDiagnostic(reply));
  into.bytes = reply.bytes(reply.number());
  return into;
}

export function readCone(reply, into = {}) {
  into.axis = reply.numbers(3);
  into.swingMax = reply.number();
  into.twistMin = reply.number();
  into.twistMax = reply.number();
  return into;
}

export function readRest(reply, into = {}) {
  into.translation = reply.numbers(3);
  into.rotation = reply.numbers(4);
  into.scale = reply.numbers(3);
  return into;
}

export function readJoint(reply, into = {}) {
  into.name = reply.text();
  into.parent = reply.number();
  into.kind = JOINT_KINDS[reply.number()];
  into.rest = readRest(reply, into.rest);
  into.axes = reply.list(() => reply.numbers(3));
  into.order = reply.text();
  into.tip = reply.numbers(3);
  into.radius = reply.number();
  into.endSite = reply.flag();
  into.locked = reply.flag();
  into.stiffness = reply.number();
  into.firstDof = reply.number();
  into.dofCount = reply.number();
  into.cone = reply.flag() ? readCone(reply) : null;
  into.rank = HANDLE_RANKS[reply.number()];
  return into;
}

export function readDof(reply, into = {}) {
  into.name = reply.text();
  into.joint = reply.number();
  into.isAngle = reply.flag();
  into.movement = MOVEMENTS[reply.number()];
  into.min = reply.number();
  into.max = reply.number();
  return into;
}

export function readSkeletonReply(reply, into = {}) {
  into.planar = reply.flag();
  into.zUp = reply.flag();
  into.height = reply.number();
  into.facing = reply.numbers(3);
  into.joints = reply.list(() => readJoint(reply));
  into.dofs = reply.list(() => readDof(reply));
  return into;
}

export function readHandState(reply, into = {}) {
  into.shape = HAND_SHAPES[reply.number()] ?? null;
  into.curl = reply.number();
  into.spread = reply.number();
  into.oppose = reply.number();
  into.joints = reply.numbers(reply.number());
  return into;
}

export function readRecognised(reply, into = {}) {
  into.joint = reply.number();
  into.part = reply.text();
  return into;
}

export function readStageReply(reply, into = {}) {
  into.limits = LIMITS[reply.number()];
  into.warnings = reply.list(() => readDiagnostic(reply));
  into.recognised = reply.list(() => readRecognised(reply));
  into.feet = reply.numbers(reply.number());
  return into;
}

export function readClampReply(reply, into = {}) {
  into.joints = reply.numbers(reply.number());
  return into;
}

export function readArc(reply, into = {}) {
  into.dof = reply.number();
  into.isAngle = reply.flag();
  into.axis = reply.numbers(3);
  into.zero = reply.numbers(3);
  into.value = reply.number();
  into.min = reply.number();
  into.max = reply.number();
  return into;
}

export function readConeHandle(reply, into = {}) {
  into.axis = reply.numbers(3);
  into.pointer = reply.numbers(3);
  into.swing = reply.number();
  into.swingMax = reply.number();
  into.zero = reply.numbers(3);
  into.twist = reply.number();
  into.twistMin = reply.number();
  into.twistMax = reply.number();
  return into;
}

export function readJointHandles(reply, into = {}) {
  into.origin = reply.numbers(3);
  into.arcs = reply.list(() => readArc(reply));
  into.cone = reply.flag() ? readConeHandle(reply) : null;
  return into;
}

export function readSolverReply(reply, into = {}) {
  into.positionTolerance = reply.number();
  into.reach = reply.number();
  into.targetSizes = reply.numbers(reply.number());
  return into;
}

export function readReport(reply, into = {}) {
  into.status = SOLVER_STATUSES[reply.number()];
  into.iterations = reply.number();
  into.attempts = reply.number();
  into.cost = reply.number();
  into.gradient = reply.number();
  into.errors = reply.floats(into.errors);
  into.history = reply.floats(into.history);
  return into;
}

export function readTrace(reply, into = {}) {
  into.poses = reply.list(() => reply.floats());
  into.costs = reply.floats(into.costs);
  into.errors = reply.floats(into.errors);
  into.status = SOLVER_STATUSES[reply.number()];
  return into;
}

export function readJointsReply(reply, into = {}) {
  into.joints = reply.numbers(reply.number());
  return into;
}

export function readDragReply(reply, into = {}) {
  into.note = reply.text();
  return into;
}

export function readDragStep(reply, into = {}) {
  into.report = readReport(reply, into.report);
  into.more = reply.flag();
  into.status = SOLVER_STATUSES[reply.number()];
  return into;
}

export function readPinReply(reply, into = {}) {
  into.target = reply.numbers(3);
  into.reached = reply.flag();
  return into;
}

export function readPole(reply, into = {}) {
  into.start = reply.number();
  into.mid = reply.number();
  into.end = reply.number();
  into.target = reply.numbers(3);
  return into;
}

export function readPoleReply(reply, into = {}) {
  into.pole = reply.flag() ? readPole(reply) : null;
  return into;
}

export function readPointReply(reply, into = {}) {
  into.point = reply.numbers(3);
  return into;
}

export function readClipReply(reply, into = {}) {
  into.isFrames = reply.flag();
  into.duration = reply.number();
  into.frameTime = reply.number();
  into.frameCount = reply.number();
  into.keyCount = reply.number();
  into.dense = reply.flag();
  into.name = reply.text();
  return into;
}

export function readLayerKey(reply, into = {}) {
  into.time = reply.number();
  into.rotations = reply.floats(into.rotations);
  into.translations = reply.floats(into.translations);
  return into;
}

export function readLayerKeysReply(reply, into = {}) {
  into.keys = reply.list(() => readLayerKey(reply));
  return into;
}

export function readReduceReport(reply, into = {}) {
  into.keys = reply.number();
  into.ratio = reply.number();
  into.worstError = reply.number();
  into.worstJoint = reply.number();
  into.worstTime = reply.number();
  return into;
}

export function readKey(reply, into = {}) {
  into.time = reply.number();
  into.value = reply.numbers(reply.number());
  into.in = reply.numbers(reply.number());
  into.out = reply.numbers(reply.number());
  return into;
}

export function readTrack(reply, into = {}) {
  into.joint = reply.number();
  into.part = PARTS[reply.number()];
  into.interpolation = INTERPOLATIONS[reply.number()];
  into.keys = reply.list(() => readKey(reply));
  return into;
}

export function readTracksReply(reply, into = {}) {
  into.tracks = reply.list(() => readTrack(reply));
  return into;
}

export function readImage(reply, into = {}) {
  into.name = reply.text();
  into.mime = reply.text();
  into.bytes = reply.view();
  return into;
}

export function readTexture(reply, into = {}) {
  into.image = reply.number();
  into.wrapS = WRAPS[reply.number()];
  into.wrapT = WRAPS[reply.number()];
  into.magFilter = reply.number();
  into.minFilter = reply.number();
  into.offset = reply.numbers(2);
  into.rotation = reply.number();
  into.scale = reply.numbers(2);
  return into;
}

export function readMaterial(reply, into = {}) {
  into.name = reply.text();
  into.baseColor = reply.numbers(reply.number());
  into.texture = reply.flag() ? readTexture(reply) : null;
  into.metallic = reply.number();
  into.roughness = reply.number();
  into.alphaMode = ALPHA_MODES[reply.number()];
  into.alphaCutoff = reply.number();
  into.doubleSided = reply.flag();
  into.unlit = reply.flag();
  return into;
}

export function readMeshPart(reply, into = {}) {
  into.triangles = reply.number();
  into.material = reply.number();
  return into;
}

export function readMeshReply(reply, into = {}) {
  into.vertexCount = reply.number();
  into.triangleCount = reply.number();
  into.hasTexcoords = reply.flag();
  into.hasColors = reply.flag();
  into.name = reply.text();
  into.parts = reply.list(() => readMeshPart(reply));
  return into;
}

export function readHeatReport(reply, into = {}) {
  into.hidden = reply.number();
  into.loose = reply.number();
  into.idle = reply.numbers(reply.number());
  return into;
}

export function readTieReport(reply, into = {}) {
  into.how = FITTING_POSES[reply.number()];
  into.pose = reply.floats();
  into.rise = reply.number();
  into.outside = reply.number();
  into.hadWeights = reply.flag();
  into.hidden = reply.number();
  into.loose = reply.number();
  into.idle = reply.numbers(reply.number());
  into.warnings = reply.list(() => readDiagnostic(reply));
  return into;
}

export function readMirrorReply(reply, into = {}) {
  into.unmatched = reply.number();
  return into;
}

export function readFitterReply(reply, into = {}) {
  into.vertexCount = reply.number();
  into.size = reply.number();
  into.warnings = reply.list(() => readDiagnostic(reply));
  return into;
}

export function readNotesReply(reply, into = {}) {
  into.notes = reply.list(() => reply.text());
  return into;
}

export function readFitReport(reply, into = {}) {
  into.status = FIT_STATUSES[reply.number()];
  into.rms = reply.number();
  into.worstVertex = reply.number();
  into.worstDistance = reply.number();
  into.iterations = reply.number();
  into.gradient = reply.number();
  into.rank = reply.number();
  into.freedoms = reply.number();
  into.undetermined = reply.numbers(reply.number());
  return into;
}

export function readPointCacheReply(reply, into = {}) {
  into.pointCount = reply.number();
  into.sampleCount = reply.number();
  into.start = reply.number();
  into.step = reply.number();
  into.warnings = reply.list(() => readDiagnostic(reply));
  return into;
}

export function readContact(reply, into = {}) {
  into.side = SOLE_SIDES[reply.number()];
  into.part = SOLE_PARTS[reply.number()];
  into.first = reply.number();
  into.last = reply.number();
  return into;
}

export function readContacts(reply, into = {}) {
  into.floor = reply.number();
  into.contacts = reply.list(() => readContact(reply));
  return into;
}

export function readRetargetReport(reply, into = {}) {
  into.scale = reply.number();
  into.floor = reply.number();
  into.slideMean = reply.number();
  into.slideMost = reply.number();
  into.penetration = reply.number();
  into.directionMean = reply.number();
  into.directionMost = reply.number();
  into.fastestSource = reply.number();
  into.fastest = reply.number();
  into.fastestJoint = reply.number();
  into.lowered = reply.number();
  return into;
}

export function readRetargetReply(reply, into = {}) {
  into.report = readRetargetReport(reply, into.report);
  into.contacts = readContacts(reply, into.contacts);
  into.targetFromSource = reply.numbers(reply.number());
  into.warnings = reply.list(() => readDiagnostic(reply));
  return into;
}

export function readSolesReply(reply, into = {}) {
  into.left = reply.floats(into.left);
  into.right = reply.floats(into.right);
  return into;
}


/** The calls of an engine whose memory this is, as functions that check what they are given. */
export function makeCalls(memory) {
  const { exports } = memory;
  return {
    engineOpen(size, nameSize) {
      return exports.engineOpen(countOf(size, 0, "the size"), countOf(nameSize, 0, "the name size")) !== 0;
    },
    engineReadMesh(skeleton, size, nameSize) {
      return exports.engineReadMesh(memory.pointerOf(skeleton), countOf(size, 0, "the size"), countOf(nameSize, 0, "the name size"));
    },
    skeletonDescribe(skeleton) {
      exports.skeletonDescribe(memory.pointerOf(skeleton));
      return memory.replied(readSkeletonReply);
    },
    skeletonRest(skeleton) {
      return exports.skeletonRest(memory.pointerOf(skeleton));
    },
    skeletonMatrices(skeleton) {
      return exports.skeletonMatrices(memory.pointerOf(skeleton));
    },
    skeletonOrientations(skeleton) {
      return exports.skeletonOrientations(memory.pointerOf(skeleton));
    },
    skeletonTurn(skeleton, joint) {
      return exports.skeletonTurn(memory.pointerOf(skeleton), joint);
    },
    skeletonEuler(skeleton, joint, order) {
      return exports.skeletonEuler(memory.pointerOf(skeleton), joint, choice(EULER_ORDERS, order, "an order"));
    },
    skeletonSetEuler(skeleton, joint, order) {
      return exports.skeletonSetEuler(memory.pointerOf(skeleton), joint, choice(EULER_ORDERS, order, "an order"));
    },
    skeletonMirror(skeleton) {
      return exports.skeletonMirror(memory.pointerOf(skeleton)) !== 0;
    },
    skeletonMirrorPart(skeleton, joint) {
      return exports.skeletonMirrorPart(memory.pointerOf(skeleton), joint) !== 0;
    },
    skeletonPart(skeleton, joint) {
      exports.skeletonPart(memory.pointerOf(skeleton), joint);
      return memory.replied(readJointsReply);
    },
    skeletonPole(skeleton, joint) {
      exports.skeletonPole(memory.pointerOf(skeleton), joint);
      return memory.replied(readPoleReply);
    },
    skeletonBlend(skeleton) {
      return exports.skeletonBlend(memory.pointerOf(skeleton));
    },
    skeletonHand(skeleton, side) {
      return memory.result(exports.skeletonHand(memory.pointerOf(skeleton), choice(BODY_SIDES, side, "a side")), readHandState);
    },
    skeletonPoseHand(skeleton, side, shape, curl, spread, oppose) {
      return memory.result(exports.skeletonPoseHand(memory.pointerOf(skeleton), choice(BODY_SIDES, side, "a side"), shape === undefined ? -1 : choice(HAND_SHAPES, shape, "the shape of a hand"), finite(curl, "the curl"), finite(spread, "the spread"), finite(oppose, "the oppose")), readHandState);
    },
    skeletonSoles(skeleton) {
      exports.skeletonSoles(memory.pointerOf(skeleton));
      return memory.replied(readSolesReply);
    },
    skeletonReplacesRest(skeleton) {
      return exports.skeletonReplacesRest(memory.pointerOf(skeleton)) !== 0;
    },
    stageMake(skeleton, limits, other, meshes) {
      return exports.stageMake(memory.pointerOf(skeleton), choice(LIMITS, limits, "limits"), other == null ? 0 : memory.pointerOf(other), countOf(meshes, 0, "the meshes"));
    },
    stageMakeUsual(skeleton, meshes) {
      return exports.stageMakeUsual(memory.pointerOf(skeleton), countOf(meshes, 0, "the meshes"));
    },
    stageSkeleton(stage) {
      return exports.stageSkeleton(memory.pointerOf(stage));
    },
    stageDofs(stage) {
      return exports.stageDofs(memory.pointerOf(stage));
    },
    stageApply(stage) {
      return exports.stageApply(memory.pointerOf(stage));
    },
    stageSetDof(stage, dof) {
      return exports.stageSetDof(memory.pointerOf(stage), countOf(dof, 0, "the dof"));
    },
    stageClamp(stage) {
      exports.stageClamp(memory.pointerOf(stage));
      return memory.replied(readClampReply);
    },
    stageExcess(stage) {
      return exports.stageExcess(memory.pointerOf(stage));
    },
    stageHandles(stage, joint) {
      exports.stageHandles(memory.pointerOf(stage), joint);
      return memory.replied(readJointHandles);
    },
    solverMake(stage, goals) {
      return exports.solverMake(memory.pointerOf(stage), countOf(goals, 0, "the goals"));
    },
    solverTarget(solver, goal, x, y, z, w) {
      return exports.solverTarget(memory.pointerOf(solver), countOf(goal, 0, "the goal"), x, y, z, w);
    },
    solverWeight(solver, goal, weight) {
      return exports.solverWeight(memory.pointerOf(solver), countOf(goal, 0, "the goal"), weight);
    },
    solverEnable(solver, goal, enabled) {
      return exports.solverEnable(memory.pointerOf(solver), countOf(goal, 0, "the goal"), enabled ? 1 : 0);
    },
    solverSolve(solver) {
      return exports.solverSolve(memory.pointerOf(solver));
    },
    solverTrace(solver, iterations) {
      exports.solverTrace(memory.pointerOf(solver), countOf(iterations, 0, "the iterations"));
      return memory.replied(readTrace);
    },
    dragMake(stage) {
      return exports.dragMake(memory.pointerOf(stage));
    },
    dragHindrances(stage, x, y, z) {
      exports.dragHindrances(memory.pointerOf(stage), x, y, z);
      return memory.replied(readJointsReply);
    },
    dragSolve(drag, x, y, z) {
      return exports.dragSolve(memory.pointerOf(drag), x, y, z);
    },
    dragTrace(drag, x, y, z, iterations) {
      exports.dragTrace(memory.pointerOf(drag), x, y, z, countOf(iterations, 0, "the iterations"));
      return memory.replied(readTrace);
    },
    dragHeldPoint(drag) {
      exports.dragHeldPoint(memory.pointerOf(drag));
      return memory.replied(readPointReply);
    },
    dragMovedPin(drag, x, y, z) {
      exports.dragMovedPin(memory.pointerOf(drag), x, y, z);
      return memory.replied(readPinReply);
    },
    clipMake(skeleton) {
      return exports.clipMake(memory.pointerOf(skeleton));
    },
    clipOfPoses(skeleton, count, frameTime) {
      return exports.clipOfPoses(memory.pointerOf(skeleton), countOf(count, 0, "the count"), finite(frameTime, "the frame time"));
    },
    clipDescribe(clip) {
      exports.clipDescribe(memory.pointerOf(clip));
      return memory.replied(readClipReply);
    },
    clipRename(clip, size) {
      return exports.clipRename(memory.pointerOf(clip), countOf(size, 0, "the size"));
    },
    clipSample(clip, time) {
      return exports.clipSample(memory.pointerOf(clip), finite(time, "a time"));
    },
    clipTrail(clip, joint, from, to, count) {
      return exports.clipTrail(memory.pointerOf(clip), joint, finite(from, "a time"), finite(to, "a time"), countOf(count, 0, "the count"));
    },
    clipDofCurves(clip, stage, joint, from, to, count) {
      return exports.clipDofCurves(memory.pointerOf(clip), stage == null ? 0 : memory.pointerOf(stage), joint, finite(from, "a time"), finite(to, "a time"), countOf(count, 0, "the count"));
    },
    clipClone(clip) {
      return exports.clipClone(memory.pointerOf(clip));
    },
    clipKeyed(clip) {
      return exports.clipKeyed(memory.pointerOf(clip));
    },
    clipEditable(clip, skeleton) {
      return exports.clipEditable(memory.pointerOf(clip), memory.pointerOf(skeleton));
    },
    clipSampled(clip, fps) {
      return exports.clipSampled(memory.pointerOf(clip), finite(fps, "the fps"));
    },
    clipTrimmed(clip, from, to) {
      return exports.clipTrimmed(memory.pointerOf(clip), from, to);
    },
    clipReduced(clip, skeleton) {
      return exports.clipReduced(memory.pointerOf(clip), memory.pointerOf(skeleton));
    },
    clipSetRate(clip, fps) {
      return exports.clipSetRate(memory.pointerOf(clip), finite(fps, "the fps"));
    },
    clipBytes(clip) {
      return exports.clipBytes(memory.pointerOf(clip));
    },
    clipOfBytes(skeleton, size) {
      return exports.clipOfBytes(memory.pointerOf(skeleton), countOf(size, 0, "the size"));
    },
    clipLayered(clip) {
      return exports.clipLayered(memory.pointerOf(clip));
    },
    clipLayerKeys(clip, layer, time) {
      exports.clipLayerKeys(memory.pointerOf(clip), countOf(layer, 0, "the layer"), finite(time, "a time"));
      return memory.replied(readLayerKeysReply);
    },
    clipCompose(clip, frames) {
      return exports.clipCompose(memory.pointerOf(clip), countOf(frames, 0, "the frames"));
    },
    clipMerged(clip) {
      return exports.clipMerged(memory.pointerOf(clip));
    },
    clipTracks(clip, joint) {
      exports.clipTracks(memory.pointerOf(clip), joint ?? -1);
      return memory.replied(readTracksReply);
    },
    clipKeyTimes(clip, joint) {
      return exports.clipKeyTimes(memory.pointerOf(clip), joint ?? -1);
    },
    clipSampleTrack(clip, joint, part, from, to, count) {
      return exports.clipSampleTrack(memory.pointerOf(clip), joint, choice(PARTS, part, "a part"), finite(from, "a time"), finite(to, "a time"), countOf(count, 0, "the count"));
    },
    clipSetKey(clip, joint, part, time) {
      return exports.clipSetKey(memory.pointerOf(clip), joint, choice(PARTS, part, "a part"), finite(time, "a time"));
    },
    clipKeyPose(clip, time) {
      return exports.clipKeyPose(memory.pointerOf(clip), finite(time, "a time"));
    },
    clipMoveKey(clip, joint, part, key, time) {
      return exports.clipMoveKey(memory.pointerOf(clip), joint, choice(PARTS, part, "a part"), countOf(key, 0, "the key"), finite(time, "a time"));
    },
    clipEraseKey(clip, joint, part, key) {
      return exports.clipEraseKey(memory.pointerOf(clip), joint, choice(PARTS, part, "a part"), countOf(key, 0, "the key")) !== 0;
    },
    clipMoveKeysAt(clip, joint, time, epsilon, to) {
      return exports.clipMoveKeysAt(memory.pointerOf(clip), joint ?? -1, finite(time, "a time"), finite(epsilon, "the epsilon"), finite(to, "a time"));
    },
    clipEraseKeysAt(clip, joint, time, epsilon) {
      return exports.clipEraseKeysAt(memory.pointerOf(clip), joint ?? -1, finite(time, "a time"), finite(epsilon, "the epsilon"));
    },
    clipInterpolate(clip, joint, part, interpolation) {
      return exports.clipInterpolate(memory.pointerOf(clip), joint ?? -1, part === undefined ? -1 : choice(PARTS, part, "a part"), choice(INTERPOLATIONS, interpolation, "an interpolation"));
    },
    clipRetarget(clip, source, target) {
      return exports.clipRetarget(memory.pointerOf(clip), memory.pointerOf(source), memory.pointerOf(target));
    },
    clipContacts(clip, skeleton) {
      return memory.result(exports.clipContacts(memory.pointerOf(clip), memory.pointerOf(skeleton)), readContacts);
    },
    meshDescribe(mesh) {
      exports.meshDescribe(memory.pointerOf(mesh));
      return memory.replied(readMeshReply);
    },
    meshHasWeights(mesh) {
      return exports.meshHasWeights(memory.pointerOf(mesh)) !== 0;
    },
    meshPositions(mesh) {
      return exports.meshPositions(memory.pointerOf(mesh));
    },
    meshNormals(mesh) {
      return exports.meshNormals(memory.pointerOf(mesh));
    },
    meshTexcoords(mesh) {
      return exports.meshTexcoords(memory.pointerOf(mesh));
    },
    meshColors(mesh) {
      return exports.meshColors(memory.pointerOf(mesh));
    },
    meshIndices(mesh) {
      return exports.meshIndices(memory.pointerOf(mesh));
    },
    meshDeform(mesh, blend, twist, normals) {
      return exports.meshDeform(memory.pointerOf(mesh), choice(BLENDS, blend, "a blend"), choice(TWISTS, twist, "a twist"), normals ? 1 : 0);
    },
    meshBind(mesh) {
      return exports.meshBind(memory.pointerOf(mesh));
    },
    meshWeightsOf(mesh, joint) {
      return exports.meshWeightsOf(memory.pointerOf(mesh), joint);
    },
    meshWeights(mesh) {
      return exports.meshWeights(memory.pointerOf(mesh));
    },
    meshSetWeights(mesh, rows, count) {
      return exports.meshSetWeights(memory.pointerOf(mesh), countOf(rows, 0, "the rows"), countOf(count, 0, "the count"));
    },
    meshMakeWeights(mesh) {
      return memory.result(exports.meshMakeWeights(memory.pointerOf(mesh)), readHeatReport);
    },
    meshTie(mesh) {
      return memory.result(exports.meshTie(memory.pointerOf(mesh)), readTieReport);
    },
    meshPaint(mesh, joint) {
      return exports.meshPaint(memory.pointerOf(mesh), joint);
    },
    meshSmooth(mesh, amount, rounds) {
      return exports.meshSmooth(memory.pointerOf(mesh), finite(amount, "the amount"), countOf(rounds, 0, "the rounds"));
    },
    meshPrune(mesh, most, least) {
      return exports.meshPrune(memory.pointerOf(mesh), countOf(most, 0, "the most"), finite(least, "the least"));
    },
    meshMirror(mesh, from, tolerance) {
      return memory.result(exports.meshMirror(memory.pointerOf(mesh), choice(SIDES, from, "a side"), tolerance), readMirrorReply);
    },
    fitterMake(skeleton, stage, meshes) {
      return exports.fitterMake(memory.pointerOf(skeleton), memory.pointerOf(stage), countOf(meshes, 0, "the meshes"));
    },
    fitterFit(fitter, cold) {
      return exports.fitterFit(memory.pointerOf(fitter), cold ? 1 : 0);
    },
    fitterNotes(fitter) {
      exports.fitterNotes(memory.pointerOf(fitter));
      return memory.replied(readNotesReply);
    },
    pointCacheRead(size, nameSize) {
      return exports.pointCacheRead(countOf(size, 0, "the size"), countOf(nameSize, 0, "the name size"));
    },
    pointCacheSample(cache, sample) {
      return exports.pointCacheSample(memory.pointerOf(cache), countOf(sample, 0, "the sample"));
    },
    writeBvhFile(skeleton, clip) {
      return memory.result(exports.writeBvhFile(memory.pointerOf(skeleton), clip == null ? 0 : memory.pointerOf(clip)), readWrittenReply);
    },
    writeGltfFile(skeleton, form) {
      return memory.result(exports.writeGltfFile(memory.pointerOf(skeleton), choice(GLTF_FORMS, form, "a form")), readWrittenReply);
    },
    writeRigFile(skeleton, fps, nameSize) {
      return memory.result(exports.writeRigFile(memory.pointerOf(skeleton), fps, countOf(nameSize, 0, "the name size")), readWrittenReply);
    },
    writeMeshFile(mesh, format, posed, blend, twist) {
      return memory.result(exports.writeMeshFile(memory.pointerOf(mesh), choice(MESH_FORMATS, format, "a format"), posed ? 1 : 0, choice(BLENDS, blend, "a blend"), choice(TWISTS, twist, "a twist")), readWrittenReply);
    },
  };
}
