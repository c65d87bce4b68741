// SPDX-License-Identifier: Apache-2.0

// Drags, one class each: the body by inverse kinematics, a pole, a ring, a brush.
import * as THREE from "three";
import type { Vec3 } from "@ulna/engine";
import { DragSolver, type Grab } from "../solving.js";
import type { Change, Studio } from "../studio.js";
import type { Figure } from "./figure.js";
import { rayThrough, skinOnRay } from "./picking.js";
import type { Activity, StageView } from "./stage_view.js";

export interface Gesture extends Activity {
  move(x: number, y: number): void;
  finish(): void;
  cancel(): void;
}

// How many frames a drag goes on by itself towards a place that takes more iterations than one has.
const SETTLING_FRAMES = 30;

/** Where the pointer is on the plane through a place that faces the camera. */
class ScreenPlane {
  readonly #plane = new THREE.Plane();
  readonly #offset = new THREE.Vector3();
  #begun = false;

  constructor(
    private readonly view: StageView,
    private readonly through: THREE.Vector3,
  ) {
    const normal = view.scene.camera.getWorldDirection(new THREE.Vector3()).negate();
    this.#plane.setFromNormalAndCoplanarPoint(normal, through);
  }

  /** The first call says where the pointer took hold, so that nothing jumps to it. */
  at(x: number, y: number): THREE.Vector3 {
    const { clientWidth: width, clientHeight: height } = this.view.scene.host;
    const ray = rayThrough(this.view.scene.camera, x, y, width, height);
    const place = ray.intersectPlane(this.#plane, new THREE.Vector3()) ?? this.through.clone();
    if (!this.#begun) {
      this.#begun = true;
      this.#offset.subVectors(this.through, place);
    }
    return place.add(this.#offset);
  }
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
    private readonly view: StageView,
    private readonly figure: Figure,
    private readonly grab: Grab,
    private readonly solver: DragSolver,
  ) {
    const { character } = figure;
    this.#startPose = character.pose.slice();
    this.#target = figure.worldFromModel(grab.start);
    this.#plane = new ScreenPlane(view, this.#target.clone());
    this.#change = studio.begin("Drag");
  }

  /** `place` is where the skin was taken, in the scene; without it the joint itself is. */
  static begin(
    studio: Studio,
    view: StageView,
    figure: Figure,
    joint: number,
    place: THREE.Vector3 | null,
  ): BodyDrag | null {
    const { character } = figure;
    const start = place ? figure.modelFromWorld(place) : character.place(joint);
    const point: Vec3 = place ? inJoint(figure, joint, start) : [0, 0, 0];
    const grab: Grab = { joint, point, start };
    const options = studio.solver.watch ? { continuity: false } : {};
    const solver = DragSolver.make(studio, character, grab, options);
    if (typeof solver === "string") {
      studio.tell({
        kind: "error",
        title: "This method cannot do that",
        place: "",
        what: solver,
        text: "",
        advice: "pick another method in the solver panel",
      });
      return null;
    }
    return new BodyDrag(studio, view, figure, grab, solver);
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
    const { character } = figure;
    const target = figure.modelFromWorld(this.#target);
    if (!studio.solver.watch) {
      const start = performance.now();
      const { report, more } = this.solver.solve(target, () => this.#heldInModel());
      const milliseconds = performance.now() - start;
      const held = this.#heldInModel();
      this.#distance = Math.hypot(...target.map((value, i) => value - held[i]!));
      if (more && ++this.#settling < SETTLING_FRAMES) this.#pending = true;
      character.edited = true;
      const status = more || report.status !== "max_iterations" ? report.status : "out_of_reach";
      studio.setReport({ ...report, status }, this.#distance, milliseconds, this.solver.note);
      studio.bus.emit("pose");
    } else {
      this.#distance = Math.hypot(...target.map((value, i) => value - this.grab.start[i]!));
      studio.bus.emit("goals");
    }
    const at = figure.worldFromModel(studio.solver.watch ? this.grab.start : this.#heldInModel());
    this.view.handles.goal = { target: this.#target.clone(), at };
    if (this.#pending) this.view.scene.ask();
  }

  get distance(): number {
    return this.#distance;
  }

  finish() {
    // A quick hand lets go before the body is there.
    do this.step();
    while (this.#pending);
    const { studio, figure, grab } = this;
    const { character } = figure;
    const target = figure.modelFromWorld(this.#target);
    const trace = studio.solver.watch ? this.solver.trace(this.#startPose, target, studio.solver.iterations) : null;
    if (trace) character.pose.set(trace.poses.at(-1)!);
    const pin = character.pins.get(grab.joint);
    if (pin) {
      const reached = this.#distance <= 1e-3 * character.size;
      // The pin goes to the joint's own place, wherever on the skin it was taken.
      const moved = target.map((value, i) => value - grab.start[i]! + pin.target[i]!) as unknown as Vec3;
      character.pins.set(grab.joint, { ...pin, target: reached ? character.place(grab.joint) : moved, reached });
    }
    this.#close();
    this.#change.finish();
    if (trace) studio.startTrace(character, trace);
  }

  cancel() {
    this.#close();
    this.#change.cancel();
  }

  #close() {
    this.view.handles.goal = null;
    this.solver.free();
  }

  #heldInModel(): number[] {
    return new THREE.Vector3(...this.grab.point).applyMatrix4(jointMatrix(this.figure, this.grab.joint)).toArray();
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
    view: StageView,
    private readonly joint: number,
  ) {
    this.#figure = view.activeFigure!;
    const { character } = this.#figure;
    const { end, target } = character.poles.get(joint)!;
    this.#end = character.place(end);
    this.#target = this.#figure.worldFromModel(target);
    this.#plane = new ScreenPlane(view, this.#target.clone());
    this.#change = studio.begin("Move pole");
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
    const pole = character.poles.get(this.joint)!;
    character.poles.set(this.joint, { ...pole, target: this.#figure.modelFromWorld(this.#target) });
    const solver = DragSolver.make(this.studio, character, { joint: pole.end, point: [0, 0, 0], start: this.#end });
    if (typeof solver === "string") return;
    const { report } = solver.solve(this.#end, () => character.place(pole.end));
    this.studio.setReport(report, report.errors[0] ?? 0, 0, solver.note);
    solver.free();
    character.edited = true;
    this.studio.bus.emit("pose", "goals");
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
  #angle: number; // of the pointer about the ring's middle, without jumps
  readonly #startAngle: number;
  #pending = false;

  constructor(
    private readonly studio: Studio,
    private readonly view: StageView,
    ring: number,
    x: number,
    y: number,
  ) {
    this.#ring = view.handles.rings[ring]!;
    this.#startValue = this.#ring.arc.value;
    this.#angle = this.#startAngle = this.#angleAt(x, y);
    this.#change = studio.begin("Turn joint");
  }

  move(x: number, y: number) {
    const angle = this.#angleAt(x, y);
    const turns = Math.round((this.#angle - angle) / (2 * Math.PI));
    this.#angle = angle + turns * 2 * Math.PI;
    this.#pending = true;
  }

  step() {
    if (!this.#pending) return;
    this.#pending = false;
    this.studio.setDof(this.#ring.arc.dof, this.#startValue + this.#angle - this.#startAngle);
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
      const place = ray.closestPointToPoint(origin, new THREE.Vector3()).sub(origin);
      return -place.dot(side) / radius;
    }
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(axis, origin);
    const hit = ray.intersectPlane(plane, new THREE.Vector3());
    if (!hit) return this.#angle ?? 0;
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
    private readonly view: StageView,
    private readonly invert: boolean,
  ) {
    this.#change = studio.begin("Paint weights");
  }

  static begin(studio: Studio, view: StageView, x: number, y: number, invert: boolean): PaintStroke | null {
    const hit = hitAt(view, x, y);
    if (!hit || hit.figure.character !== studio.active || studio.selected < 0) return null;
    return new PaintStroke(studio, view, invert);
  }

  static showBrush(studio: Studio, view: StageView, x: number, y: number) {
    const hit = hitAt(view, x, y);
    const normal = hit ? faceNormal(hit) : new THREE.Vector3(0, 0, 1);
    const radius = studio.brush.size * (studio.active?.size ?? 1) * (hit?.figure.scale ?? 1);
    view.handles.showBrush(
      hit ? hit.place.clone().addScaledVector(normal, 0.004) : null,
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
    const mesh = character.meshes[hit.mesh]!;
    const inverted = { add: "subtract", subtract: "add", smooth: "smooth" } as const;
    mesh.paint(studio.selected, mesh.pointOn(hit.triangle, hit.shares), {
      radius: studio.brush.size * character.size,
      mode: this.invert ? inverted[studio.brush.mode] : studio.brush.mode,
      strength: studio.brush.strength * 0.35,
      locked: [...character.locked],
    });
    this.#painted.add(hit.mesh);
    studio.bus.emit("weights", "pose");
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
    for (const mesh of this.#painted) this.studio.weightsPainted(this.studio.active!, mesh);
  }
}

function hitAt(view: StageView, x: number, y: number) {
  const { clientWidth: width, clientHeight: height } = view.scene.host;
  rayThrough(view.scene.camera, x, y, width, height);
  return skinOnRay(view.figures);
}

function faceNormal(hit: NonNullable<ReturnType<typeof hitAt>>): THREE.Vector3 {
  const { object } = hit.figure.skins[hit.mesh]!;
  const index = object.geometry.getIndex()!.array;
  const corners = [0, 1, 2].map((i) =>
    object.getVertexPosition(index[3 * hit.triangle + i]!, new THREE.Vector3()).applyMatrix4(object.matrixWorld),
  );
  return new THREE.Triangle(corners[0], corners[1], corners[2]).getNormal(new THREE.Vector3());
}

function jointMatrix(figure: Figure, joint: number): THREE.Matrix4 {
  const { character } = figure;
  return new THREE.Matrix4().fromArray(character.skeleton.modelMatrices(character.pose), 16 * joint);
}

function inJoint(figure: Figure, joint: number, place: readonly number[]): Vec3 {
  const { x, y, z } = new THREE.Vector3(place[0], place[1], place[2]).applyMatrix4(jointMatrix(figure, joint).invert());
  return [x, y, z];
}
