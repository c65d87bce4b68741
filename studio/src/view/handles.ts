// SPDX-License-Identifier: Apache-2.0

// What is drawn around joints: pins, goals, poles, limits as arcs and cones, rings to rotate by.
import * as THREE from "three";
import type { Arc, ConeHandle, JointHandles } from "@ulna/engine";
import { lookersOf } from "../gaze.js";
import type { Studio } from "../studio.js";
import type { Figure } from "./figure.js";
import type { Colours } from "./scene.js";
import { AXES, movementColour } from "../theme.js";
import { FORWARD, clear, dashed, flat, shape } from "./shapes.js";
import { itemAt } from "../lists.js";

export interface Ring {
  readonly arc: Arc;
  readonly origin: THREE.Vector3; // in the scene
  readonly axis: THREE.Vector3;
  readonly zero: THREE.Vector3;
  readonly radius: number;
}

/** A goal while something is dragged. */
export interface DraggedGoal {
  readonly target: THREE.Vector3;
  readonly at: THREE.Vector3; // where the joint got
}

export class Handles {
  readonly group = new THREE.Group();

  #rings: Ring[] = [];
  #hoveredRing = -1;
  #goal: DraggedGoal | null = null;
  readonly #pins = new THREE.Group();
  readonly #limits = new THREE.Group();
  readonly #line: THREE.Line<THREE.BufferGeometry, THREE.LineDashedMaterial>;
  readonly #diamond: THREE.Mesh<THREE.OctahedronGeometry, THREE.MeshBasicMaterial>;
  readonly #brush: THREE.Mesh<THREE.RingGeometry, THREE.MeshBasicMaterial>;
  readonly #head = new THREE.SphereGeometry(0.011, 14, 10);
  readonly #needle = new THREE.ConeGeometry(0.005, 0.05, 10)
    .translate(0, -0.025, 0)
    .rotateX(Math.PI)
    .translate(0, -0.05, 0);

  constructor() {
    const geometry = new THREE.BufferGeometry().setAttribute(
      "position",
      new THREE.BufferAttribute(new Float32Array(6), 3),
    );
    this.#line = new THREE.Line(
      geometry,
      new THREE.LineDashedMaterial({ dashSize: 0.02, gapSize: 0.012, depthTest: false, transparent: true }),
    );
    this.#line.frustumCulled = false;
    this.#diamond = new THREE.Mesh(new THREE.OctahedronGeometry(0.016), flat(WHITE, 0.95).clone());
    this.#brush = new THREE.Mesh(new THREE.RingGeometry(0.94, 1, 48), flat(WHITE, 0.9).clone());
    this.#brush.visible = false;
    for (const each of [this.#line, this.#diamond, this.#brush]) each.renderOrder = 20;
    this.group.add(this.#pins, this.#limits, this.#line, this.#diamond, this.#brush);
  }

  /** The angles that can be changed at present. */
  get rings(): readonly Ring[] {
    return this.#rings;
  }
  get goal(): DraggedGoal | null {
    return this.#goal;
  }

  setGoal(goal: DraggedGoal | null) {
    this.#goal = goal;
  }

  /** Marks a ring, or none by -1; returns whether it is another than before. */
  hoverRing(ring: number): boolean {
    const changed = ring !== this.#hoveredRing;
    this.#hoveredRing = ring;
    return changed;
  }

  update(studio: Studio, figure: Figure | null, colours: Colours, camera: THREE.Camera) {
    this.#updatePins(figure, colours);
    this.#updateLimits(studio, figure, colours);
    this.#updateGoal(colours, camera);
  }

  showBrush(position: THREE.Vector3 | null, normal: THREE.Vector3, radius: number, colours: Colours) {
    this.#brush.visible = position !== null;
    if (!position) return;
    this.#brush.material.color.copy(colours.goal);
    this.#brush.position.copy(position);
    this.#brush.quaternion.setFromUnitVectors(FORWARD, normal);
    this.#brush.scale.setScalar(radius);
  }

  #updatePins(figure: Figure | null, colours: Colours) {
    clear(this.#pins);
    if (!figure) return;
    const { character } = figure;
    const stale = character.pinsStale;
    for (const [joint, { target, reached }] of character.pins) {
      const joints = figure.worldFromModel(Array.from(figure.positions.subarray(3 * joint, 3 * joint + 3)));
      const position = stale ? joints : figure.worldFromModel(target);
      this.#pins.add(this.#pinShape(position, colours.pin, character.planar));
      if (!stale && (!reached || position.distanceTo(joints) > 0.004))
        this.#pins.add(segmentLine(position, joints, colours.pin));
    }
    if (character.gaze) {
      const position = figure.worldFromModel(character.gaze);
      const handle = new THREE.Mesh(
        shape("gaze", () => new THREE.SphereGeometry(0.02, 20, 14)),
        flat(colours.goal, 0.9),
      );
      handle.position.copy(position);
      handle.renderOrder = 15;
      const head = lookersOf(character)?.head ?? 0;
      const from = figure.worldFromModel(Array.from(figure.positions.subarray(3 * head, 3 * head + 3)));
      this.#pins.add(handle, segmentLine(position, from, colours.goal));
    }
    for (const [joint, { target }] of character.poles) {
      const position = figure.worldFromModel(target);
      const handle = new THREE.Mesh(
        shape("pole", () => new THREE.OctahedronGeometry(0.018)),
        flat(colours.accent, 0.9),
      );
      handle.position.copy(position);
      handle.renderOrder = 15;
      const joints = figure.worldFromModel(Array.from(figure.positions.subarray(3 * joint, 3 * joint + 3)));
      this.#pins.add(handle, segmentLine(position, joints, colours.accent));
    }
  }

  #pinShape(position: THREE.Vector3, colour: THREE.Color, planar: boolean): THREE.Group {
    const pin = new THREE.Group();
    const head = new THREE.Mesh(this.#head, flat(colour, 0.95));
    const needle = new THREE.Mesh(this.#needle, flat(colour, 0.95));
    for (const part of [head, needle]) {
      part.position.y = 0.05;
      part.renderOrder = 14;
    }
    pin.add(head, needle);
    pin.position.copy(position);
    pin.rotation.z = -0.5;
    pin.rotation.x = planar ? 0 : 0.25;
    return pin;
  }

  #updateLimits(studio: Studio, figure: Figure | null, colours: Colours) {
    clear(this.#limits);
    this.#rings = [];
    if (!figure || studio.selected < 0 || studio.tool === "paint") return;
    const rotating = studio.tool === "rotate";
    if (!rotating && !studio.view.limits) return;
    const { character } = figure;
    const handles = character.stage.handles(character.pose, studio.selected);
    const radius = this.#radius(figure, studio.selected);
    if (studio.view.limits && handles.cone)
      this.#limits.add(...coneShapes(figure, handles, handles.cone, radius, colours));
    handles.arcs.forEach((arc, i) => {
      if (!arc.isAngle) return;
      const ring = ringOf(figure, handles, arc, radius * (rotating ? 1 + 0.12 * i : 1));
      const limited = Number.isFinite(arc.min) && Number.isFinite(arc.max) && arc.max - arc.min < 2 * Math.PI;
      const { movement } = itemAt(character.stage.skeleton.dofs, arc.dof);
      const colour = itemAt(colours.axes, AXES.indexOf(movementColour(movement, i) as (typeof AXES)[number]));
      // In drag mode an unlimited angle has nothing to say.
      if (rotating || (limited && !handles.cone)) {
        this.#limits.add(...arcShapes(ring, limited, rotating, this.#rings.length === this.#hoveredRing, colour));
      }
      if (rotating) this.#rings.push(ring);
    });
  }

  /** As large as the bone, within sight and reason. */
  #radius(figure: Figure, joint: number): number {
    const { joints } = figure.character.skeleton;
    const { tip, children } = itemAt(joints, joint);
    const lengths = [
      Math.hypot(...tip),
      ...children.map((child) => Math.hypot(...itemAt(joints, child).rest.translation)),
    ];
    return Math.min(Math.max(Math.max(...lengths) * figure.scale * 0.55, 0.05), 0.22);
  }

  #updateGoal(colours: Colours, camera: THREE.Camera) {
    const goal = this.#goal;
    this.#line.visible = this.#diamond.visible = goal !== null;
    if (!goal) return;
    this.#line.material.color.copy(colours.goal);
    this.#diamond.material.color.copy(colours.goal);
    this.#diamond.position.copy(goal.target);
    this.#diamond.scale.setScalar(Math.min(camera.position.distanceTo(goal.target) / 4.5, 1.6));
    const attribute = this.#line.geometry.getAttribute("position") as THREE.BufferAttribute;
    attribute.setXYZ(0, goal.target.x, goal.target.y, goal.target.z);
    attribute.setXYZ(1, goal.at.x, goal.at.y, goal.at.z);
    attribute.needsUpdate = true;
    this.#line.computeLineDistances();
  }
}

const WHITE = new THREE.Color(1, 1, 1);

function segmentLine(a: THREE.Vector3, b: THREE.Vector3, colour: THREE.Color) {
  const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([a, b]), dashed(colour));
  line.computeLineDistances();
  line.renderOrder = 13;
  return line;
}

function direction(figure: Figure, vector: readonly number[]): THREE.Vector3 {
  return new THREE.Vector3(vector[0], vector[1], vector[2]).transformDirection(figure.group.matrixWorld);
}

function ringOf(figure: Figure, handles: JointHandles, arc: Arc, radius: number): Ring {
  return {
    arc,
    origin: figure.worldFromModel(handles.origin),
    axis: direction(figure, arc.axis),
    zero: direction(figure, arc.zero),
    radius,
  };
}

/** Puts a flat shape, made about z from x on, where a ring is, rotated by an angle. */
function onRing(object: THREE.Object3D, ring: Ring, angle: number) {
  const across = new THREE.Vector3().crossVectors(ring.axis, ring.zero);
  object.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(ring.zero, across, ring.axis));
  object.rotateZ(angle);
  object.position.copy(ring.origin);
  object.renderOrder = 16;
  return object;
}

function arcShapes(
  ring: Ring,
  limited: boolean,
  rotating: boolean,
  hovered: boolean,
  colour: THREE.Color,
): THREE.Object3D[] {
  const { arc, radius } = ring;
  const [from, width] = limited ? [arc.min, arc.max - arc.min] : [0, 2 * Math.PI];
  const thick = rotating ? (hovered ? 0.006 : 0.0038) : 0.002;
  const band = shape(`band ${radius} ${thick} ${width}`, () => new THREE.TorusGeometry(radius, thick, 6, 56, width));
  const hand = shape(`hand ${radius} ${thick}`, () =>
    new THREE.BoxGeometry(radius, thick * 1.6, thick * 1.6).translate(radius / 2, 0, 0),
  );
  const shapes = [
    onRing(new THREE.Mesh(band, flat(colour, hovered ? 1 : 0.85)), ring, from),
    onRing(new THREE.Mesh(hand, flat(colour, 0.9)), ring, arc.value),
  ];
  if (limited) {
    const fan = shape(`fan ${radius} ${width}`, () => new THREE.CircleGeometry(radius, 40, 0, width));
    shapes.push(onRing(new THREE.Mesh(fan, flat(colour, rotating ? 0.1 : 0.16)), ring, from));
  }
  return shapes;
}

function coneShapes(
  figure: Figure,
  handles: JointHandles,
  cone: ConeHandle,
  radius: number,
  colours: Colours,
): THREE.Object3D[] {
  const apex = figure.worldFromModel(handles.origin);
  const length = radius * 1.25;
  const angle = Math.min(cone.swingMax, Math.PI - 0.02);
  const [wide, high] = [length * Math.sin(angle), length * Math.cos(angle)];
  // A lathe and not a cone, since half openings beyond a right angle fold it back.
  const side = shape(
    `cone ${wide} ${high}`,
    () => new THREE.LatheGeometry([new THREE.Vector2(0, 0), new THREE.Vector2(wide, high)], 48),
  );
  const rim = shape(`rim ${wide} ${high}`, () =>
    new THREE.TorusGeometry(wide, 0.002, 6, 64).rotateX(Math.PI / 2).translate(0, high, 0),
  );
  const rotation = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), direction(figure, cone.axis));
  const shapes = [new THREE.Mesh(side, flat(colours.accent, 0.13)), new THREE.Mesh(rim, flat(colours.accent, 0.8))];
  for (const each of shapes) {
    each.quaternion.copy(rotation);
    each.position.copy(apex);
    each.renderOrder = 16;
  }
  const tip = direction(figure, cone.pointer).multiplyScalar(length).add(apex);
  return [...shapes, segmentLine(apex, tip, colours.goal)];
}
