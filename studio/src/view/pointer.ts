// SPDX-License-Identifier: Apache-2.0

// What the pointer does in the view: drags joints and skin, rotates by rings, paints, pins by a double click.
import * as THREE from "three";
import { perform } from "../commands/command.js";
import { togglePin } from "../commands/holds.js";
import { present } from "../lists.js";
import type { Studio } from "../studio.js";
import type { Viewport } from "./viewport.js";
import type { Figure } from "./figure.js";
import { jointOfSkin, nearestJoint, rayThrough, skinOnRay } from "./picking.js";
import { BodyDrag, GazeDrag, GroupDrag, PaintStroke, PoleDrag, RingDrag, type Gesture } from "./gestures.js";

const MOUSE_REACH = 13;
const TOUCH_REACH = 26;
const DOUBLE_CLICK = 350; // milliseconds
const CLICK_MOVE = 4; // pixels
const TWO_FINGERS = 250; // milliseconds that a second finger may come after the first

export class Pointer {
  #gesture: Gesture | null = null;
  #pointerId = -1;
  #down = { x: 0, y: 0, time: 0, joint: -1 };
  #lastClick = { time: -Infinity, joint: -1, x: 0, y: 0 };
  #downEvent: PointerEvent | null = null;
  #handedOver: PointerEvent | null = null;
  #moved = false;
  #shift = false;

  constructor(
    private readonly studio: Studio,
    private readonly view: Viewport,
  ) {
    const { host } = view.scene;
    // Before the camera's controls, which must not see what is a drag of ours.
    host.addEventListener("pointerdown", (event) => this.#onDown(event), { capture: true });
    host.addEventListener("pointermove", (event) => this.#onMove(event));
    host.addEventListener("pointerup", (event) => this.#onUp(event));
    host.addEventListener("pointercancel", (event) => this.#onUp(event));
    host.addEventListener("pointerleave", () => this.#onLeave());
    studio.bus.on("tool", () => view.handles.showBrush(null, NOWHERE, 0, view.scene.colours));
    host.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  get busy(): boolean {
    return this.#gesture !== null;
  }

  /** Ends what goes on as if it had never begun. */
  cancel() {
    this.#gesture?.cancel();
    this.#end();
  }

  #onDown(event: PointerEvent) {
    if (event.target !== this.view.scene.canvas) return;
    if (event === this.#handedOver) return;
    if (this.#gesture) return this.#secondFinger(event);
    this.#downEvent = event;
    const { x, y } = this.#pointOf(event);
    this.#moved = false;
    this.#down = { x, y, time: event.timeStamp, joint: -1 };
    this.#shift = event.shiftKey;
    if (event.button !== 0 || event.altKey) return;
    this.view.scene.canvas.focus({ preventScroll: true });
    const gesture = this.#begin(x, y, event);
    if (!gesture) return;
    this.studio.playback.pause();
    this.view.pointAt(); // what is dragged is seen best without the dots around it
    this.#gesture = gesture;
    this.#pointerId = event.pointerId;
    this.view.setActivity(gesture);
    this.view.scene.controls.enabled = false;
    this.view.scene.canvas.setPointerCapture(event.pointerId);
    this.view.scene.host.classList.add("dragging");
    gesture.move(x, y);
    this.view.scene.ask();
  }

  /** With a second finger, a drag that has hardly begun becomes a look around. */
  #secondFinger(event: PointerEvent) {
    if (this.#moved && event.timeStamp - this.#down.time > TWO_FINGERS) return;
    this.cancel();
    this.#moved = true; // so that no finger that leaves is a click
    // The camera's controls have not heard of the first finger.
    const first = present(this.#downEvent, "first finger");
    const { pointerId, pointerType, clientX, clientY, button, buttons } = first;
    this.#handedOver = new PointerEvent("pointerdown", { pointerId, pointerType, clientX, clientY, button, buttons });
    this.view.scene.canvas.dispatchEvent(this.#handedOver);
  }

  #begin(x: number, y: number, event: PointerEvent): Gesture | null {
    const { studio, view } = this;
    const reach = event.pointerType === "touch" ? TOUCH_REACH : MOUSE_REACH;
    if (studio.tool === "paint") return PaintStroke.begin(studio, view, x, y, event.ctrlKey || event.metaKey);
    const ring = studio.tool === "rotate" ? this.#ringAt(x, y, reach) : -1;
    if (ring >= 0) return new RingDrag(studio, view, ring, x, y);
    if (this.#gazeAt(x, y, reach)) return new GazeDrag(studio, view);
    const pole = this.#poleAt(x, y, reach);
    if (pole >= 0) return new PoleDrag(studio, view, pole);
    const found = this.#jointAt(x, y, reach);
    if (!found) return null;
    if (found.figure.character !== studio.active) studio.activate(found.figure.character);
    this.#down.joint = found.joint;
    if (event.ctrlKey || event.metaKey) {
      studio.selectAlso(found.joint);
      return null;
    }
    if (studio.tool === "drag" && (studio.together.has(found.joint) || found.joint === studio.selected)) {
      studio.leadBy(found.joint);
      if (studio.together.size > 0) return new GroupDrag(studio, view, found.figure, found.joint, studio.together);
    }
    studio.select(found.joint);
    if (studio.tool !== "drag") return null;
    return BodyDrag.begin(studio, view, found.figure, found.joint, found.position);
  }

  #jointAt(
    x: number,
    y: number,
    reach: number,
  ): { figure: Figure; joint: number; position: THREE.Vector3 | null } | null {
    const { view } = this;
    const dot = nearestJoint(view.figures, x, y, reach);
    if (dot) return { ...dot, position: null };
    const { clientWidth: width, clientHeight: height } = view.scene.host;
    rayThrough(view.scene.camera, x, y, width, height);
    const hit = skinOnRay(view.figures);
    const joint = hit ? jointOfSkin(hit) : -1;
    return hit && joint >= 0 ? { figure: hit.figure, joint, position: hit.position } : null;
  }

  #onMove(event: PointerEvent) {
    const { x, y } = this.#pointOf(event);
    if (this.#gesture) {
      if (event.pointerId !== this.#pointerId) return;
      if (Math.hypot(x - this.#down.x, y - this.#down.y) > CLICK_MOVE) this.#moved = true;
      if (this.#moved) this.#gesture.move(x, y);
      this.view.scene.ask();
      return;
    }
    if (event.buttons !== 0) return;
    if (event.pointerType !== "touch" && event.target === this.view.scene.canvas) this.view.pointAt(x, y);
    this.#hover(x, y, event);
  }

  #hover(x: number, y: number, event: PointerEvent) {
    const { studio, view } = this;
    if (event.target !== view.scene.canvas) return;
    if (studio.tool === "paint") return this.#hoverBrush(x, y);
    view.handles.showBrush(null, NOWHERE, 0, view.scene.colours);
    const ring = studio.tool === "rotate" ? this.#ringAt(x, y, MOUSE_REACH) : -1;
    if (view.handles.hoverRing(ring)) view.scene.ask();
    const found = ring >= 0 ? null : this.#jointAt(x, y, MOUSE_REACH);
    studio.hover(found && found.figure.character === studio.active ? found.joint : -1);
    const pole = this.#poleAt(x, y, MOUSE_REACH);
    const gaze = this.#gazeAt(x, y, MOUSE_REACH);
    view.scene.host.classList.toggle("over", ring >= 0 || pole >= 0 || gaze || found !== null);
  }

  #hoverBrush(x: number, y: number) {
    PaintStroke.showBrush(this.studio, this.view, x, y);
    this.view.scene.ask();
  }

  #onUp(event: PointerEvent) {
    const { x, y } = this.#pointOf(event);
    const still = Math.hypot(x - this.#down.x, y - this.#down.y) <= CLICK_MOVE && !this.#moved;
    if (this.#gesture && event.pointerId === this.#pointerId) {
      const gesture = this.#gesture;
      if (still && !(gesture instanceof PaintStroke)) gesture.cancel();
      else gesture.finish();
      this.#end();
      if (gesture instanceof PaintStroke) return;
    }
    if (still && event.button === 0 && event.type === "pointerup" && event.target === this.view.scene.canvas)
      this.#click(event.timeStamp, x, y);
  }

  #end() {
    this.#gesture = null;
    this.view.setActivity(null);
    this.view.scene.controls.enabled = true;
    this.view.scene.host.classList.remove("dragging");
    this.view.scene.ask();
  }

  #click(time: number, x: number, y: number) {
    const { studio } = this;
    const { joint } = this.#down;
    const last = this.#lastClick;
    this.#lastClick = { time, joint, x, y };
    if (joint < 0) {
      if (studio.tool === "drag") studio.select(-1);
      return;
    }
    const near = Math.hypot(x - last.x, y - last.y) < 8;
    if (this.#shift || (last.joint === joint && near && time - last.time < DOUBLE_CLICK)) {
      this.#lastClick.time = -Infinity;
      if (studio.active) perform(studio, togglePin(studio.active, joint));
    }
  }

  #onLeave() {
    if (this.#gesture) return;
    this.studio.hover(-1);
    this.view.pointAt();
    this.view.handles.showBrush(null, NOWHERE, 0, this.view.scene.colours);
    this.view.scene.ask();
  }

  /** The ring nearest to a point of the screen. */
  #ringAt(x: number, y: number, reach: number): number {
    const { rings } = this.view.handles;
    let [best, least] = [-1, reach];
    rings.forEach((ring, i) => {
      const across = new THREE.Vector3().crossVectors(ring.axis, ring.zero);
      for (let step = 0; step < 72; ++step) {
        const angle = (step / 72) * 2 * Math.PI;
        const position = ring.origin
          .clone()
          .addScaledVector(ring.zero, Math.cos(angle) * ring.radius)
          .addScaledVector(across, Math.sin(angle) * ring.radius);
        const at = this.#project(position);
        const away = Math.hypot(at.x - x, at.y - y);
        if (away < least) [best, least] = [i, away];
      }
    });
    return best;
  }

  #gazeAt(x: number, y: number, reach: number): boolean {
    const figure = this.view.activeFigure;
    if (!figure?.character.gaze) return false;
    const at = this.#project(figure.worldFromModel(figure.character.gaze));
    return Math.hypot(at.x - x, at.y - y) < reach;
  }

  #poleAt(x: number, y: number, reach: number): number {
    const figure = this.view.activeFigure;
    if (!figure) return -1;
    let [best, least] = [-1, reach];
    for (const [joint, { target }] of figure.character.poles) {
      const at = this.#project(figure.worldFromModel(target));
      const away = Math.hypot(at.x - x, at.y - y);
      if (away < least) [best, least] = [joint, away];
    }
    return best;
  }

  #project(position: THREE.Vector3): { x: number; y: number } {
    const { clientWidth: width, clientHeight: height } = this.view.scene.host;
    const at = position.clone().project(this.view.scene.camera);
    return { x: (at.x * 0.5 + 0.5) * width, y: (0.5 - at.y * 0.5) * height };
  }

  #pointOf(event: PointerEvent): { x: number; y: number } {
    const box = this.view.scene.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

const NOWHERE = new THREE.Vector3(0, 0, 1);
