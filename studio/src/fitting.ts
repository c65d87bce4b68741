// SPDX-License-Identifier: Apache-2.0

// Shapes of the skin that is there: a character takes the pose of one, and the motion of many.
import type { Fitter, FitReport, Mesh, Pose } from "@ulna/engine";
import type { Character } from "./character.js";
import { messageOf, type Studio } from "./studio.js";

/** The skins of a character, as they are at a moment. */
export interface Skins {
  readonly character: Character;
  readonly meshes: readonly Mesh[];
  readonly size: number; // vertices of all
}

/** Places of the vertices of skins, at one moment or at many. */
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
  const leave = () => studio.note(`${shapes.name} is not fitted`, "another character or skin was chosen meanwhile");
  if (!there()) return leave();
  const made = character.stage.makeFitter(meshes, { missingNaN: true, locked: [...character.locked] });
  if (!made.ok) {
    studio.tell({
      ...messageOf(made.error, `${character.name} could not be fitted to ${shapes.name}`),
      place: shapes.name,
    });
    return;
  }
  const fitter = made.value;
  const fitted = await fitAll(fitter, character.pose.slice(), shapes, wait, there);
  fitter.free();
  if (fitted === null) return leave();
  const { poses, summary } = fitted;
  if (summary.empty === shapes.count)
    return studio.note(`${shapes.name} is not fitted`, "it has no points that are numbers");
  const clip =
    shapes.count > 1
      ? studio.engine.makeFrames(character.skeleton, poses, { frameTime: shapes.frameTime, name: shapes.name })
      : null;
  studio.change(clip ? "Fit motion" : "Fit shape", () => {
    if (clip) {
      character.addClip(clip);
      character.sample(0);
    } else {
      character.pose.set(poses[0]!);
      character.edited = true;
    }
    character.pinsStale = true;
  });
  tell(studio, shapes, summary, fitter.size);
}

interface Summary {
  worst: number; // the frame
  report: FitReport | null; // of that
  empty: number; // frames without a point
  unfinished: number; // frames that did not come to rest
}

async function fitAll(
  fitter: Fitter,
  pose: Pose,
  shapes: Shapes,
  wait: (text: string) => Promise<void>,
  goesOn: () => boolean,
) {
  const poses: Pose[] = [];
  const summary: Summary = { worst: 0, report: null, empty: 0, unfinished: 0 };
  let start = performance.now();
  for (let frame = 0; frame < shapes.count; ++frame) {
    if (performance.now() - start > SLICE) {
      await wait(`Fitting ${shapes.name} · ${frame} of ${shapes.count}`);
      if (!goesOn()) return null;
      start = performance.now();
    }
    const report = fitter.fit(shapes.at(frame), pose, { cold: frame === 0 });
    poses.push(pose.slice());
    if (report.rank === 0) ++summary.empty;
    else if (report.status !== "converged") ++summary.unfinished;
    if (summary.report === null || report.rms > summary.report.rms) Object.assign(summary, { worst: frame, report });
  }
  return { poses, summary };
}

function tell(studio: Studio, shapes: Shapes, { worst, report, empty, unfinished }: Summary, size: number) {
  const many = shapes.count > 1;
  const off = report!.rms / size;
  const share = off < 1e-5 ? "exactly, as files go" : `to ${(100 * off).toPrecision(2)} % of its size`;
  const open = report!.undetermined.length;
  const frames = (count: number) => `${count} ${count === 1 ? "frame" : "frames"}`;
  const words = [
    `the skin meets it ${share}${many ? ` where it is worst, in frame ${worst}` : ""}`,
    empty > 0 && `${frames(empty)} had no points`,
    unfinished > 0 && (many ? `${frames(unfinished)} did not come to rest` : "it did not come to rest"),
    open > 0 && `${open} joints move nothing of it`,
  ];
  studio.note(`${shapes.name} is fitted${many ? `: ${frames(shapes.count)}` : ""}`, words.filter(Boolean).join("; "));
}
