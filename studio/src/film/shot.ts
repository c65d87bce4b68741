// SPDX-License-Identifier: Apache-2.0

// From where a picture is taken: what the view shows, all of it whatever the shape of the picture, or the characters
// closely; and turned about the upright axis for a turntable.
import * as THREE from "three";
import type { Eye } from "../view/scene.js";

export type Framing = "view" | "close";

const MARGIN = 1.06; // about characters that are framed closely

export class Shot {
  readonly #camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  readonly #from: THREE.Vector3; // the camera's position, from what it looks at
  readonly #target: THREE.Vector3;

  /** `aspect` is the picture's width by its height; `points` are what has to be seen in a close one. */
  constructor(view: Eye, aspect: number, framing: Framing, points: Iterable<THREE.Vector3>, turns: boolean) {
    this.#camera = view.camera.clone();
    this.#camera.clearViewOffset();
    this.#target = view.target.clone();
    this.#from = view.camera.position.clone().sub(this.#target);
    if (framing === "close") this.#goClose([...points], aspect, turns);
    else this.#showAll(aspect);
  }

  /** The camera, turned by an angle, with everything moved by `shift`. */
  at(angle: number, shift: THREE.Vector3): THREE.Camera {
    const camera = this.#camera;
    const target = this.#target.clone().add(shift);
    camera.position.copy(this.#from).applyAxisAngle(UP, angle).add(target);
    camera.lookAt(target);
    camera.updateMatrixWorld();
    return camera;
  }

  /** Sees at least what the view shows: a narrower picture sees more above and below. */
  #showAll(aspect: number) {
    const camera = this.#camera;
    if (camera instanceof THREE.PerspectiveCamera) {
      const wide = Math.max(1, camera.aspect / aspect);
      camera.fov = 2 * degrees(Math.atan(Math.tan(radians(camera.fov) / 2) * wide));
      camera.aspect = aspect;
    } else {
      const shown = (camera.right - camera.left) / (camera.top - camera.bottom);
      const half = ((camera.top - camera.bottom) / 2) * Math.max(1, shown / aspect);
      [camera.top, camera.bottom, camera.left, camera.right] = [half, -half, -half * aspect, half * aspect];
    }
    camera.updateProjectionMatrix();
  }

  /** As near as all points are seen, in the direction of the view; from all sides where the camera goes round. */
  #goClose(points: readonly THREE.Vector3[], aspect: number, turns: boolean) {
    const box = new THREE.Box3().setFromPoints([...points]);
    if (box.isEmpty()) return this.#showAll(aspect);
    const camera = this.#camera;
    box.getCenter(this.#target);
    const around = turns ? roundedUp(points, this.#target) : points;
    const toCamera = new THREE.Matrix4().lookAt(this.#from, ORIGIN, UP).invert();
    const seen = around.map((point) => point.clone().sub(this.#target).applyMatrix4(toCamera));
    if (camera instanceof THREE.PerspectiveCamera) {
      const high = Math.tan(radians(camera.fov) / 2) / MARGIN;
      const wide = high * aspect;
      const distance = Math.max(...seen.map(({ x, y, z }) => z + Math.max(Math.abs(x) / wide, Math.abs(y) / high)));
      this.#from.setLength(distance);
      camera.aspect = aspect;
      camera.near = distance / 200;
      camera.far = distance * 60;
    } else {
      const half = MARGIN * Math.max(...seen.map(({ x, y }) => Math.max(Math.abs(y), Math.abs(x) / aspect)));
      [camera.top, camera.bottom, camera.left, camera.right] = [half, -half, -half * aspect, half * aspect];
      camera.zoom = 1;
    }
    camera.updateProjectionMatrix();
  }
}

const UP = new THREE.Vector3(0, 1, 0);
const ORIGIN = new THREE.Vector3();
const SIDES = 24;

/** Points all around the upright axis through the middle, as far from it as any of these at their height. */
function roundedUp(points: readonly THREE.Vector3[], middle: THREE.Vector3): THREE.Vector3[] {
  const rings = new Map<number, { y: number; radius: number }>();
  for (const { x, y, z } of points) {
    const ring = Math.round(y * 50);
    const radius = Math.hypot(x - middle.x, z - middle.z);
    if (radius > (rings.get(ring)?.radius ?? -1)) rings.set(ring, { y, radius });
  }
  return [...rings.values()].flatMap(({ y, radius }) =>
    Array.from({ length: SIDES }, (_, i) => {
      const angle = (2 * Math.PI * i) / SIDES;
      return new THREE.Vector3(middle.x + radius * Math.cos(angle), y, middle.z + radius * Math.sin(angle));
    }),
  );
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const degrees = (radians: number) => (radians * 180) / Math.PI;
