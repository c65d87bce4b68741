// SPDX-License-Identifier: Apache-2.0

// Surfaces alone, OBJ and PLY: tied to the skeleton that is there, or a word says why not.
import type { Mesh, Pose } from "@ulna/engine";
import type { Character } from "./character.js";
import { perform } from "./commands/command.js";
import { tieSurface } from "./commands/skin.js";
import { itemAt } from "./lists.js";
import { errorOf, messageOf } from "./messages.js";
import type { Studio } from "./studio.js";

const MOST_TIMES = 4; // as large as the skeleton: with wings and a tail
const LEAST_TIMES = 1 / 50; // a ring on a finger; less is another unit
const NEARLY = 0.9; // as many joints inside as could be: the rest pose is what surfaces are made for

export function openSurface(studio: Studio, name: string, bytes: ArrayBuffer): boolean {
  const { active } = studio;
  const title = `${name} could not be opened`;
  const refuse = (what: string, advice: string) => {
    studio.tell(errorOf(title, what, { location: name, advice }));
    return false;
  };
  if (!active) return refuse("a surface needs a skeleton to be tied to", "open a skeleton first");
  const read = studio.engine.readMesh(active.skeleton, bytes, name);
  if (!read.ok) {
    studio.tell(messageOf(read.error, title));
    return false;
  }
  const { mesh } = read.value;
  const fit = fitOf(active, mesh);
  if (typeof fit === "string") {
    mesh.free();
    return refuse(fit, "scale and move it to the skeleton in the program it comes from");
  }
  mesh.bind(fit.pose);
  const made = mesh.makeWeights();
  if (!made.ok) {
    mesh.free();
    studio.tell({ ...messageOf(made.error, title), location: name });
    return false;
  }
  perform(studio, tieSurface(mesh));
  const notes = [
    fit.outside > 0 && `${fit.outside} of ${active.skeleton.jointCount} joints lie outside of it`,
    made.value.loose > 0 && `${made.value.loose} of ${mesh.vertexCount} vertices see no bone and go with the nearest`,
  ];
  studio.note(`${name} is tied to ${active.name}`, notes.filter(Boolean).join("; "));
  return true;
}

interface Fit {
  readonly pose: Pose; // in which the skeleton is inside the surface
  readonly outside: number; // joints that are not
}

/** The pose that has the skeleton inside the surface, or why none can have. */
function fitOf(character: Character, mesh: Mesh): Fit | string {
  const { skeleton, rest, pose } = character;
  const vertices = mesh.positions;
  const times = sizeOf(boxOf(vertices)) / sizeOf(boxOf(skeleton.modelPositions(rest)));
  // Nothing to measure by: the engine says what is missing, or one joint takes it all.
  if (!Number.isFinite(times) || times < 0 || mesh.triangleCount === 0) return { pose: rest, outside: 0 };
  if (times > MOST_TIMES) return `the surface is ${roughly(times)} times as large as the skeleton`;
  if (times < LEAST_TIMES) return `the skeleton is ${roughly(1 / times)} times as large as the surface`;
  const up = skeleton.up === "z" ? 2 : 1;
  const count = skeleton.jointCount;
  const spans = (each: Pose) => spansAbove(skeleton.modelPositions(each), vertices, mesh.indices, up);
  const [atRest, now] = [spans(rest), spans(pose)];
  const raised = bestRise(atRest);
  const [standing, posed] = [insideAt(atRest, raised), insideAt(now, 0)];
  if (Math.max(standing, posed) === 0) return "no joint of the skeleton is inside the surface";
  if (insideAt(atRest, 0) >= NEARLY * Math.max(standing, posed))
    return { pose: rest, outside: count - insideAt(atRest, 0) };
  if (posed > standing) return { pose: pose.slice(), outside: count - posed };
  // A BVH file has its hips at the origin while at rest; a body stands on the ground.
  const out = rest.slice();
  skeleton.parents.forEach((parent, joint) => {
    if (parent < 0) out[10 * joint + up] += raised;
  });
  return { pose: out, outside: count - standing };
}

/** By how much a joint may be raised so as to be inside the surface: spans from one crossing to the next, for each joint. */
type Spans = [number, number][][];

function spansAbove(joints: Float64Array, vertices: Float32Array, indices: Uint32Array, up: number): Spans {
  const [a, b] = [(up + 1) % 3, (up + 2) % 3];
  return Array.from({ length: joints.length / 3 }, (_, joint) => {
    // A little aside, since joints in the plane of symmetry meet edges exactly.
    const [x, y, height] = [
      itemAt(joints, 3 * joint + a) + 1.3e-5,
      itemAt(joints, 3 * joint + b) + 0.7e-5,
      itemAt(joints, 3 * joint + up),
    ];
    const crossings: number[] = [];
    for (let i = 0; i < indices.length; i += 3) {
      const [p, q, r] = [3 * itemAt(indices, i), 3 * itemAt(indices, i + 1), 3 * itemAt(indices, i + 2)];
      const area = (m: number, n: number) =>
        (itemAt(vertices, m + a) - x) * (itemAt(vertices, n + b) - y) -
        (itemAt(vertices, n + a) - x) * (itemAt(vertices, m + b) - y);
      const [u, v, w] = [area(q, r), area(r, p), area(p, q)];
      if (u > 0 ? v < 0 || w < 0 : v > 0 || w > 0) continue;
      const all = u + v + w;
      if (all !== 0)
        crossings.push(
          (u * itemAt(vertices, p + up) + v * itemAt(vertices, q + up) + w * itemAt(vertices, r + up)) / all - height,
        );
    }
    crossings.sort((one, other) => one - other);
    return Array.from(
      { length: crossings.length >> 1 },
      (_unused, i) => [itemAt(crossings, 2 * i), itemAt(crossings, 2 * i + 1)] as [number, number],
    );
  });
}

const insideAt = (spans: Spans, rise: number) =>
  spans.filter((list) => list.some(([from, to]) => from <= rise && rise <= to)).length;

/** The middle of where the most joints are inside. */
function bestRise(spans: Spans): number {
  const events = spans
    .flat()
    .flatMap(([from, to]) => [
      { at: from, step: 1 },
      { at: to, step: -1 },
    ])
    .sort((x, y) => x.at - y.at);
  let [inside, most, best] = [0, 0, 0];
  events.forEach(({ at, step }, i) => {
    inside += step;
    if (inside <= most) return;
    most = inside;
    best = (at + (events[i + 1]?.at ?? at)) / 2;
  });
  return best;
}

interface Box {
  readonly low: number[];
  readonly high: number[];
}

function boxOf(positions: ArrayLike<number>): Box {
  const box = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
  for (let i = 0; i < positions.length; ++i) {
    box.low[i % 3] = Math.min(itemAt(box.low, i % 3), itemAt(positions, i));
    box.high[i % 3] = Math.max(itemAt(box.high, i % 3), itemAt(positions, i));
  }
  return box;
}

const sizeOf = ({ low, high }: Box) => Math.max(...high.map((value, i) => value - itemAt(low, i)));

function roughly(times: number): string {
  return times < 10 ? times.toFixed(1) : Number(times.toPrecision(2)).toLocaleString("en");
}
