// SPDX-License-Identifier: Apache-2.0

// What a part of a skin is painted with: as the file has it, plain, or in the colours of weights.
import * as THREE from "three";
import type { Material } from "@ulna/engine";
import type { Textures } from "./textures.js";

/** "own" is the file's; "plain" is without materials; "weights" is for colours that vertices have. */
export type Paint = "own" | "plain" | "weights";

export class Look {
  readonly material: THREE.MeshStandardMaterial | THREE.MeshLambertMaterial | THREE.MeshBasicMaterial;
  #map: THREE.Texture | null = null;
  #waiting = false; // for its image
  #gone = false;

  /** `changed` is called when its image is there. */
  constructor(
    private readonly source: Material | null,
    plain: boolean,
    textures: Textures,
    changed: () => void,
  ) {
    this.material = source?.unlit
      ? new THREE.MeshBasicMaterial()
      : plain
        ? new THREE.MeshLambertMaterial()
        : new THREE.MeshStandardMaterial({ roughness: 0.78, metalness: 0 });
    // The far side must not throw a shadow on the near one just in front of it.
    this.material.shadowSide = THREE.BackSide;
    if (!source?.texture) return;
    this.#waiting = true;
    void textures.load(source.texture).then((map) => {
      this.#waiting = false;
      this.#map = map;
      if (this.#gone) map?.dispose();
      else changed();
    });
  }

  /** `coloured` says that vertices have colours of their own; `skin` is for what has none at all. */
  dress(paint: Paint, coloured: boolean, skin: THREE.Color) {
    const { material } = this;
    // Until its image is there, a surface is plain: a mask without its image would be a wall.
    const own = paint === "own" && !this.#waiting ? this.source : null;
    material.map = own ? this.#map : null;
    material.vertexColors = coloured || paint === "weights";
    material.alphaTest = own?.alphaMode === "mask" ? own.alphaCutoff : 0;
    material.transparent = own?.alphaMode === "blend";
    material.depthWrite = !material.transparent;
    // Both sides of whatever is opaque: what is open or inside out is seen to be so.
    material.side = own?.alphaMode === "blend" && !own.doubleSided ? THREE.FrontSide : THREE.DoubleSide;
    material.opacity = own?.baseColor[3] ?? 1;
    if (own) material.color.setRGB(own.baseColor[0], own.baseColor[1], own.baseColor[2], THREE.LinearSRGBColorSpace);
    else material.color.copy(material.vertexColors ? WHITE : skin);
    material.needsUpdate = true;
  }

  dispose() {
    this.#gone = true;
    this.#map?.dispose();
    this.material.dispose();
  }
}

const WHITE = new THREE.Color(1, 1, 1);
