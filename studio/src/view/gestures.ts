// SPDX-License-Identifier: Apache-2.0

// Drags, one class each: the body by inverse kinematics, a pole, a ring, a brush.
import * as THREE from "three";
import type { Drag, Pose, Vec3 } from "@ulna/engine";
import { begin, type Change } from "../commands/command.js";
import { makeDrag } from "../dragging.js";
import { lookThere } from "../gaze.js";
import { sayWhatHinders } from "../hindrance.js";
import { itemAt, present } from "../lists.js";
import { messageOf } from "../messages.js";
import type { Studio } from "../studio.js";
import type { Figure } from "./figure.js";
import { rayThrough, skinOnRay } from "./picking.js";
import type { Activity, Viewport } from "./viewport.js";
import { t } from "../language.js";

export interface Gesture extends Activity {
  move(x: number, y: number): void;
  finish(): void;
  cancel(): void;
}

// How many frames a drag goes on by itself towards a target that takes more iterations than one has.
const SETTLING_FRAMES = 200;
const MOST_PULLS = 40; // in one frame, of a drag that begins anew in every frame

/** Where the pointer is on the plane through a point that faces the camera. */
class ScreenPlane {
  readonly #plane = new THREE.Plane();
  readonly #offset = new THREE.Vector3();
  #begun = false;

  constructor(
    private readonly view: Viewport,
    private readonly through: THREE.Vector3,
  ) {
    const normal = view.scene.camera.getWorldDirection(new THREE.Vector3()).negate();
    this.#plane.setFromNormalAndCoplanarPoint(normal, through);
  }

  /** The first call says where the pointer took hold, so that nothing jumps to it. */
  at(x: number, y: number): THREE.Vector3 {
    const { clientWidth: width, clientHeight: height } = this.view.scene.host;
    const ray = rayThrough(this.view.scene.camera, x, y, width, height);
    const position = ray.intersectPlane(this.#plane, new THREE.Vector3()) ?? this.through.clone();
    if (!this.#begun) {
      this.#begun = true;
      this.#offset.subVectors(this.through, position);
    }
    return position.add(this.#offset);
  }
}

/** What the hand holds. */
interface Grab {
  readonly joint: number;
  readonly point: Vec3; // in the joint's coordinates
  readonly start: Vec3; // where that is in the model at first
}

export class BodyDrag implements Gesture {
  readonly #plane: ScreenPlane;
  readonly #change: Change;
  readonly #startPose: Float64Array;
  readonly #target: THREE.Vector3;
  #pending = false;
  #settling = 0;
  #distance = 0;

  private constructor(
    private readonly studio: Studio,
    private readonly view: Viewport,
    private readonly figure: Figure,
    private readonly grab: Grab,
    private readonly drag: Drag,
  ) {
    const { character } = figure;
    this.#startPose = character.pose.slice();
    this.#target = figure.worldFromModel(grab.start);
    this.#plane = new ScreenPlane(view, this.#target.clone());
    this.#change = present(begin(studio, "Drag"), "active character");
  }

  /** `position` is where the skin was taken, in the scene; without it the joint itself is. */
  static begin(
    studio: Studio,
    view: Viewport,
    figure: Figure,
    joint: number,
    position: THREE.Vector3 | null,
  ): BodyDrag | null {
    const { character } = figure;
    const start = position ? figure.modelFromWorld(position) : character.position(joint);
    const point: Vec3 = position ? inJoint(figure, joint, start) : [0, 0, 0];
    const grab: Grab = { joint, point, start };
    const drag = makeDrag(character, studio.solver, grab);
    if (!drag.ok) {
      const advice = t("pick another method in the solver panel");
      studio.tell({ ...messageOf(drag.error, t("This method cannot do that")), advice });
      return null;
    }
    return new BodyDrag(studio, view, figure, grab, drag.value);
  }

  move(x: number, y: number) {
    this.#target.copy(this.#plane.at(x, y));
    this.#pending = true;
    this.#settling = 0;
  }

  step() {
    if (!this.#pending) return;
    this.#pending = false;
    const { studio, figure } = this;
    const target = figure.modelFromWorld(this.#target);
    if (!studio.solver.watch) {
      const start = performance.now();
      const { report, more, status } = figure.character.solvePose((pose) => this.#solve(target, pose));
      const milliseconds = performance.now() - start;
      this.#distance = distance(target, this.#heldInModel());
      if (more && ++this.#settling < SETTLING_FRAMES) this.#pending = true;
      studio.setReport({ ...report, status }, this.#distance, milliseconds, this.drag.note);
    } else {
      this.#distance = distance(target, this.grab.start);
    }
    const at = figure.worldFromModel(studio.solver.watch ? this.grab.start : this.#heldInModel());
    this.view.showGoal({ target: this.#target.clone(), at });
    if (this.#pending) this.view.scene.askNext();
  }

  get distance(): number {
    return this.#distance;
  }

  #solve(target: Vec3, pose: Pose) {
    const step = this.drag.solve(target, pose);
    // A body whose names have no sides has no other one.
    if (this.studio.solver.symmetric) this.figure.character.skeleton.mirrorPart(pose, this.grab.joint);
    lookThere(this.figure.character, pose, Number(this.grab.joint));
    return step;
  }

  finish() {
    // A quick hand lets go before the body is there.
    do this.step();
    while (this.#pending);
    const { studio, figure, grab } = this;
    const { character } = figure;
    const target = figure.modelFromWorld(this.#target);
    const { watch, iterations } = studio.solver;
    const trace = watch ? this.drag.trace(this.#startPose, target, iterations || undefined) : null;
    const answer = trace?.poses.at(-1);
    if (answer) character.solvePose((pose) => pose.set(answer));
    const pin = character.pins.get(grab.joint);
    if (pin) {
      const { target: pinned, reached } = this.drag.movedPin(
        { joint: grab.joint, target: pin.target },
        target,
        character.pose,
      );
      character.setPin(grab.joint, { ...pin, target: pinned, reached });
    }
    this.#close();
    this.#change.finish();
    const problem = { character, pose: this.#startPose, grab, target };
    studio.noteProblem(problem);
    if (!trace) return sayWhatHinders(studio, problem, this.#distance);
    studio.setReport({ status: trace.status, iterations: trace.poses.length - 1, history: trace.errors });
    studio.traces.start(character, trace);
  }

  cancel() {
    this.#close();
    this.#change.cancel();
  }

  #close() {
    this.view.showGoal(null);
    this.drag.free();
  }

  #heldInModel(): Vec3 {
    return this.drag.heldPoint(this.figure.character.pose);
  }
}

/** Several joints, which move alike: one is under the pointer, and the others are told where to go. */
export class GroupDrag implements Gesture {
  readonly #plane: ScreenPlane;
  readonly #change: Change;
  readonly #startPose: Pose;
  readonly #starts: ReadonlyMap<number, Vec3>;
  readonly #target: THREE.Vector3;
  #pending = false;

  constructor(
    private readonly studio: Studio,
    private readonly view: Viewport,
    private readonly figure: Figure,
    private readonly joint: number,
    others: Iterable<number>,
  ) {
    const { character } = figure;
    this.#startPose = character.pose.slice();
    this.#starts = new Map([joint, ...others].map((each) => [each, character.position(each)]));
    this.#target = figure.worldFromModel(this.#start(joint));
    this.#plane = new ScreenPlane(view, this.#target.clone());
    this.#change = present(begin(studio, "Drag together"), "active character");
  }

  move(x: number, y: number) {
    this.#target.copy(this.#plane.at(x, y));
    this.#pending = true;
  }

  step() {
    if (!this.#pending) return;
    this.#pending = false;
    const { studio, figure, joint } = this;
    const { character } = figure;
    const target = figure.modelFromWorld(this.#target);
    const start = this.#start(joint);
    const along = [...this.#starts.keys()]
      .filter((each) => each !== joint)
      .map((each) => ({ joint: each, target: this.#moved(each, target) }));
    // From the start, whatever way the pointer went: where the others go is new in every frame.
    const grab = { joint, start };
    const made = makeDrag(character, { ...studio.solver, watch: false }, grab, { pose: this.#startPose, along });
    if (!made.ok) return;
    const drag = made.value;
    const begun = performance.now();
    const { report } = character.solvePose((pose) => {
      pose.set(this.#startPose);
      let step = drag.solve(target, pose);
      for (let pulls = 1; step.more && pulls < MOST_PULLS; ++pulls) step = drag.solve(target, pose);
      lookThere(character, pose, joint);
      return step;
    });
    const reached = drag.heldPoint(character.pose);
    studio.setReport(report, distance(target, reached), performance.now() - begun, drag.note);
    drag.free();
    this.view.showGoal({ target: this.#target.clone(), at: figure.worldFromModel(reached) });
  }

  finish() {
    this.step();
    const { character } = this.figure;
    const target = this.figure.modelFromWorld(this.#target);
    // Pins of those that moved hold them where they are now.
    for (const each of this.#starts.keys()) {
      const pin = character.pins.get(each);
      if (pin) character.setPin(each, { ...pin, target: this.#moved(each, target) });
    }
    this.view.showGoal(null);
    this.#change.finish();
  }

  cancel() {
    this.view.showGoal(null);
    this.#change.cancel();
  }

  #start(joint: number): Vec3 {
    return present(this.#starts.get(joint), "joint of the group");
  }

  /** Where a joint of the group is to be while the one under the pointer goes to its target. */
  #moved(joint: number, target: Vec3): Vec3 {
    const [from, own] = [this.#start(this.joint), this.#start(joint)];
    return [own[0] + target[0] - from[0], own[1] + target[1] - from[1], own[2] + target[2] - from[2]];
  }
}

/** The point that a body looks at. */
export class GazeDrag implements Gesture {
  readonly #plane: ScreenPlane;
  readonly #change: Change;
  readonly #figure: Figure;
  #target: THREE.Vector3;
  #pending = false;

  constructor(studio: Studio, view: Viewport) {
    this.#figure = present(view.activeFigure, "active character");
    this.#target = this.#figure.worldFromModel(present(this.#figure.character.gaze, "point that is looked at"));
    this.#plane = new ScreenPlane(view, this.#target.clone());
    this.#change = present(begin(studio, "Look at a point"), "active character");
  }

  move(x: number, y: number) {
    this.#target = this.#plane.at(x, y);
    this.#pending = true;
  }

  step() {
    if (!this.#pending) return;
    this.#pending = false;
    const { character } = this.#figure;
    character.setGaze(this.#figure.modelFromWorld(this.#target));
    character.editPose((pose) => lookThere(character, pose));
  }

  finish() {
    this.step();
    this.#change.finish();
  }

  cancel() {
    this.#change.cancel();
  }
}

export class PoleDrag implements Gesture {
  readonly #plane: ScreenPlane;
  readonly #change: Change;
  readonly #figure: Figure;
  readonly #end: Vec3; // where the limb's end is to stay
  #target: THREE.Vector3;
  #pending = false;

  constructor(
    private readonly studio: Studio,
    view: Viewport,
    private readonly joint: number,
  ) {
    this.#figure = present(view.activeFigure, "active character");
    const { character } = this.#figure;
    const { end, target } = present(character.poles.get(joint), "pole of this joint");
    this.#end = character.position(end);
    this.#target = this.#figure.worldFromModel(target);
    this.#plane = new ScreenPlane(view, this.#target.clone());
    this.#change = present(begin(studio, "Move pole"), "active character");
    studio.select(joint);
  }

  move(x: number, y: number) {
    this.#target = this.#plane.at(x, y);
    this.#pending = true;
  }

  step() {
    if (!this.#pending) return;
    this.#pending = false;
    const { character } = this.#figure;
    const pole = present(character.poles.get(this.joint), "pole of this joint");
    character.setPole(this.joint, { ...pole, target: this.#figure.modelFromWorld(this.#target) });
    const made = makeDrag(character, { ...this.studio.solver, watch: false }, { joint: pole.end, start: this.#end });
    if (!made.ok) return;
    const drag = made.value;
    const { report } = character.solvePose((pose) => drag.solve(this.#end, pose));
    this.studio.setReport(report, report.errors[0] ?? 0, 0, drag.note);
    drag.free();
  }

  finish() {
    this.step();
    this.#change.finish();
  }

  cancel() {
    this.#change.cancel();
  }
}

export class RingDrag implements Gesture {
  readonly #change: Change;
  readonly #ring;
  readonly #startValue: number;
  #angle = 0; // of the pointer about the ring's middle, without jumps
  readonly #startAngle: number;
  #pending = false;

  constructor(
    studio: Studio,
    private readonly view: Viewport,
    ring: number,
    x: number,
    y: number,
  ) {
    this.#ring = itemAt(view.handles.rings, ring);
    this.#startValue = this.#ring.arc.value;
    this.#angle = this.#startAngle = this.#angleAt(x, y);
    this.#change = present(begin(studio, "Rotate joint"), "active character");
  }

  move(x: number, y: number) {
    const angle = this.#angleAt(x, y);
    const rounds = Math.round((this.#angle - angle) / (2 * Math.PI));
    this.#angle = angle + rounds * 2 * Math.PI;
    this.#pending = true;
  }

  step() {
    if (!this.#pending) return;
    this.#pending = false;
    this.#change.character.setDof(this.#ring.arc.dof, this.#startValue + this.#angle - this.#startAngle);
  }

  finish() {
    this.step();
    this.#change.finish();
  }

  cancel() {
    this.#change.cancel();
  }

  /** Where the ray meets the ring's plane; seen edge on, how far it went across the screen. */
  #angleAt(x: number, y: number): number {
    const { origin, axis, zero, radius } = this.#ring;
    const { clientWidth: width, clientHeight: height } = this.view.scene.host;
    const ray = rayThrough(this.view.scene.camera, x, y, width, height);
    const across = new THREE.Vector3().crossVectors(axis, zero);
    if (Math.abs(ray.direction.dot(axis)) < 0.15) {
      const side = new THREE.Vector3().crossVectors(axis, ray.direction).normalize();
      const position = ray.closestPointToPoint(origin, new THREE.Vector3()).sub(origin);
      return -position.dot(side) / radius;
    }
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(axis, origin);
    const hit = ray.intersectPlane(plane, new THREE.Vector3());
    if (!hit) return this.#angle;
    hit.sub(origin);
    return Math.atan2(hit.dot(across), hit.dot(zero));
  }
}

export class PaintStroke implements Gesture {
  readonly #change: Change;
  readonly #painted = new Set<number>();
  #at: { x: number; y: number } | null = null;

  private constructor(
    private readonly studio: Studio,
    private readonly view: Viewport,
    private readonly invert: boolean,
  ) {
    this.#change = present(begin(studio, "Paint weights"), "active character");
  }

  static begin(studio: Studio, view: Viewport, x: number, y: number, invert: boolean): PaintStroke | null {
    const hit = hitAt(view, x, y);
    if (!hit || hit.figure.character !== studio.active || studio.selected < 0) return null;
    return new PaintStroke(studio, view, invert);
  }

  static showBrush(studio: Studio, view: Viewport, x: number, y: number) {
    const hit = hitAt(view, x, y);
    const normal = hit ? faceNormal(hit) : new THREE.Vector3(0, 0, 1);
    const radius = studio.brush.size * (studio.active?.size ?? 1) * (hit?.figure.scale ?? 1);
    view.handles.showBrush(
      hit ? hit.position.clone().addScaledVector(normal, 0.004) : null,
      normal,
      radius,
      view.scene.colours,
    );
  }

  move(x: number, y: number) {
    this.#at = { x, y };
  }

  step() {
    if (!this.#at) return;
    const { x, y } = this.#at;
    this.#at = null;
    const { studio, view } = this;
    PaintStroke.showBrush(studio, view, x, y);
    const hit = hitAt(view, x, y);
    if (!hit || hit.figure.character !== studio.active) return;
    const { character } = hit.figure;
    const inverted = { add: "subtract", subtract: "add", smooth: "smooth" } as const;
    const centre = itemAt(character.meshes, hit.mesh).pointOn(hit.triangle, hit.shares);
    character.paint(hit.mesh, studio.selected, centre, {
      radius: studio.brush.size * character.size,
      mode: this.invert ? inverted[studio.brush.mode] : studio.brush.mode,
      strength: studio.brush.strength * 0.35,
      locked: [...character.locked],
    });
    this.#painted.add(hit.mesh);
  }

  finish() {
    this.step();
    this.#keep();
    this.#change.finish();
  }

  cancel() {
    this.#keep();
    this.#change.cancel();
  }

  #keep() {
    for (const mesh of this.#painted) this.#change.character.keepWeights(mesh);
  }
}

function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function hitAt(view: Viewport, x: number, y: number) {
  const { clientWidth: width, clientHeight: height } = view.scene.host;
  rayThrough(view.scene.camera, x, y, width, height);
  return skinOnRay(view.figures);
}

function faceNormal(hit: NonNullable<ReturnType<typeof hitAt>>): THREE.Vector3 {
  const skin = itemAt(hit.figure.skins, hit.mesh);
  const { object } = skin;
  const corners = skin
    .verticesOf(hit.triangle)
    .map((vertex) => object.getVertexPosition(vertex, new THREE.Vector3()).applyMatrix4(object.matrixWorld));
  return new THREE.Triangle(corners[0], corners[1], corners[2]).getNormal(new THREE.Vector3());
}

/** A point of the model in a joint's coordinates. */
function inJoint({ character }: Figure, joint: number, [x, y, z]: Vec3): Vec3 {
  const matrix = new THREE.Matrix4().fromArray(character.skeleton.modelMatrices(character.pose), 16 * joint);
  return new THREE.Vector3(x, y, z).applyMatrix4(matrix.invert()).toArray();
}
