// SPDX-License-Identifier: Apache-2.0

// What the page is judged by: kinematics and a camera written down once more, and the engine in node.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { dist } from "./serve.mjs";

// The built package: node 18 takes a .js for a module only where a package.json says so.
const built = process.env.ULNA_ENGINE ?? join(dirname(fileURLToPath(import.meta.url)), "../../build/wasm/engine");
const { createEngine } = await import(pathToFileURL(join(built, "engine.js")).href);

export const makeEngine = () => createEngine({ wasm: readFileSync(join(dist, "engine.wasm")) });

/** The value of a result that has to be one. */
export function must(result) {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

export const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));
export const minus = (a, b) => a.map((value, i) => value - b[i]);
export const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
export const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
export const unit = (a) => a.map((value) => value / Math.hypot(...a));

/** A joint's rotation in a pose, x y z w. */
export const rotationOf = (pose, joint) => pose.slice(10 * joint + 3, 10 * joint + 7);

function rotated([x, y, z, w], v) {
  const across = cross([x, y, z], v);
  const twice = cross(
    [x, y, z],
    across.map((value, i) => value + w * v[i]),
  );
  return v.map((value, i) => value + 2 * twice[i]);
}

const product = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
  aw * bw - ax * bx - ay * by - az * bz,
];

/** Where joints are in the model, for poses that scale no joint. */
export function positionsOf(pose, parents) {
  const frames = [];
  parents.forEach((parent, joint) => {
    const [translation, rotation] = [[...pose.slice(10 * joint, 10 * joint + 3)], [...rotationOf(pose, joint)]];
    const above = parent < 0 ? { position: [0, 0, 0], rotation: [0, 0, 0, 1] } : frames[parent];
    frames.push({
      position: rotated(above.rotation, translation).map((value, i) => value + above.position[i]),
      rotation: product(above.rotation, rotation),
    });
  });
  return frames.map(({ position }) => position);
}

/** From the model to CSS pixels: `camera` and `placement` as the page tells them, `box` of the canvas. */
export function makeProjection({ position, target, fov }, placement, box) {
  const back = unit(minus(position, target));
  const right = unit(cross([0, 1, 0], back));
  const up = cross(back, right);
  const half = Math.tan((fov * Math.PI) / 360);
  return (point) => {
    const scene = [0, 1, 2].map(
      (row) =>
        placement[row] * point[0] + placement[4 + row] * point[1] + placement[8 + row] * point[2] + placement[12 + row],
    );
    const seen = minus(scene, position);
    const depth = -dot(seen, back) * half;
    return {
      x: box.x + box.width / 2 + (dot(seen, right) / depth) * (box.height / 2),
      y: box.y + box.height / 2 - (dot(seen, up) / depth) * (box.height / 2),
    };
  };
}

/** The box about points on the screen. */
export function boxOf(points) {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

export const wider = ({ left, right, top, bottom }, by) => ({
  left: left - by,
  right: right + by,
  top: top - by,
  bottom: bottom + by,
});
export const within = (inner, outer) =>
  inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
