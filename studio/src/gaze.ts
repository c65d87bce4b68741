// SPDX-License-Identifier: Apache-2.0

// Where a body looks: its head turns to a point, with the neck, and its eyes go the rest of the way.
import type { Goal, Pose, Quat, Vec3 } from "@ulna/engine";
import type { Character } from "./character.js";
import { itemAt, vec3At } from "./lists.js";

const AHEAD = 0.6; // of the body's size: how far the point is away at first

/** The joints that look. */
interface Lookers {
  readonly head: number;
  readonly neck: readonly number[];
  readonly eyes: readonly number[];
}

/** None for a body whose head is not known. */
export function lookersOf({ stage, skeleton }: Character): Lookers | null {
  const called = (part: string, word: RegExp) => {
    const known = stage.recognised.filter((each) => each.part === part).map(({ joint }) => joint);
    if (known.length > 0) return known;
    return skeleton.joints.filter(({ name, endSite }) => !endSite && word.test(name)).map(({ index }) => index);
  };
  const head = called("head", /head/i).at(-1);
  if (head === undefined) return null;
  const eyes = skeleton.joints.filter(
    ({ name, parent, endSite }) => parent === head && !endSite && /eye(?!l|b)/i.test(name),
  );
  return { head, neck: called("neck", /neck/i), eyes: eyes.map(({ index }) => index) };
}

/** A point in front of the eyes; null for a body whose head is not known. */
export function pointAhead(character: Character): Vec3 | null {
  const lookers = lookersOf(character);
  if (!lookers) return null;
  const { skeleton, pose, size } = character;
  const from = eyesIn(character, lookers, pose);
  const forward = turned(orientationOf(character, pose, lookers.head), forwardOf(character, lookers.head));
  const distance = AHEAD * (skeleton.height || size);
  return [from[0] + distance * forward[0], from[1] + distance * forward[1], from[2] + distance * forward[2]];
}

/**
 * Turns a pose's head and eyes to the point that the character looks at, if there is one. `held` is a joint that must
 * stay where it is.
 */
export function lookThere(character: Character, pose: Pose, held = -1) {
  const { gaze, pins } = character;
  const lookers = gaze && lookersOf(character);
  if (!lookers) return;
  const { head, neck, eyes } = lookers;
  // A head that is held turns in its place.
  const alone = [head, ...eyes].some((joint) => joint === held || pins.has(joint));
  aim(character, pose, [head], alone ? [head] : [head, ...neck], lookers, gaze);
  aim(character, pose, eyes, eyes, lookers, gaze);
}

function aim(
  character: Character,
  pose: Pose,
  joints: readonly number[],
  moving: readonly number[],
  lookers: Lookers,
  target: Vec3,
) {
  if (joints.length === 0) return;
  const { skeleton, stage } = character;
  const rest = skeleton.restPose();
  const goals = joints.map((joint): Goal => {
    const [x, y, z] = eyesIn(character, lookers, rest);
    const at = vec3At(skeleton.modelPositions(rest), joint);
    const back = inverse(orientationOf(character, rest, joint));
    const eye: Vec3 = joint === lookers.head ? turned(back, [x - at[0], y - at[1], z - at[2]]) : [0, 0, 0];
    return { kind: "aim", joint, target, axis: forwardOf(character, joint), eye };
  });
  const locked = skeleton.joints.map(({ index }) => index).filter((joint) => !moving.includes(joint));
  const solver = stage.makeSolver(goals, { pose, locked, freeRoot: false, continuity: true, maxIterations: 20 });
  if (!solver.ok) return; // such as eyes that cannot move
  solver.value.solve(pose);
  solver.value.free();
}

/** The middle between the eyes, or the head where it has none. */
function eyesIn({ skeleton }: Character, { head, eyes }: Lookers, pose: Pose): Vec3 {
  const positions = skeleton.modelPositions(pose);
  const joints = eyes.length > 0 ? eyes : [head];
  const sum = [0, 1, 2].map((axis) => joints.reduce((all, joint) => all + itemAt(positions, 3 * joint + axis), 0));
  return vec3At(
    sum.map((each) => each / joints.length),
    0,
  );
}

/** Where the body faces, in a joint's coordinates. */
function forwardOf(character: Character, joint: number): Vec3 {
  const { skeleton } = character;
  return turned(inverse(orientationOf(character, skeleton.restPose(), joint)), skeleton.facing);
}

function orientationOf({ skeleton }: Character, pose: Pose, joint: number): Quat {
  const [x, y, z, w] = skeleton.orientations(pose).subarray(4 * joint, 4 * joint + 4);
  return [x ?? 0, y ?? 0, z ?? 0, w ?? 1];
}

const inverse = ([x, y, z, w]: Quat): Quat => [-x, -y, -z, w];

function turned([x, y, z, w]: Quat, [a, b, c]: Vec3): Vec3 {
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
}
