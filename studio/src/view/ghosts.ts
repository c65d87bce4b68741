// SPDX-License-Identifier: Apache-2.0

// Translucent bodies beside the one that is posed: the motion before it was edited, and onion skins, a little before
// and after now. Where there is no skin they are bones.
import * as THREE from "three";
import type { Blend, Mesh, Pose, Twist } from "@ulna/engine";
import type { Character } from "../character.js";
import type { Studio } from "../studio.js";
import type { Colours } from "./scene.js";
import { SkeletonView } from "./skeleton_view.js";

type Kind = "ghost" | "before" | "after";

const ONION_STEPS = [-2, -1, 1, 2];
const ONION_SECONDS = 0.12; // between one and the next
const OPACITY = { ghost: 0.3, near: 0.26, far: 0.14 };

/** What is to be shown, of which kind and how clearly. */
interface Wanted {
  readonly kind: Kind;
  readonly opacity: number;
  readonly pose: Pose;
}

export class Ghosts {
  readonly group = new THREE.Group();
  #bodies: GhostBody[] = [];
  #meshes: readonly Mesh[] = [];

  constructor(private readonly character: Character) {}

  update(studio: Studio, colours: Colours) {
    const wanted = studio.active === this.character ? this.#wanted(studio) : [];
    if (this.#meshes !== this.character.meshes) this.dispose();
    this.#meshes = this.character.meshes;
    while (this.#bodies.length < wanted.length) {
      const body = new GhostBody(this.character, colours);
      this.#bodies.push(body);
      this.group.add(body.group);
    }
    const how = {
      blend: studio.view.dualQuaternion ? ("dual-quaternion" as const) : ("linear" as const),
      twist: studio.view.limbTwist ? ("limb" as const) : ("joint" as const),
    };
    this.#bodies.forEach((body, i) => {
      const ghost = wanted[i];
      body.group.visible = ghost !== undefined;
      if (!ghost) return;
      const colour = { ghost: colours.ink, before: colours.accent, after: colours.goal }[ghost.kind];
      body.show(ghost.pose, colour, ghost.opacity, how);
    });
  }

  dispose() {
    for (const body of this.#bodies) body.dispose();
    this.#bodies = [];
  }

  #wanted({ view }: Studio): Wanted[] {
    const { original, clip, time, edited, clipEdited } = this.character;
    const out: Wanted[] = [];
    const source = original ?? clip;
    if (view.ghost && source && (edited || clipEdited))
      out.push({ kind: "ghost", opacity: OPACITY.ghost, pose: source.sample(time) });
    if (!view.onion || !clip) return out;
    for (const step of ONION_STEPS) {
      const at = time + step * ONION_SECONDS;
      if (at < 0 || at > clip.duration) continue;
      const opacity = Math.abs(step) === 1 ? OPACITY.near : OPACITY.far;
      out.push({ kind: step < 0 ? "before" : "after", opacity, pose: clip.sample(at) });
    }
    return out;
  }
}

class GhostBody {
  readonly group = new THREE.Group();
  readonly #material = new THREE.MeshLambertMaterial({
    transparent: true,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 4,
  });
  // The nearest surface alone, so that nothing inside is seen through it.
  readonly #depth = new THREE.MeshBasicMaterial({
    colorWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 4,
  });
  readonly #skins: readonly { mesh: Mesh; geometry: THREE.BufferGeometry }[];
  readonly #bones: SkeletonView | null;

  constructor(
    private readonly character: Character,
    colours: Colours,
  ) {
    this.#skins = character.meshes.map((mesh) => {
      const geometry = new THREE.BufferGeometry();
      for (const name of ["position", "normal"])
        geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * mesh.vertexCount), 3));
      geometry.setIndex(new THREE.BufferAttribute(mesh.indices, 1));
      for (const [material, order] of [
        [this.#depth, 2],
        [this.#material, 3],
      ] as const) {
        const object = new THREE.Mesh(geometry, material);
        object.frustumCulled = false;
        object.renderOrder = order;
        this.group.add(object);
      }
      return { mesh, geometry };
    });
    this.#bones = this.#skins.length > 0 ? null : new SkeletonView(character.skeleton, colours);
    if (this.#bones) this.group.add(this.#bones.bones);
  }

  show(pose: Pose, colour: THREE.Color, opacity: number, how: { blend: Blend; twist: Twist }) {
    this.#material.color.copy(colour);
    this.#material.opacity = opacity;
    for (const { mesh, geometry } of this.#skins) {
      const [positions, normals] = [geometry.getAttribute("position"), geometry.getAttribute("normal")];
      mesh.deform(pose, { positions: positions.array as Float32Array, normals: normals.array as Float32Array }, how);
      for (const each of [positions, normals]) each.needsUpdate = true;
    }
    if (!this.#bones) return;
    this.#bones.bones.material.color.copy(colour);
    this.#bones.bones.material.opacity = opacity;
    this.#bones.update(new Float32Array(this.character.skeleton.modelPositions(pose)));
  }

  dispose() {
    this.group.removeFromParent();
    for (const { geometry } of this.#skins) geometry.dispose();
    this.#material.dispose();
    this.#depth.dispose();
    this.#bones?.dispose();
  }
}
