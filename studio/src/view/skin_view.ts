// SPDX-License-Identifier: Apache-2.0

// A mesh that the engine deforms into the arrays three.js draws from.
import * as THREE from "three";
import type { Blend, Mesh, Pose, Weights } from "@ulna/engine";
import type { Colours } from "./scene.js";

export class SkinView {
  readonly object: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial | THREE.MeshLambertMaterial>;
  readonly wire: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  readonly #positions: THREE.BufferAttribute;
  readonly #normals: THREE.BufferAttribute;
  readonly #own: THREE.BufferAttribute | null; // the file's colours
  readonly #weightColours: THREE.BufferAttribute;
  readonly #weights: Float32Array;
  #showsWeights = false;

  /** A plain one is shaded without gloss, which is all that a machine without a graphics card should do. */
  constructor(readonly mesh: Mesh, colours: Colours, plain: boolean) {
    const count = mesh.vertexCount;
    this.#positions = new THREE.BufferAttribute(mesh.positions, 3).setUsage(THREE.DynamicDrawUsage);
    this.#normals = new THREE.BufferAttribute(mesh.normals, 3).setUsage(THREE.DynamicDrawUsage);
    this.#own = mesh.colors ? linearColours(mesh.colors) : null;
    this.#weightColours = new THREE.BufferAttribute(new Float32Array(3 * count), 3);
    this.#weights = new Float32Array(count);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.#positions);
    geometry.setAttribute("normal", this.#normals);
    if (this.#own) geometry.setAttribute("color", this.#own);
    geometry.setIndex(new THREE.BufferAttribute(mesh.indices, 1));
    const material = plain ? new THREE.MeshLambertMaterial({ side: THREE.DoubleSide }) : new THREE.MeshStandardMaterial({ roughness: 0.78, metalness: 0, side: THREE.DoubleSide });
    // The far side must not throw a shadow on the near one just in front of it.
    material.shadowSide = THREE.BackSide;
    material.vertexColors = this.#own !== null;
    this.object = new THREE.Mesh(geometry, material);
    this.object.castShadow = true;
    this.object.frustumCulled = false;
    this.wire = new THREE.Mesh(
      geometry,
      new THREE.MeshBasicMaterial({ wireframe: true, transparent: true, opacity: 0.28, depthWrite: false,
        polygonOffset: true, polygonOffsetFactor: -1 }),
    );
    this.wire.frustumCulled = false;
    this.wire.renderOrder = 1;
    this.setColours(colours);
  }

  setColours(colours: Colours) {
    const { material } = this.object;
    material.color.copy(this.#own || this.#showsWeights ? WHITE : colours.skin);
    this.wire.material.color.copy(colours.ink);
  }

  deform(pose: Pose, blend: Blend) {
    const out = { positions: this.#positions.array as Float32Array, normals: this.#normals.array as Float32Array };
    this.mesh.deform(pose, out, { blend });
    this.#positions.needsUpdate = this.#normals.needsUpdate = true;
    this.object.geometry.boundingSphere = null; // computed again when a ray asks
  }

  /** Colours by a joint's weights, or the file's own where the joint is -1. */
  showWeights(joint: number, colours: Colours) {
    const { geometry, material } = this.object;
    const wanted = joint >= 0 && this.mesh.hasWeights;
    if (wanted) {
      this.mesh.weightsOf(joint, this.#weights);
      const out = this.#weightColours.array as Float32Array;
      for (let v = 0; v < this.#weights.length; ++v) heat(this.#weights[v]!, out, 3 * v);
      this.#weightColours.needsUpdate = true;
    }
    if (wanted === this.#showsWeights) return;
    this.#showsWeights = wanted;
    if (wanted) geometry.setAttribute("color", this.#weightColours);
    else if (this.#own) geometry.setAttribute("color", this.#own);
    else geometry.deleteAttribute("color");
    material.vertexColors = wanted || this.#own !== null;
    material.needsUpdate = true;
    this.setColours(colours);
  }

  dispose() {
    this.object.removeFromParent();
    this.wire.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.wire.material.dispose();
  }
}

const WHITE = new THREE.Color(1, 1, 1);

/** three.js takes colours of vertices as light, files have them as the eye sees them. */
function linearColours(bytes: Uint8Array): THREE.BufferAttribute {
  const table = Float32Array.from({ length: 256 }, (_, i) => new THREE.Color().setRGB(i / 255, 0, 0, THREE.SRGBColorSpace).r);
  const out = new Float32Array((bytes.length / 4) * 3);
  for (let v = 0; v < bytes.length / 4; ++v) for (let i = 0; i < 3; ++i) out[3 * v + i] = table[bytes[4 * v + i]!]!;
  return new THREE.BufferAttribute(out, 3);
}

// From none to all: a dark blue, teal, yellow, red, told apart by brightness too.
const STOPS = ["#28335c", "#1f8a8c", "#f0d264", "#e2452f"].map((colour) => new THREE.Color(colour));

function heat(weight: number, out: Float32Array, at: number) {
  const scaled = Math.min(Math.max(weight, 0), 1) * (STOPS.length - 1);
  const low = Math.min(Math.floor(scaled), STOPS.length - 2);
  const [a, b, t] = [STOPS[low]!, STOPS[low + 1]!, scaled - low];
  out[at] = a.r + (b.r - a.r) * t;
  out[at + 1] = a.g + (b.g - a.g) * t;
  out[at + 2] = a.b + (b.b - a.b) * t;
}

/** The joint that moves a place on a triangle most. */
export function strongestJoint(weights: Weights, vertices: readonly number[], shares: readonly number[]): number {
  const sums = new Map<number, number>();
  vertices.forEach((vertex, i) => {
    for (let k = weights.first[vertex] ?? 0; k < (weights.first[vertex + 1] ?? 0); ++k) {
      const joint = weights.joints[k]!;
      sums.set(joint, (sums.get(joint) ?? 0) + shares[i]! * weights.weights[k]!);
    }
  });
  let [best, most] = [-1, 0];
  for (const [joint, sum] of sums) if (sum > most) [best, most] = [joint, sum];
  return best;
}
