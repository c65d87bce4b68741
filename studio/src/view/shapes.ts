// SPDX-License-Identifier: Apache-2.0

// Shapes and materials of handles, kept: those that are made anew with every frame cost a compiled
// shader each time.
import * as THREE from "three";

export const FORWARD = new THREE.Vector3(0, 0, 1);

const MOST_SHAPES = 200;
const materials = new Map<string, THREE.MeshBasicMaterial>();
const lines = new Map<string, THREE.LineDashedMaterial>();
const shapes = new Map<string, THREE.BufferGeometry>();

/** A material over everything else. Shared: to change one, clone it. */
export function flat(colour: THREE.Color, opacity: number): THREE.MeshBasicMaterial {
  const key = `${colour.getHexString()} ${opacity}`;
  let material = materials.get(key);
  if (!material) {
    material = new THREE.MeshBasicMaterial({
      color: colour,
      transparent: true,
      opacity,
      depthTest: false,
      depthWrite: false,
      side: THREE.DoubleSide,
    });
    materials.set(key, material);
  }
  return material;
}

export function dashed(colour: THREE.Color): THREE.LineDashedMaterial {
  const key = colour.getHexString();
  let material = lines.get(key);
  if (!material) {
    material = new THREE.LineDashedMaterial({
      color: colour,
      dashSize: 0.02,
      gapSize: 0.012,
      depthTest: false,
      transparent: true,
    });
    lines.set(key, material);
  }
  return material;
}

/** The geometry of that name, made when it is first asked for. */
export function shape<T extends THREE.BufferGeometry>(name: string, make: () => T): THREE.BufferGeometry {
  let geometry = shapes.get(name);
  if (!geometry) {
    if (shapes.size >= MOST_SHAPES) {
      for (const each of shapes.values()) each.dispose();
      shapes.clear();
    }
    geometry = make();
    shapes.set(name, geometry);
  }
  return geometry;
}

/** Empties a group. Lines are the only ones with a geometry of their own. */
export function clear(group: THREE.Group) {
  for (const each of group.children) if (each instanceof THREE.Line) (each.geometry as THREE.BufferGeometry).dispose();
  group.clear();
}
