// SPDX-License-Identifier: Apache-2.0

// From what holds a character to the engine's drag, which lives as long as the hand holds on.
import type { Drag, DragGrab, Result } from "@ulna/engine";
import type { Character } from "./character.js";
import type { SolverSettings } from "./studio.js";

/** Sets a drag up; the error is the engine's word on why the method cannot do it. */
export function makeDrag(
  character: Character,
  { method, iterations, watch, natural, balance, floor, bulk, pairs }: SolverSettings,
  grab: DragGrab,
): Result<Drag> {
  character.refreshPins();
  const pins = [...character.pins].map(([joint, { target, orientation, reached }]) => ({
    ...{ joint, target, reached },
    ...(orientation ? { orientation } : {}),
  }));
  const poles = [...character.poles.values()];
  return character.stage.makeDrag(character.pose, grab, {
    ...{ pins, poles, method, continuity: !watch, size: character.size, locked: [...character.locked] },
    ...{ natural, rules: { balance, floor, bulk, pairs } },
    ...(iterations > 0 ? { maxIterations: iterations } : {}),
  });
}
