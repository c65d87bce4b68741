// SPDX-License-Identifier: Apache-2.0

// From what holds a character to the engine's drag, which lives as long as the hand holds on.
import type { Drag, DragGrab, DragOptions, Pose, Result, Vec3 } from "@ulna/engine";
import type { Character } from "./character.js";
import type { SolverSettings } from "./studio.js";

/** Sets a drag up; the error is the engine's word on why the method cannot do it. */
export function makeDrag(character: Character, settings: SolverSettings, grab: DragGrab): Result<Drag> {
  character.refreshPins();
  return character.stage.makeDrag(character.pose, grab, optionsOf(character, settings));
}

/** The pins that keep a drag, begun in a pose, from its target. */
export function hinderingPins(
  character: Character,
  settings: SolverSettings,
  pose: Pose,
  grab: DragGrab,
  target: Vec3,
): number[] {
  return character.stage.hinderingPins(pose, grab, target, optionsOf(character, settings));
}

function optionsOf(
  character: Character,
  { method, iterations, watch, natural, balance, floor, bulk, pairs }: SolverSettings,
): DragOptions {
  const pins = [...character.pins].map(([joint, { target, orientation, reached }]) => ({
    ...{ joint, target, reached },
    ...(orientation ? { orientation } : {}),
  }));
  const poles = [...character.poles.values()];
  return {
    ...{ pins, poles, method, continuity: !watch, size: character.size, locked: [...character.locked] },
    ...{ natural, rules: { balance, floor, bulk, pairs } },
    ...(iterations > 0 ? { maxIterations: iterations } : {}),
  };
}
