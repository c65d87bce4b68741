// SPDX-License-Identifier: Apache-2.0

// Pictures and films of what is shown: frame by frame, as long as each may take, so that no film stutters on a slow
// machine. The characters are as they were afterwards.
import * as THREE from "three";
import type { Snapshot } from "../snapshot.js";
import type { Character } from "../character.js";
import type { Studio } from "../studio.js";
import type { Viewport } from "../view/viewport.js";
import { GifWriter, Palette, hundredthsOf } from "./gif.js";
import { Photographer, type Backdrop } from "./photographer.js";
import { Shot, type Framing } from "./shot.js";
import { VideoWriter, type VideoFormat } from "./video.js";
import { writeWebp } from "./webp.js";

export type FilmFormat = VideoFormat | "gif" | "webp";

export interface PictureOptions extends Backdrop {
  readonly width: number;
  readonly height: number;
  readonly framing: Framing;
}

export interface FilmOptions extends PictureOptions {
  readonly format: FilmFormat;
  readonly rate: number; // pictures a second
  readonly subject: "turntable" | "clip";
  readonly from: number; // seconds of the clip
  readonly to: number;
  readonly seconds: number; // of a turn
}

/** Told after each picture; an answer of false ends the work. */
export type FilmProgress = (done: number, of: number) => boolean;

const PALETTE_PICTURES = 8;
const WEBP_QUALITY = 0.9;
const FRAMED = 16; // moments of a clip that a close camera makes room for

export async function takePicture(view: Viewport, options: PictureOptions): Promise<Blob> {
  const photographer = new Photographer(view, options.width, options.height);
  try {
    view.prepare();
    const shot = new Shot(view.scene.eye, options.width / options.height, options.framing, view.points(), false);
    photographer.take(shot.at(0, new THREE.Vector3()), options);
    return await photographer.blob("image/png");
  } finally {
    photographer.dispose();
  }
}

/** How many pictures a film has. */
export function pictureCount({ subject, seconds, from, to, rate }: FilmOptions): number {
  return Math.max(1, Math.round((subject === "turntable" ? seconds : to - from) * rate));
}

/** The bytes of a film; null where it was ended before. */
export async function makeFilm(
  studio: Studio,
  view: Viewport,
  options: FilmOptions,
  progress: FilmProgress,
): Promise<Blob | null> {
  const { width, height, format } = options;
  const count = pictureCount(options);
  const before = keep(studio);
  const photographer = new Photographer(view, width, height);
  try {
    const take = cameraman(studio, view, photographer, options);
    const sink = await SINKS[format](photographer, options, take, count);
    for (let frame = 0; frame < count; ++frame) {
      take(frame);
      await sink.add(frame);
      if (!progress(frame + 1, count)) {
        sink.close?.();
        return null;
      }
      await pageTurns();
    }
    const type = { mp4: "video/mp4", webm: "video/webm", gif: "image/gif", webp: "image/webp" }[format];
    return new Blob([await sink.finish()], { type });
  } finally {
    photographer.dispose();
    before();
  }
}

/** What pictures of a film go into. */
interface Sink {
  add(frame: number): Promise<void> | void;
  finish(): Promise<Uint8Array> | Uint8Array;
  close?(): void;
}
type MakeSink = (
  photographer: Photographer,
  options: FilmOptions,
  take: (frame: number) => void,
  count: number,
) => Promise<Sink>;

const video =
  (format: VideoFormat): MakeSink =>
  async (photographer, options) => {
    const writer = await VideoWriter.make(format, options);
    if (!writer) throw new Error(`this browser cannot make ${format === "mp4" ? "MP4" : "WebM"} of this size`);
    return { add: () => writer.add(photographer.canvas), finish: () => writer.finish(), close: () => writer.close() };
  };

const SINKS: Record<FilmFormat, MakeSink> = {
  mp4: video("mp4"),
  webm: video("webm"),
  gif: (photographer, { width, height, rate }, take, count) => {
    const few = Math.min(PALETTE_PICTURES, count);
    const palette = new Palette(
      Array.from({ length: few }, (_, i) => {
        take(Math.floor((i * count) / few));
        return photographer.pixels;
      }),
    );
    const writer = new GifWriter(width, height, palette);
    return Promise.resolve({
      add: (frame) => writer.add(photographer.pixels, hundredthsOf(frame, rate)),
      finish: () => writer.finish(),
    });
  },
  webp: (photographer, { width, height, rate }) => {
    const pictures: Uint8Array[] = [];
    const times: number[] = [];
    return Promise.resolve({
      add: async (frame) => {
        const blob = await photographer.blob("image/webp", WEBP_QUALITY);
        if (blob.type !== "image/webp") throw new Error("this browser cannot make WebP");
        pictures.push(new Uint8Array(await blob.arrayBuffer()));
        times.push(Math.round(((frame + 1) * 1000) / rate) - Math.round((frame * 1000) / rate));
      },
      finish: () => writeWebp({ width, height }, pictures, times),
    });
  },
};

/** Takes the picture of a frame: the clip at its time, or the camera on its way round. */
function cameraman(studio: Studio, view: Viewport, photographer: Photographer, options: FilmOptions) {
  const { subject, from, to, rate, framing, width, height } = options;
  const turns = subject === "turntable";
  const count = pictureCount(options);
  const clip = (frame: number) => Math.min(from + frame / rate, to);
  const pose = (frame: number) => {
    if (!turns) studio.playback.seek(clip(frame));
    view.prepare();
  };
  pose(0);
  const start = view.rootPosition();
  /** How far the camera has to go to follow. */
  const followed = () =>
    studio.view.follow && !turns ? view.rootPosition().sub(start).setY(0) : start.clone().set(0, 0, 0);
  const seen = Array.from({ length: turns || framing === "view" ? 1 : FRAMED }, (_, i) => {
    pose(Math.floor((i * count) / FRAMED));
    const shift = followed();
    return view.points().map((point) => point.sub(shift));
  });
  const shot = new Shot(view.scene.eye, width / height, framing, seen.flat(), turns);
  return (frame: number) => {
    pose(frame);
    photographer.take(shot.at(turns ? (2 * Math.PI * frame) / count : 0, followed()), options);
  };
}

/** Remembers how all characters are; the answer brings it back. */
function keep(studio: Studio): () => void {
  studio.playback.pause();
  const states: [Character, Snapshot][] = studio.characters.map((character) => [character, character.snapshot()]);
  return () =>
    studio.bus.together(() => {
      for (const [character, state] of states) character.restore(state);
    });
}

/** Lets the page draw and hear what is pressed. */
function pageTurns(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
