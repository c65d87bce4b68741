// SPDX-License-Identifier: Apache-2.0

// What is under the pointer: a joint's dot, or the skin.
import * as THREE from "three";
import type { Vec3 } from "@ulna/engine";
import type { Figure } from "./figure.js";
import { strongestJoint } from "./skin_view.js";
import { itemAt } from "../lists.js";

export interface SkinHit {
  readonly figure: Figure;
  readonly mesh: number;
  readonly triangle: number;
  readonly shares: Vec3; // barycentric
  readonly position: THREE.Vector3; // in the scene
}

export function nearestJoint(
  figures: readonly Figure[],
  x: number,
  y: number,
  reach: number,
): { figure: Figure; joint: number } | null {
  let best: { figure: Figure; joint: number } | null = null;
  let least = reach;
  for (const figure of figures) {
    const { screen, shown, character } = figure;
    for (let joint = 0; joint < shown.length; ++joint) {
      if (shown[joint] === 0 && !character.pins.has(joint)) continue;
      const depth = itemAt(screen, 3 * joint + 2);
      if (depth < -1 || depth > 1) continue;
      const away = Math.hypot(itemAt(screen, 3 * joint) - x, itemAt(screen, 3 * joint + 1) - y);
      if (away < least) [least, best] = [away, { figure, joint }];
    }
  }
  return best;
}

const caster = new THREE.Raycaster();
const pointer = new THREE.Vector2();

export function rayThrough(camera: THREE.Camera, x: number, y: number, width: number, height: number): THREE.Ray {
  pointer.set((x / width) * 2 - 1, 1 - (y / height) * 2);
  caster.setFromCamera(pointer, camera);
  return caster.ray;
}

/** The nearest point of a skin on the last ray. */
export function skinOnRay(figures: readonly Figure[]): SkinHit | null {
  let best: SkinHit | null = null;
  let least = Infinity;
  for (const figure of figures) {
    figure.skins.forEach((skin, mesh) => {
      if (!skin.object.visible) return;
      const hit = caster.intersectObject(skin.object, false)[0];
      if (!hit?.face || hit.faceIndex == null || hit.distance >= least) return;
      least = hit.distance;
      const corners = [hit.face.a, hit.face.b, hit.face.c].map((vertex) =>
        skin.object.getVertexPosition(vertex, new THREE.Vector3()).applyMatrix4(skin.object.matrixWorld),
      );
      const shares = THREE.Triangle.getBarycoord(
        hit.point,
        itemAt(corners, 0),
        itemAt(corners, 1),
        itemAt(corners, 2),
        new THREE.Vector3(),
      );
      best = {
        figure,
        mesh,
        triangle: hit.faceIndex,
        position: hit.point,
        shares: shares ? [shares.x, shares.y, shares.z] : [1, 0, 0],
      };
    });
  }
  return best;
}

/** The joint that a point of the skin goes with; one that is shown, so that fingers count as a hand from afar. */
export function jointOfSkin(hit: SkinHit): number {
  const { figure, mesh, triangle, shares } = hit;
  const vertices = itemAt(figure.skins, mesh).verticesOf(triangle);
  const joint = strongestJoint(itemAt(figure.character.weights, mesh), vertices, shares);
  return joint < 0 ? -1 : figure.shownAncestor(joint);
}
