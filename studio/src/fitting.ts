// SPDX-License-Identifier: Apache-2.0

// Shapes of the skin that is there: a character takes the pose of one, and the motion of many.
import type { Fitter, FitReport, Pose } from "@ulna/engine";
import type { Character } from "./character.js";
import { messageOf, type Studio } from "./studio.js";

/** Places of the vertices of all skins of a character, at one moment or at many. */
export interface Shapes {
  readonly name: string;
  readonly count: number;
  readonly frameTime: number;
  at(index: number): Float32Array;
}

const SLICE = 40; // milliseconds of fitting until the page may draw

/** How many vertices a shape of a character has. */
export function shapeSize(character: Character): number {
  return character.meshes.reduce((sum, mesh) => sum + mesh.vertexCount, 0);
}

/** One shape becomes a pose, many become a clip; each is one step of the history. False where it cannot be. */
export async function fitShapes(studio: Studio, shapes: Shapes, wait: (text: string) => Promise<void>): Promise<boolean> {
  const character = studio.active!;
  const made = character.stage.makeFitter(character.meshes, { missingNaN: true, locked: [...character.locked] });
  if (!made.ok) {
    studio.tell({ ...messageOf(made.error, `${character.name} could not be fitted to ${shapes.name}`), place: shapes.name });
    return false;
  }
  const fitter = made.value;
  const fitted = await fitAll(fitter, character, shapes, wait, () => studio.active === character);
  fitter.free();
  if (fitted === null) return false;
  const { poses, worst } = fitted;
  const clip = shapes.count > 1 ? studio.engine.makeFrames(character.skeleton, poses, { frameTime: shapes.frameTime, name: shapes.name }) : null;
  studio.change(clip ? "Fit motion" : "Fit shape", () => {
    if (clip) character.addClip(clip);
    else character.pose.set(poses[0]!);
    character.pinsStale = true;
    if (clip) character.sample(0);
    else character.edited = true;
  });
  tell(studio, shapes, worst, fitter.size);
  return true;
}

async function fitAll(fitter: Fitter, character: Character, shapes: Shapes, wait: (text: string) => Promise<void>, goesOn: () => boolean) {
  const pose = character.pose.slice();
  const poses: Pose[] = [];
  let worst = { frame: 0, report: null as FitReport | null };
  let start = performance.now();
  for (let frame = 0; frame < shapes.count; ++frame) {
    if (performance.now() - start > SLICE) {
      await wait(`Fitting ${shapes.name} · ${frame} of ${shapes.count}`);
      if (!goesOn()) return null;
      start = performance.now();
    }
    const report = fitter.fit(shapes.at(frame), pose, { cold: frame === 0 });
    poses.push(pose.slice());
    if (worst.report === null || report.rms > worst.report.rms) worst = { frame, report };
  }
  return { poses, worst };
}

function tell(studio: Studio, shapes: Shapes, { frame, report }: { frame: number; report: FitReport | null }, size: number) {
  const many = shapes.count > 1;
  const off = report!.rms / size;
  const share = off < 1e-5 ? "exactly, as files go" : `to ${(100 * off).toPrecision(2)} % of its size`;
  const where = many ? ` where it is worst, in frame ${frame}` : "";
  const open = report!.undetermined.length;
  studio.note(
    `${shapes.name} is fitted${many ? `: ${shapes.count} frames` : ""}`,
    `the skin meets it ${share}${where}${open > 0 ? `; ${open} joints move nothing of it` : ""}`,
  );
}
