// SPDX-License-Identifier: Apache-2.0

// The soft shadow that a body throws on the ground right under it, where daylight from all sides does not come: what
// makes it stand there. Bones are rows of spheres, each of which hides a part of the sky from a point of the ground
// (the cosine-weighted solid angle, h r² / d³); the sum is a small image, so that it costs no more on a slow machine.
import * as THREE from "three";
import { itemAt } from "../lists.js";

const PIXELS = 64; // of the image, each way
const REACH = 0.75; // half its width, in sizes of the body
const SPHERES = 3; // of a bone
const [THINNEST, THICKEST] = [0.012, 0.05]; // of a bone, in sizes of the body
const THICK = 0.22; // of a bone, in its lengths
const DARKEST = 0.62;

/** How much of the shadow is left at each pixel: it fades out before the image ends. */
const EDGES = Float32Array.from({ length: PIXELS * PIXELS }, (_, i) => {
  const [column, row] = [i % PIXELS, Math.floor(i / PIXELS)];
  return Math.min(Math.min(column, PIXELS - 1 - column, row, PIXELS - 1 - row) / 6, 1);
});

export class ContactShadow {
  readonly mesh: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshBasicMaterial>;
  readonly #texture: THREE.DataTexture;
  readonly #data = new Uint8Array(4 * PIXELS * PIXELS);
  readonly #pairs: readonly (readonly [number, number])[]; // joints at the ends of each bone
  readonly #hidden = new Float32Array(PIXELS * PIXELS);

  constructor(
    parents: Int32Array,
    private readonly size: number, // of the body, in its own unit
    private readonly up: 1 | 2, // the axis of the model that points up
    private readonly floor: number,
  ) {
    this.#pairs = [...parents].flatMap((parent, joint) => (parent >= 0 ? [[parent, joint] as const] : []));
    this.#texture = new THREE.DataTexture(this.#data, PIXELS, PIXELS);
    this.#texture.magFilter = this.#texture.minFilter = THREE.LinearFilter;
    this.mesh = new THREE.Mesh(
      new THREE.PlaneGeometry(1, 1),
      new THREE.MeshBasicMaterial({ map: this.#texture, transparent: true, depthWrite: false, toneMapped: false }),
    );
    this.mesh.scale.setScalar(2 * REACH * size);
    // The plane's own z is up; its texture's rows go along its y.
    if (up === 1) this.mesh.rotation.x = -Math.PI / 2;
    this.mesh.renderOrder = -1;
  }

  /** `positions` are of the joints in the model. */
  update(positions: Float32Array) {
    const { up, size } = this;
    const [across, along] = up === 1 ? [0, 2] : [0, 1];
    const sign = up === 1 ? -1 : 1; // of the image's rows along that axis
    const middle = this.#middle(positions, across, along);
    const hidden = this.#hidden.fill(0);
    const cell = (2 * REACH * size) / PIXELS;
    // Plain numbers from here on: this is done in every frame of a drag, for some hundred bones.
    for (const [from, to] of this.#pairs) {
      const [x0, x1] = [itemAt(positions, 3 * from + across), itemAt(positions, 3 * to + across)];
      const [y0, y1] = [itemAt(positions, 3 * from + along), itemAt(positions, 3 * to + along)];
      const [z0, z1] = [itemAt(positions, 3 * from + up), itemAt(positions, 3 * to + up)];
      const length = Math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2 + (z1 - z0) ** 2);
      const radius = Math.min(Math.max(THICK * length, THINNEST * size), THICKEST * size);
      // Spheres of a bone overlap where it is short.
      const share = Math.min(1, length / (2 * radius * SPHERES) + 0.2);
      for (let i = 0; i < SPHERES; ++i) {
        const part = (i + 0.5) / SPHERES;
        const height = Math.max(z0 + (z1 - z0) * part - this.floor, radius);
        // Beyond this no sphere takes more than a hundredth of the light.
        const far = Math.cbrt(height * radius * radius * 100);
        const x = (x0 + (x1 - x0) * part - middle[0]) / cell + PIXELS / 2 - 0.5;
        const y = (sign * (y0 + (y1 - y0) * part - middle[1])) / cell + PIXELS / 2 - 0.5;
        addSphere(hidden, x, y, height / cell, radius / cell, far / cell, share);
      }
    }
    for (let i = 0; i < hidden.length; ++i) {
      const dark = (1 - Math.exp(-itemAt(hidden, i))) * itemAt(EDGES, i);
      this.#data[4 * i + 3] = 255 * DARKEST * dark;
    }
    this.#texture.needsUpdate = true;
    const position = [0, 0, 0];
    position[across] = middle[0];
    position[along] = middle[1];
    position[up] = this.floor + 1e-3 * size;
    this.mesh.position.fromArray(position);
  }

  dispose() {
    this.#texture.dispose();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  #middle(positions: Float32Array, across: number, along: number): [number, number] {
    let [x, y] = [0, 0];
    const count = positions.length / 3;
    for (let i = 0; i < count; ++i) {
      x += itemAt(positions, 3 * i + across) / count;
      y += itemAt(positions, 3 * i + along) / count;
    }
    return [x, y];
  }
}

/** Everything in pixels of the image. */
function addSphere(
  out: Float32Array,
  x: number,
  y: number,
  height: number,
  radius: number,
  far: number,
  share: number,
) {
  const [left, right] = [Math.max(0, Math.ceil(x - far)), Math.min(PIXELS - 1, Math.floor(x + far))];
  const [top, bottom] = [Math.max(0, Math.ceil(y - far)), Math.min(PIXELS - 1, Math.floor(y + far))];
  const light = share * height * radius * radius;
  for (let row = top; row <= bottom; ++row) {
    const above = (row - y) * (row - y) + height * height;
    for (let column = left; column <= right; ++column) {
      const square = (column - x) * (column - x) + above;
      out[row * PIXELS + column] += light / (square * Math.sqrt(square));
    }
  }
}
