// SPDX-License-Identifier: Apache-2.0

// The body that the clip shown was made of, as translucent bones over the character or beside it.
import * as THREE from "three";
import type { Character } from "../character.js";
import { sourceTime, type Origin } from "../origin.js";
import type { Studio } from "../studio.js";
import type { Colours } from "./scene.js";
import { SkeletonView } from "./skeleton_view.js";

const OPACITY = 0.55;
const ASIDE = 0.6; // of the character's size

export class SourceView {
  readonly group = new THREE.Group();
  #bones: SkeletonView | null = null;
  #origin: Origin | null = null;
  #positions = new Float32Array(0);

  constructor(private readonly character: Character) {
    this.group.matrixAutoUpdate = false;
    this.group.visible = false;
  }

  setColours(colours: Colours) {
    this.#bones?.bones.material.color.copy(colours.goal);
  }

  update(studio: Studio, colours: Colours) {
    const { character, group } = this;
    const origin = character.clip && studio.originOf(character.clip);
    group.visible = origin !== null && studio.view.source !== "off";
    if (!group.visible || !origin) return;
    const bones = this.#bonesOf(origin, colours);
    const pose = origin.clip.sample(sourceTime(origin, character.time));
    bones.update(origin.skeleton.modelPositions(pose, this.#positions));
    group.matrix.fromArray(origin.targetFromSource);
    if (studio.view.source === "beside") group.matrix.premultiply(aside.makeTranslation(-ASIDE * character.size, 0, 0));
    group.matrixWorldNeedsUpdate = true;
  }

  /** Where it has the joints, in the character's model; none where it is not shown. */
  get positions(): Float32Array {
    if (!this.group.visible) return new Float32Array(0);
    const out = new Float32Array(this.#positions.length);
    for (let i = 0; i < out.length; i += 3)
      point.fromArray(this.#positions, i).applyMatrix4(this.group.matrix).toArray(out, i);
    return out;
  }

  dispose() {
    this.#bones?.dispose();
    this.#bones = null;
  }

  #bonesOf(origin: Origin, colours: Colours): SkeletonView {
    if (this.#bones && this.#origin?.skeleton === origin.skeleton) return this.#bones;
    this.dispose();
    this.group.clear();
    const made = new SkeletonView(origin.skeleton, colours);
    made.bones.material.opacity = OPACITY;
    made.bones.renderOrder = 8;
    this.group.add(made.bones);
    this.#positions = new Float32Array(3 * origin.skeleton.jointCount);
    this.#origin = origin;
    this.#bones = made;
    this.setColours(colours);
    return made;
  }
}

const aside = new THREE.Matrix4();
const point = new THREE.Vector3();
