// SPDX-License-Identifier: Apache-2.0

// The view as a whole: keeps figures in step with the studio, and does each frame's work.
import * as THREE from "three";
import type { Character } from "../character.js";
import type { Studio } from "../studio.js";
import { Figure, DRAWN_SIZE } from "./figure.js";
import { Handles, type DraggedGoal } from "./handles.js";
import type { Scene } from "./scene.js";
import { Textures } from "./textures.js";
import { t } from "../language.js";

/** A side of the active body, from which one looks at it. */
export type LookFrom = "corner" | "front" | "left" | "right" | "back" | "top";

/** Something that goes on over frames, such as a drag: does its work before the pose is drawn. */
export interface Activity {
  step(): void;
}

export class Viewport {
  readonly handles = new Handles();
  readonly textures: Textures;

  #figures: readonly Figure[] = [];
  #activity: Activity | null = null;
  #poseChanged = true;
  #marksChanged = true;
  #paintChanged = true;
  #growing = false; // whether there are skins yet to be drawn
  readonly #followed = new THREE.Vector3();
  readonly #timings = { solve: 0, pose: 0, skin: 0, upload: 0, script: 0 };

  constructor(
    private readonly studio: Studio,
    readonly scene: Scene,
  ) {
    this.textures = new Textures(({ name }) =>
      studio.note(
        t("An image could not be shown"),
        name ? t("the browser cannot read '{name}'", { name }) : t("the browser cannot read it"),
      ),
    );
    this.scene.scene.add(this.handles.group);
    this.scene.onFrame((seconds) => this.#frame(seconds));
    const { bus } = studio;
    bus.on("characters", () => this.#matchCharacters());
    bus.on(["pose", "time"], () => this.#note("pose"));
    bus.on(["selection", "goals", "tool", "view", "clip"], () => this.#note("marks"));
    bus.on("view", () => this.#note("pose"));
    bus.on("view", () => this.scene.setLens(studio.view));
    bus.on("view", () => this.scene.ground.wantShadow(studio.view.shadow));
    bus.on("meshes", () => this.#note("pose"));
    bus.on(["weights", "meshes", "view", "selection"], () => this.#note("paint"));
  }

  /** One for each character. */
  get figures(): readonly Figure[] {
    return this.#figures;
  }

  get activeFigure(): Figure | null {
    return this.#figures.find((figure) => figure.character === this.studio.active) ?? null;
  }

  /** The height of the ground that a character stands on, in its model. */
  floorOf(character: Character): number {
    return this.#figures.find((figure) => figure.character === character)?.floor ?? 0;
  }

  setColours() {
    this.scene.readColours();
    for (const figure of this.figures) figure.setColours(this.scene.colours);
    this.#note("marks");
  }

  /** What goes on from now on, until another does or none. */
  setActivity(activity: Activity | null) {
    this.#activity = activity;
    this.scene.ask();
  }

  /** Where the pointer is, in CSS pixels: joints near it are shown. Far from everything by default. */
  pointAt(x = -Infinity, y = -Infinity) {
    let changed = false;
    for (const figure of this.#figures) changed = figure.lookAt(x, y) || changed;
    if (changed) this.#note("marks");
  }

  /** Where something is dragged to, and how far it got. */
  showGoal(goal: DraggedGoal | null) {
    this.handles.setGoal(goal);
    this.#note("marks");
  }

  /** Brings everything into view. */
  frame() {
    const box = new THREE.Box3();
    for (const figure of this.figures) {
      figure.updatePose();
      figure.updateSkin(this.studio);
      box.union(figure.box()).union(figure.skinBox());
    }
    if (box.isEmpty()) return;
    const planar = this.studio.active?.planar ?? false;
    box.expandByScalar(planar ? 0.35 : 0.06);
    this.scene.ground.setPlanar(planar);
    this.scene.frameBox(box, planar);
    this.scene.lightOn(
      box.getCenter(new THREE.Vector3()),
      Math.max(DRAWN_SIZE, box.getSize(new THREE.Vector3()).length() / 2),
    );
    this.scene.ground.follow(this.scene.controls.target);
    this.#rememberFollowed();
    this.#note("pose");
  }

  /** Looks from and at positions of the scene. */
  lookFrom({ position, target }: { position: ArrayLike<number>; target: ArrayLike<number> }) {
    const { camera, controls } = this.scene;
    camera.position.fromArray([...Array.from(position)]);
    controls.target.fromArray([...Array.from(target)]);
    controls.update();
    this.#rememberFollowed();
    this.scene.ask();
  }

  /** The frame that would come next, at once. */
  drawNow() {
    this.prepare();
    this.scene.draw();
  }

  /** Looks at the active body from one of its sides, exactly, with all of it in view. */
  look(from: LookFrom) {
    const figure = this.activeFigure;
    if (!figure || figure.character.planar) return this.frame();
    this.frame();
    const front = new THREE.Vector3(...figure.character.skeleton.facing).transformDirection(figure.group.matrixWorld);
    const left = UP.clone().cross(front);
    const direction = {
      corner: () => front.clone().addScaledVector(left, 0.42).addScaledVector(UP, 0.16),
      front: () => front,
      left: () => left,
      right: () => left.negate(),
      back: () => front.negate(),
      // Not quite, since nothing would say then where its front is.
      top: () => UP.clone().addScaledVector(front, 1e-4),
    }[from]();
    this.scene.lookFrom(direction.normalize());
  }

  /** Everything as it is to be drawn, for pictures that others take. */
  prepare() {
    do this.#frame(0);
    while (this.#growing);
    this.scene.scene.updateMatrixWorld();
  }

  /** All that is seen of the characters, in the scene. */
  points(): THREE.Vector3[] {
    return this.figures.flatMap((figure) => figure.points());
  }

  /** Where the active character's root is, in the scene. */
  rootPosition(): THREE.Vector3 {
    return this.#rootPosition() ?? new THREE.Vector3();
  }

  /** How many units of the file a cell of the grid is wide. */
  get cell(): number {
    const size = this.studio.active?.size ?? 1;
    const rough = 10 ** Math.floor(Math.log10(size / 4));
    return size / 4 / rough >= 5 ? rough * 5 : size / 4 / rough >= 2 ? rough * 2 : rough;
  }

  #note(what: "pose" | "marks" | "paint") {
    if (what === "pose") this.#poseChanged = true;
    if (what === "paint") this.#paintChanged = true;
    this.#marksChanged = true;
    this.scene.ask();
  }

  #matchCharacters() {
    const { characters } = this.studio;
    const gone = this.figures.filter((figure) => !characters.includes(figure.character));
    const known = new Set(this.figures.map((figure) => figure.character));
    for (const figure of gone) figure.dispose();
    this.#figures = this.#figures.filter((figure) => !gone.includes(figure));
    let added = false;
    for (const character of characters) {
      if (known.has(character)) continue;
      this.#figures = [...this.#figures, this.#addFigure(character)];
      added = true;
    }
    const active = this.activeFigure;
    if (active) this.scene.ground.setCell((this.cell * active.scale) / 2, 7, groundHeight(active));
    if (added) {
      this.frame();
      this.scene.warmFirst();
    }
    this.#note("pose");
    this.#note("paint");
  }

  #addFigure(character: Character): Figure {
    // Beside those that are there, and where the first one stands.
    const figure = new Figure(character, this.scene, this.textures);
    const box = figure.box();
    const last = this.figures.at(-1);
    if (last) {
      figure.group.position.x = last.box().max.x + 0.35 - box.min.x;
      figure.group.position.y = groundHeight(last) - groundHeight(figure);
    }
    figure.group.updateMatrixWorld();
    this.scene.scene.add(figure.group);
    return figure;
  }

  #frame(seconds: number) {
    const begin = performance.now();
    const { studio, scene } = this;
    const timings = this.#timings;
    if (studio.playback.playing) studio.playback.advance(seconds);
    if (studio.traces.watched?.playing) studio.traces.advance(seconds);
    const beforeSolve = performance.now();
    this.#activity?.step();
    timings.solve = performance.now() - beforeSolve;
    if (this.#poseChanged) this.#updatePoses();
    if (studio.playback.playing && studio.view.follow) this.#follow();
    scene.camera.updateMatrixWorld();
    const { clientWidth: width, clientHeight: height } = scene.host;
    for (const figure of this.figures) figure.project(scene.camera, width, height);
    if (this.#paintChanged) for (const figure of this.figures) figure.updatePaint(studio);
    for (const figure of this.figures) {
      figure.updateMarks(studio, scene);
      if (this.#marksChanged || this.#poseChanged) {
        figure.ghosts.update(studio, scene.colours);
        figure.source.update(studio, scene.colours);
        figure.updateTrail(studio);
      }
    }
    this.handles.update(studio, this.activeFigure, scene.colours, scene.camera);
    this.#poseChanged = this.#marksChanged = this.#paintChanged = this.#growing;
    if (this.#growing) scene.askNext();
    timings.upload = scene.uploaded; // of the frame before
    timings.script = performance.now() - begin + timings.upload;
    if (studio.playback.playing || studio.traces.watched?.playing) scene.askNext();
    studio.noteFrame(timings);
  }

  #updatePoses() {
    const timings = this.#timings;
    timings.pose = timings.skin = 0;
    for (const figure of this.figures) {
      timings.pose += figure.updatePose();
      timings.skin += figure.updateSkin(this.studio);
    }
    const grew = this.#growing;
    this.#growing = this.figures.some(({ complete }) => !complete);
    if (grew && !this.#growing) this.frame();
  }

  #rootPosition(): THREE.Vector3 | null {
    const figure = this.activeFigure;
    return figure ? figure.worldFromModel(Array.from(figure.positions.subarray(0, 3))) : null;
  }

  #rememberFollowed() {
    this.#followed.copy(this.#rootPosition() ?? this.#followed);
  }

  #follow() {
    const root = this.#rootPosition();
    if (!root) return;
    const by = root.clone().sub(this.#followed);
    by.y = 0;
    this.#followed.copy(root);
    // A jump back to the start of a clip is followed too; one of another kind is not worth a flight.
    if (by.length() > 1e-6) this.scene.shift(by);
  }
}

const UP = new THREE.Vector3(0, 1, 0);

/** Of the ground that it stands on, in the scene. */
function groundHeight({ group, floor, scale }: Figure): number {
  return group.position.y + floor * scale;
}
