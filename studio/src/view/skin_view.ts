// SPDX-License-Identifier: Apache-2.0

// A mesh that the engine deforms into the arrays three.js draws from.
import * as THREE from "three";
import type { Blend, Material, Mesh, Pose, Twist, Weights } from "@ulna/engine";
import { WEIGHT_COLOURS } from "../theme.js";
import { Look } from "./looks.js";
import type { Colours } from "./scene.js";
import type { Textures } from "./textures.js";
import { itemAt } from "../lists.js";

export class SkinView {
  readonly object: THREE.Mesh<THREE.BufferGeometry, THREE.Material[]>; // a material for each group
  readonly wire: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  readonly #positions: THREE.BufferAttribute;
  readonly #normals: THREE.BufferAttribute;
  readonly #own: THREE.BufferAttribute | null; // the file's colours
  readonly #weightColours: THREE.BufferAttribute;
  readonly #weights: Float32Array;
  readonly #indices: Uint32Array;
  readonly #looks: Look[] = [];
  #colours: Colours;
  #showsWeights = false;
  #showsTextures = true;

  /**
   * A plain one is shaded without gloss, which is all that a machine without a graphics card should do.
   * `ask` asks for a frame when an image is there.
   */
  constructor(
    readonly mesh: Mesh,
    colours: Colours,
    plain: boolean,
    textures: Textures,
    ask: () => void,
  ) {
    this.#colours = colours;
    this.#indices = mesh.indices;
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
    geometry.setIndex(new THREE.BufferAttribute(this.#indices, 1));
    if (mesh.texcoords) geometry.setAttribute("uv", new THREE.BufferAttribute(mesh.texcoords, 2));
    const looks = new Map<Material | null, number>();
    for (const { first, triangles, material } of partsOf(mesh)) {
      const look = looks.get(material) ?? this.#looks.length;
      if (look === this.#looks.length) {
        looks.set(material, look);
        this.#looks.push(
          new Look(material, plain, textures, () => {
            this.#dress();
            ask();
          }),
        );
      }
      geometry.addGroup(3 * first, 3 * triangles, look);
    }
    this.object = new THREE.Mesh(
      geometry,
      this.#looks.map(({ material }) => material),
    );
    this.object.castShadow = true;
    this.object.frustumCulled = false;
    this.wire = new THREE.Mesh(
      geometry,
      new THREE.MeshBasicMaterial({
        wireframe: true,
        transparent: true,
        opacity: 0.28,
        depthWrite: false,
        polygonOffset: true,
        polygonOffsetFactor: -1,
      }),
    );
    this.wire.frustumCulled = false;
    // By which three.js sorts what it draws: otherwise it would measure the vertices in every frame.
    for (const each of [this.object, this.wire]) Object.assign(each, { boundingSphere: new THREE.Sphere() });
    this.wire.renderOrder = 1;
    this.setColours(colours);
  }

  setColours(colours: Colours) {
    this.#colours = colours;
    this.#dress();
    this.wire.material.color.copy(colours.ink);
  }

  /** The corners of a triangle. */
  verticesOf(triangle: number): readonly [number, number, number] {
    const corner = (i: number) => itemAt(this.#indices, 3 * triangle + i);
    return [corner(0), corner(1), corner(2)];
  }

  deform(pose: Pose, how: { blend: Blend; twist: Twist }) {
    const out = { positions: this.#positions.array as Float32Array, normals: this.#normals.array as Float32Array };
    this.mesh.deform(pose, out, how);
    this.#positions.needsUpdate = this.#normals.needsUpdate = true;
    this.object.geometry.boundingSphere = null; // computed again when a ray asks
  }

  /** The file's materials, or a plain skin. */
  showTextures(on: boolean) {
    if (on === this.#showsTextures) return;
    this.#showsTextures = on;
    this.#dress();
  }

  /** Colours by a joint's weights, or the file's own where the joint is -1. */
  showWeights(joint: number) {
    const { geometry } = this.object;
    const wanted = joint >= 0 && this.mesh.hasWeights;
    if (wanted) {
      this.mesh.weightsOf(joint, this.#weights);
      const out = this.#weightColours.array as Float32Array;
      for (let v = 0; v < this.#weights.length; ++v) heat(itemAt(this.#weights, v), out, 3 * v);
      this.#weightColours.needsUpdate = true;
    }
    if (wanted === this.#showsWeights) return;
    this.#showsWeights = wanted;
    if (wanted) geometry.setAttribute("color", this.#weightColours);
    else if (this.#own) geometry.setAttribute("color", this.#own);
    else geometry.deleteAttribute("color");
    this.#dress();
  }

  #dress() {
    const paint = this.#showsWeights ? "weights" : this.#showsTextures ? "own" : "plain";
    for (const look of this.#looks) look.dress(paint, this.#own !== null, this.#colours.skin);
  }

  dispose() {
    this.object.removeFromParent();
    this.wire.removeFromParent();
    this.object.geometry.dispose();
    for (const look of this.#looks) look.dispose();
    this.wire.material.dispose();
  }
}

function partsOf(mesh: Mesh) {
  return mesh.parts.length > 0 ? mesh.parts : [{ first: 0, triangles: mesh.triangleCount, material: null }];
}

/** three.js takes colours of vertices as light, files have them as the eye sees them. */
function linearColours(bytes: Uint8Array): THREE.BufferAttribute {
  const table = Float32Array.from(
    { length: 256 },
    (_, i) => new THREE.Color().setRGB(i / 255, 0, 0, THREE.SRGBColorSpace).r,
  );
  const out = new Float32Array(bytes.length);
  for (let i = 0; i < out.length; ++i) {
    const byte = itemAt(bytes, i);
    out[i] = i % 4 === 3 ? byte / 255 : itemAt(table, byte);
  }
  return new THREE.BufferAttribute(out, 4);
}

const STOPS = WEIGHT_COLOURS.map((colour) => new THREE.Color(colour));

function heat(weight: number, out: Float32Array, at: number) {
  const scaled = Math.min(Math.max(weight, 0), 1) * (STOPS.length - 1);
  const low = Math.min(Math.floor(scaled), STOPS.length - 2);
  const [a, b, t] = [itemAt(STOPS, low), itemAt(STOPS, low + 1), scaled - low];
  out[at] = a.r + (b.r - a.r) * t;
  out[at + 1] = a.g + (b.g - a.g) * t;
  out[at + 2] = a.b + (b.b - a.b) * t;
}

/** The joint that moves a point of a triangle most. */
export function strongestJoint(weights: Weights, vertices: readonly number[], shares: readonly number[]): number {
  const sums = new Map<number, number>();
  vertices.forEach((vertex, i) => {
    for (let k = weights.first[vertex] ?? 0; k < (weights.first[vertex + 1] ?? 0); ++k) {
      const joint = itemAt(weights.joints, k);
      sums.set(joint, (sums.get(joint) ?? 0) + itemAt(shares, i) * itemAt(weights.weights, k));
    }
  });
  let [best, most] = [-1, 0];
  for (const [joint, sum] of sums) if (sum > most) [best, most] = [joint, sum];
  return best;
}
