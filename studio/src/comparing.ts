// SPDX-License-Identifier: Apache-2.0

// Methods compared on one problem: the last drag, from where it began to where the hand let go.
import type { DragGrab, Method, Pose, SolverStatus, Vec3 } from "@ulna/engine";
import type { Character } from "./character.js";
import { makeDrag } from "./dragging.js";
import type { Studio } from "./studio.js";

/** A drag as a problem to solve again. */
export interface Problem {
  readonly character: Character;
  readonly pose: Pose; // in which it began
  readonly grab: DragGrab;
  readonly target: Vec3;
}

export interface Attempt {
  readonly method: Method;
  readonly errors: Float64Array; // the largest at the start and after each iteration, in tolerances
  readonly status: SolverStatus | "refused";
  readonly note: string; // what the method left out, or why it refused
}

const ITERATIONS = 40; // of each, where the panel leaves it to the method: enough to see how it gets there

/** A method on a problem, from its start, without what helps a drag along. */
export function attempt(studio: Studio, method: Method, { character, pose, grab, target }: Problem): Attempt {
  const settings = { ...studio.solver, method, watch: true, natural: false };
  const made = makeDrag(character, settings, grab);
  if (!made.ok) return { method, errors: new Float64Array(0), status: "refused", note: made.error.message };
  const drag = made.value;
  const { errors, status } = drag.trace(pose, target, studio.solver.iterations || ITERATIONS);
  const { note } = drag;
  drag.free();
  return { method, errors, status, note };
}

/** Every method on the same problem, in the order of the engine; the page lives on between them. */
export async function compareMethods(studio: Studio, problem: Problem): Promise<Attempt[]> {
  const out: Attempt[] = [];
  for (const method of studio.engine.methods) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (studio.problem !== problem) break; // another drag, or the body is gone
    out.push(attempt(studio, method, problem));
  }
  return out;
}
