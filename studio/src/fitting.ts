// SPDX-License-Identifier: Apache-2.0

// Shapes of the skin that is there: a character takes the pose of one, and the motion of many.
import type { Fitter, FitReport, Mesh, Pose } from "@ulna/engine";
import type { Character } from "./character.js";
import { perform } from "./commands/command.js";
import { takeClip } from "./commands/keys.js";
import { takePose } from "./commands/pose.js";
import { itemAt } from "./lists.js";
import { messageOf } from "./messages.js";
import type { Studio } from "./studio.js";

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
    studio.note(`${shapes.name} is not fitted`, "another character or skin was chosen in the meantime");
  if (!there()) return leave();
  const made = character.stage.makeFitter(meshes, { missingNaN: true, locked: [...character.locked] });
  if (!made.ok) {
    const message = messageOf(made.error, `${character.name} could not be fitted to ${shapes.name}`);
    return studio.tell({ ...message, location: shapes.name });
  }
  const fitter = made.value;
  const fitted = await fitAll(fitter, character.pose.slice(), shapes, wait, there);
  const { size } = fitter;
  fitter.free();
  if (fitted === null) return leave();
  const { poses, summary } = fitted;
  if (summary.worst === null)
    return studio.note(`${shapes.name} is not fitted`, "there are no points in it that are numbers");
  if (shapes.count > 1) {
    const { name, frameTime } = shapes;
    perform(studio, takeClip("Fit motion", studio.engine.makeFrames(character.skeleton, poses, { frameTime, name })));
  } else {
    perform(studio, takePose("Fit shape", itemAt(poses, 0)));
  }
  studio.note(...describe(shapes, summary, summary.worst, size));
}

/** The frame that is fitted least well. */
interface Worst {
  readonly frame: number;
  readonly report: FitReport;
}

interface Summary {
  readonly worst: Worst | null; // null where no frame has a point
  readonly empty: number; // frames without a point
  readonly unfinished: number; // frames that did not converge
}

async function fitAll(
  fitter: Fitter,
  pose: Pose,
  shapes: Shapes,
  wait: (text: string) => Promise<void>,
  goesOn: () => boolean,
): Promise<{ poses: Pose[]; summary: Summary } | null> {
  const poses: Pose[] = [];
  const reports: FitReport[] = [];
  let start = performance.now();
  for (let frame = 0; frame < shapes.count; ++frame) {
    if (performance.now() - start > SLICE) {
      await wait(`Fitting ${shapes.name} · ${frame} of ${shapes.count}`);
      if (!goesOn()) return null;
      start = performance.now();
    }
    reports.push(fitter.fit(shapes.at(frame), pose, { cold: frame === 0 }));
    poses.push(pose.slice());
  }
  return { poses, summary: summaryOf(reports) };
}

function summaryOf(reports: readonly FitReport[]): Summary {
  let worst: Worst | null = null;
  let [empty, unfinished] = [0, 0];
  for (const [frame, report] of reports.entries()) {
    if (report.rank === 0) ++empty;
    else if (report.status !== "converged") ++unfinished;
    if (report.rank > 0 && (worst === null || report.rms > worst.report.rms)) worst = { frame, report };
  }
  return { worst, empty, unfinished };
}

/** The title and the text of a note on how well it went. */
function describe(
  shapes: Shapes,
  { empty, unfinished }: Summary,
  { frame, report }: Worst,
  size: number,
): [string, string] {
  const many = shapes.count > 1;
  const off = report.rms / size;
  const share = off < 1e-5 ? "exactly, to the precision of the file" : `to ${(100 * off).toPrecision(2)} % of its size`;
  const open = report.undetermined.length;
  const frames = (count: number) => `${count} ${count === 1 ? "frame" : "frames"}`;
  const words = [
    `the skin matches it ${share}${many ? ` at worst, in frame ${frame}` : ""}`,
    empty > 0 && `${frames(empty)} had no points`,
    unfinished > 0 && (many ? `${frames(unfinished)} did not converge` : "it did not converge"),
    open > 0 && `${open} joints move none of its vertices`,
  ];
  return [`${shapes.name} is fitted${many ? `: ${frames(shapes.count)}` : ""}`, words.filter(Boolean).join("; ")];
}
