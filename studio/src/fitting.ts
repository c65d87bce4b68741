// SPDX-License-Identifier: Apache-2.0

// Shapes of the skin that is there: a character takes the pose of one, and the motion of many.
import type { Fitter, Mesh, Pose } from "@ulna/engine";
import type { Character } from "./character.js";
import { perform } from "./commands/command.js";
import { takeClip } from "./commands/keys.js";
import { takePose } from "./commands/pose.js";
import { itemAt } from "./lists.js";
import { messageOf } from "./messages.js";
import type { Studio } from "./studio.js";
import { t } from "./language.js";

/** The skins of a character, as they are at a moment. */
export interface Skins {
  readonly character: Character;
  readonly meshes: readonly Mesh[];
  readonly size: number; // vertices of all
}

/** Positions of the vertices of skins, at one moment or at many. */
export interface Shapes {
  readonly name: string;
  readonly of: Skins;
  readonly count: number;
  readonly frameTime: number;
  at(index: number): Float32Array;
}

const SLICE = 40; // milliseconds of fitting until the page may draw

export function skinsOf(character: Character): Skins {
  const { meshes } = character;
  return { character, meshes, size: meshes.reduce((sum, mesh) => sum + mesh.vertexCount, 0) };
}

/** One shape becomes a pose, many become a clip; each is one step of the history. */
export async function fitShapes(studio: Studio, shapes: Shapes, wait: (text: string) => Promise<void>): Promise<void> {
  const { character, meshes } = shapes.of;
  const there = () => studio.active === character && meshes.every((mesh) => character.meshes.includes(mesh));
  const leave = () =>
    studio.note(
      t("{name} is not fitted", { name: shapes.name }),
      t("another character or skin was chosen in the meantime"),
    );
  if (!there()) return leave();
  const made = character.stage.makeFitter(meshes, { missingNaN: true, locked: [...character.locked] });
  if (!made.ok) {
    const message = messageOf(
      made.error,
      t("{name} could not be fitted to {name2}", { name: character.name, name2: shapes.name }),
    );
    return studio.tell({ ...message, location: shapes.name });
  }
  const fitter = made.value;
  const poses = await fitAll(fitter, character.pose.slice(), shapes, wait, there);
  const notes = [...fitter.notes(), ...fitter.warnings.map(({ what }) => what)];
  const fitted = fitter.notes().length > 0;
  fitter.free();
  if (poses === null) return leave();
  if (!fitted)
    return studio.note(
      t("{name} is not fitted", { name: shapes.name }),
      t("there are no points in it that are numbers"),
    );
  const { name, count, frameTime } = shapes;
  if (count > 1) {
    perform(
      studio,
      takeClip(t("Fit motion"), character.engine.makeFrames(character.skeleton, poses, { frameTime, name })),
    );
  } else {
    perform(studio, takePose(t("Fit shape"), itemAt(poses, 0)));
  }
  studio.note(
    count > 1 ? t("{name} is fitted: {count} frames", { name, count }) : t("{name} is fitted", { name }),
    notes.join("; "),
  );
}

async function fitAll(
  fitter: Fitter,
  pose: Pose,
  shapes: Shapes,
  wait: (text: string) => Promise<void>,
  goesOn: () => boolean,
): Promise<Pose[] | null> {
  const poses: Pose[] = [];
  let start = performance.now();
  for (let frame = 0; frame < shapes.count; ++frame) {
    if (performance.now() - start > SLICE) {
      await wait(t("Fitting {name} · {frame} of {count}", { name: shapes.name, frame, count: shapes.count }));
      if (!goesOn()) return null;
      start = performance.now();
    }
    fitter.fit(shapes.at(frame), pose, { cold: frame === 0 });
    poses.push(pose.slice());
  }
  return poses;
}
