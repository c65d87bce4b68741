// SPDX-License-Identifier: Apache-2.0

// A hand in a shape as a small drawing: its own fingers, posed by the engine and seen from the side of the thumb.
import type { HandShape } from "@ulna/engine";
import type { Character } from "../character.js";
import { itemAt, vec3At } from "../lists.js";

const TURN = 0.7; // radians about the fingers: what is curled is seen from aside
const WIDTH = 0.15; // of a finger, in lengths of the hand

type V = readonly [number, number, number];
const minus = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: V, b: V) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: V, b: V): V => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: V): V => {
  const length = Math.sqrt(dot(a, a)) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
};

/** Null for a body without fingers that can be told apart. */
export function handPicture(character: Character, side: "left" | "right", shape: HandShape): SVGSVGElement | null {
  const { skeleton } = character;
  const { joints } = skeleton;
  const pose = skeleton.restPose();
  const wrist = wristOf(character, side);
  if (wrist < 0 || !skeleton.poseHand(pose, side, "flat").ok) return null;
  // Each finger from the wrist to its tip.
  const fingers = itemAt(joints, wrist).children.map((first) => {
    const chain = [wrist, first];
    for (let next = itemAt(joints, first).children[0]; next !== undefined; next = itemAt(joints, next).children[0])
      chain.push(next);
    return chain;
  });
  if (fingers.length < 4) return null;
  const flat = skeleton.modelPositions(pose);
  const at = (joint: number): V => vec3At(flat, joint);
  const [first, last] = [itemAt(fingers, 1), itemAt(fingers, fingers.length - 1)];
  const up = unit(minus(at(itemAt(first, first.length - 1)), at(wrist)));
  const across = minus(at(itemAt(last, 1)), at(itemAt(first, 1)));
  const normal = unit(cross(up, across));
  const right = unit(cross(normal, up));
  const length = Math.sqrt(dot(minus(at(itemAt(first, first.length - 1)), at(wrist)), up) ** 2) || 1;
  skeleton.poseHand(pose, side, shape);
  const posed = skeleton.modelPositions(pose);
  const seen = (joint: number): string => {
    const from = minus(vec3At(posed, joint), vec3At(posed, wrist));
    const x = dot(from, right) * Math.cos(TURN) + dot(from, normal) * Math.sin(TURN) * (side === "left" ? -1 : 1);
    return `${((24 * x) / length).toFixed(2)} ${((-24 * dot(from, up)) / length).toFixed(2)}`;
  };
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "-15 -27 30 30");
  svg.setAttribute("class", "hand-picture");
  svg.setAttribute("aria-hidden", "true");
  for (const finger of [...fingers].reverse()) {
    for (const edge of [true, false]) {
      const path = document.createElementNS(space, "path");
      path.setAttribute("d", `M${finger.map(seen).join("L")}`);
      path.setAttribute("class", edge ? "edge" : "finger");
      path.setAttribute("stroke-width", String(24 * WIDTH * (edge ? 1.5 : 1)));
      svg.append(path);
    }
  }
  return svg;
}

function wristOf({ stage, skeleton }: Character, side: "left" | "right"): number {
  const known = stage.recognised.find(({ part }) => part === `${side} wrist`);
  return known?.joint ?? skeleton.names.findIndex((name) => new RegExp(`^(.*[:_])?${side}_?hand$`, "i").test(name));
}
