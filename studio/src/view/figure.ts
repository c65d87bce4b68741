// SPDX-License-Identifier: Apache-2.0

// One character as it is drawn: its position in the scene, skin, skeleton, ghost and trail.
//
// Files have metres, centimetres or nothing; every character is drawn at about the same size, by a
// matrix alone. All numbers that people see stay the file's own.
import * as THREE from "three";
import type { Character } from "../character.js";
import { ContactShadow } from "./contact_shadow.js";
import type { Studio } from "../studio.js";
import { Ghosts } from "./ghosts.js";
import type { Colours, Scene } from "./scene.js";
import { SkeletonView } from "./skeleton_view.js";
import { SkinView } from "./skin_view.js";
import { SourceView } from "./source_view.js";
import type { Textures } from "./textures.js";
import { itemAt } from "../lists.js";

/** How tall characters stand in the scene. */
export const DRAWN_SIZE = 1.75;
const SKINNED_AT_ONCE = 60_000; // vertices that begin to be drawn in one frame
const TRAIL_POINTS = 160;
const LEAST_BONE_PIXELS = 9; // of a joint that can be told from its parent
const CLOSE_PIXELS = 72; // of a bone at whose joints somebody looks closely
const NEAR_PIXELS = 60; // from the pointer, within which minor joints are shown

export class Figure {
  readonly group = new THREE.Group();
  readonly marks = new THREE.Group(); // what is no part of a picture
  skins: SkinView[] = [];
  near: ReadonlySet<number> = new Set(); // joints near the pointer
  readonly skeletonView: SkeletonView;
  readonly source: SourceView;
  readonly ghosts: Ghosts;
  readonly positions: Float32Array; // of the joints in the model
  readonly screen: Float32Array; // of the joints on the screen, in CSS pixels; and their depth
  readonly shown: Uint8Array; // joints far enough from their parents to be told apart
  readonly scale: number;
  readonly floor: number; // the height of the ground it stands on, in its model
  readonly contact: ContactShadow | null;

  readonly #trail: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  #trailOf: unknown[] = [];
  #colours: Colours;

  constructor(
    readonly character: Character,
    private readonly scene: Scene,
    private readonly textures: Textures,
  ) {
    const { colours } = scene;
    const { skeleton, size } = character;
    this.scale = DRAWN_SIZE / size;
    this.group.scale.setScalar(this.scale);
    if (skeleton.up === "z" && !character.planar) this.group.rotation.x = -Math.PI / 2;
    this.positions = new Float32Array(3 * skeleton.jointCount);
    this.screen = new Float32Array(3 * skeleton.jointCount);
    this.shown = new Uint8Array(skeleton.jointCount).fill(1);
    this.#colours = colours;
    this.skeletonView = new SkeletonView(skeleton, colours);
    this.source = new SourceView(character);
    this.ghosts = new Ghosts(character);
    this.#trail = new THREE.Line(
      new THREE.BufferGeometry().setAttribute(
        "position",
        new THREE.BufferAttribute(new Float32Array(3 * TRAIL_POINTS), 3),
      ),
      new THREE.LineBasicMaterial({ transparent: true, opacity: 0.9, depthTest: false }),
    );
    this.#trail.frustumCulled = false;
    this.#trail.renderOrder = 9;
    this.#matchSkins(SKINNED_AT_ONCE);
    this.marks.add(this.skeletonView.dots, this.source.group, this.ghosts.group, this.#trail);
    this.group.add(this.skeletonView.bones, this.marks);
    this.setColours(colours);
    skeleton.modelPositions(character.pose, this.positions);
    this.floor = floorOf(this.positions, skeleton.up === "z" && !character.planar ? 2 : 1, this.scale);
    this.contact = character.planar
      ? null
      : new ContactShadow(skeleton.parents, size, skeleton.up === "z" ? 2 : 1, this.floor);
    if (this.contact) this.group.add(this.contact.mesh);
    this.group.updateMatrixWorld();
  }

  setColours(colours: Colours) {
    this.#colours = colours;
    this.skeletonView.setColours(colours);
    for (const skin of this.skins) skin.setColours(colours);
    this.source.setColours(colours);
    this.#trail.material.color.copy(colours.goal);
  }

  /** Joints to where the pose has them; returns the milliseconds it took. */
  updatePose(): number {
    const start = performance.now();
    this.character.skeleton.modelPositions(this.character.pose, this.positions);
    this.skeletonView.update(this.positions);
    this.contact?.update(this.positions);
    return performance.now() - start;
  }

  updateSkin(studio: Studio): number {
    const start = performance.now();
    this.#matchSkins(SKINNED_AT_ONCE);
    if (!studio.view.mesh && !studio.view.wire) return 0;
    for (const skin of this.skins)
      skin.deform(this.character.pose, {
        blend: studio.view.dualQuaternion ? "dual-quaternion" : "linear",
        twist: studio.view.limbTwist ? "limb" : "joint",
      });
    return performance.now() - start;
  }

  /** Whether all its meshes are drawn: many large ones come one after the other. */
  get complete(): boolean {
    return this.skins.length === this.character.meshes.length;
  }

  /** Whether a joint has a dot: major ones always, minor ones among bones, from close by or near the pointer. */
  drawn(joint: number, bones: boolean): boolean {
    if (this.shown[joint] !== 1) return false;
    const { rank, parent } = itemAt(this.character.skeleton.joints, joint);
    if (rank !== "minor" || bones) return true;
    return this.near.has(joint) || (parent >= 0 && this.#pixels(joint, parent) >= CLOSE_PIXELS);
  }

  /** Takes the joints near a point of the screen for those that somebody looks at; returns whether they are others. */
  lookAt(x: number, y: number): boolean {
    const { screen, shown } = this;
    const near = new Set<number>();
    for (let joint = 0; joint < shown.length; ++joint) {
      const away = Math.hypot(itemAt(screen, 3 * joint) - x, itemAt(screen, 3 * joint + 1) - y);
      if (shown[joint] === 1 && away < NEAR_PIXELS) near.add(joint);
    }
    const same = near.size === this.near.size && [...near].every((joint) => this.near.has(joint));
    this.near = near;
    return !same;
  }

  /** What is shown of it, and with which marks. */
  updateMarks(studio: Studio, scene: Scene) {
    const { character } = this;
    const active = studio.active === character;
    for (const skin of this.skins) {
      skin.object.visible = studio.view.mesh;
      skin.wire.visible = studio.view.wire;
    }
    if (this.contact) this.contact.mesh.visible = studio.view.shadow;
    const bones = studio.view.bones || this.skins.length === 0;
    this.skeletonView.bones.visible = bones;
    this.skeletonView.dots.visible = studio.tool !== "paint";
    this.skeletonView.bones.material.opacity = this.skins.length > 0 && studio.view.mesh ? 0.38 : 0.85;
    this.skeletonView.mark(
      {
        selected: (joint) => active && (joint === studio.selected || studio.together.has(joint)),
        hovered: active ? studio.hovered : -1,
        pinned: (joint) => character.pins.has(joint),
        locked: (joint) => character.locked.has(joint),
        shown: (joint) => character.pins.has(joint) || this.drawn(joint, bones),
      },
      scene.colours,
      scene.renderer.getPixelRatio(),
    );
  }

  /** What skins are painted with. */
  updatePaint(studio: Studio) {
    const joint = studio.view.weights && studio.active === this.character ? studio.selected : -1;
    for (const skin of this.skins) {
      skin.showTextures(studio.view.textures);
      skin.showWeights(joint);
    }
  }

  /** The way of the selected joint a second before and after now, or through the whole of a short clip. */
  updateTrail(studio: Studio) {
    const { clip, time } = this.character;
    const joint = studio.selected;
    const shown =
      studio.view.trail && clip !== null && clip.duration > 0 && joint >= 0 && studio.active === this.character;
    this.#trail.visible = shown;
    if (!shown) return;
    const whole = clip.duration <= 4;
    const [from, to] = whole ? [0, clip.duration] : [Math.max(0, time - 1.5), Math.min(clip.duration, time + 1.5)];
    const key = [clip, joint, from, to];
    if (key.every((each, i) => each === this.#trailOf[i])) return;
    this.#trailOf = key;
    const attribute = this.#trail.geometry.getAttribute("position") as THREE.BufferAttribute;
    clip.trail(joint, from, to, TRAIL_POINTS, attribute.array as Float32Array);
    attribute.needsUpdate = true;
  }

  /** Where joints are on the screen, and which are far enough apart to be shown. */
  project(camera: THREE.Camera, width: number, height: number) {
    const { parents, joints } = this.character.skeleton;
    toClip.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(this.group.matrixWorld);
    for (let joint = 0; joint < parents.length; ++joint) {
      const at = 3 * joint;
      point.fromArray(this.positions, at).applyMatrix4(toClip);
      this.screen[at] = (point.x * 0.5 + 0.5) * width;
      this.screen[at + 1] = (0.5 - point.y * 0.5) * height;
      this.screen[at + 2] = point.z;
      const parent = this.shownAncestor(itemAt(parents, joint));
      const apart = parent < 0 || this.#pixels(joint, parent) >= LEAST_BONE_PIXELS;
      this.shown[joint] = apart && itemAt(joints, joint).rank !== "hidden" ? 1 : 0;
    }
  }

  shownAncestor(joint: number): number {
    const { parents } = this.character.skeleton;
    while (joint >= 0 && this.shown[joint] === 0) joint = itemAt(parents, joint);
    return joint;
  }

  /** The box of the joints, in the scene. */
  box(): THREE.Box3 {
    const box = new THREE.Box3();
    for (let i = 0; i < this.positions.length; i += 3)
      box.expandByPoint(point.fromArray(this.positions, i).applyMatrix4(this.group.matrixWorld));
    return box;
  }

  /** What is seen of it, in the scene: its vertices, or its joints. */
  points(): THREE.Vector3[] {
    const lists = this.skins.map(({ object }) => object.geometry.getAttribute("position").array);
    return (lists.length > 0 ? lists : [this.positions]).flatMap((list) =>
      Array.from({ length: list.length / 3 }, (_, i) =>
        new THREE.Vector3().fromArray(list, 3 * i).applyMatrix4(this.group.matrixWorld),
      ),
    );
  }

  skinBox(): THREE.Box3 {
    const box = new THREE.Box3();
    for (const { object } of this.skins) {
      const { geometry } = object;
      geometry.computeBoundingBox();
      if (geometry.boundingBox) box.union(geometry.boundingBox.clone().applyMatrix4(this.group.matrixWorld));
    }
    return box;
  }

  worldFromModel(position: readonly number[], out = new THREE.Vector3()): THREE.Vector3 {
    return out.set(itemAt(position, 0), itemAt(position, 1), itemAt(position, 2)).applyMatrix4(this.group.matrixWorld);
  }

  modelFromWorld(position: THREE.Vector3): [number, number, number] {
    const { x, y, z } = point.copy(position).applyMatrix4(inverse.copy(this.group.matrixWorld).invert());
    return [x, y, z];
  }

  dispose() {
    this.group.removeFromParent();
    this.skeletonView.dispose();
    this.source.dispose();
    this.contact?.dispose();
    for (const skin of this.skins) skin.dispose();
    this.ghosts.dispose();
    this.#trail.geometry.dispose();
    this.#trail.material.dispose();
  }

  /** A skin for each mesh: surfaces are tied, and untied by undo. New ones of about so many vertices, in their order. */
  #matchSkins(budget: number) {
    const { meshes } = this.character;
    if (this.complete && meshes.every((mesh, i) => mesh === itemAt(this.skins, i).mesh)) return;
    const known = new Map(this.skins.map((skin) => [skin.mesh, skin]));
    this.skins = [];
    for (const mesh of meshes) {
      if (!known.has(mesh) && budget <= 0) break;
      if (!known.has(mesh)) budget -= mesh.vertexCount;
      this.skins.push(
        known.get(mesh) ?? new SkinView(mesh, this.#colours, this.scene.plain, this.textures, this.scene.ask),
      );
    }
    for (const skin of known.values()) if (!this.skins.includes(skin)) skin.dispose();
    for (const skin of this.skins) this.group.add(skin.object, skin.wire);
  }

  #pixels(a: number, b: number): number {
    const { screen } = this;
    return Math.hypot(
      itemAt(screen, 3 * a) - itemAt(screen, 3 * b),
      itemAt(screen, 3 * a + 1) - itemAt(screen, 3 * b + 1),
    );
  }
}

/** The ground is where the file's zero is, unless the lowest joint is far from there. */
function floorOf(positions: Float32Array, up: number, scale: number): number {
  let lowest = Infinity;
  for (let i = up; i < positions.length; i += 3) lowest = Math.min(lowest, itemAt(positions, i));
  return Math.abs(lowest * scale) < 0.22 * DRAWN_SIZE ? 0 : lowest;
}

const toClip = new THREE.Matrix4();
const inverse = new THREE.Matrix4();
const point = new THREE.Vector3();
