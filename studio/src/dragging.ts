// SPDX-License-Identifier: Apache-2.0

// From what holds a character to the engine's drag, which lives as long as the hand holds on.
import type { Drag, DragGrab, DragOptions, DragPin, Pose, Result, Vec3 } from "@ulna/engine";
import type { Character } from "./character.js";
import type { SolverSettings } from "./studio.js";

/**
 * Sets a drag up, from the pose that is shown or another; the error is the engine's word on why the method cannot do
 * it. `along` are joints that go where they are told meanwhile, as if they were pinned there.
 */
export function makeDrag(
  character: Character,
  settings: SolverSettings,
  grab: DragGrab,
  { pose = character.pose, along = [] }: { pose?: Pose; along?: readonly DragPin[] } = {},
): Result<Drag> {
  character.refreshPins();
  const options = optionsOf(character, settings);
  const told = new Set(along.map(({ joint }) => joint));
  const pins = [...(options.pins ?? []).filter(({ joint }) => !told.has(joint)), ...along];
  return character.stage.makeDrag(pose, grab, { ...options, pins });
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
