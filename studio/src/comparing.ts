// SPDX-License-Identifier: Apache-2.0

// Methods compared on one problem: the last drag, from where it began to where the hand let go, solved by each method
// without what helps a drag along.
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
  readonly milliseconds: number;
  readonly note: string; // what the method left out, or why it refused
}

/** Every method on the same problem, in the order of the engine. */
export function compareMethods(studio: Studio, { character, pose, grab, target }: Problem): Attempt[] {
  const { iterations } = studio.solver;
  return studio.engine.methods.map((method) => {
    const settings = { ...studio.solver, method, watch: true, natural: false };
    const made = makeDrag(character, settings, grab);
    if (!made.ok)
      return { method, errors: new Float64Array(0), status: "refused", milliseconds: 0, note: made.error.message };
    const drag = made.value;
    const start = performance.now();
    const { errors, status } = drag.trace(pose, target, iterations || undefined);
    const milliseconds = performance.now() - start;
    const { note } = drag;
    drag.free();
    return { method, errors, status, milliseconds, note };
  });
}
