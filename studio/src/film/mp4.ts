// SPDX-License-Identifier: Apache-2.0

// MP4: a film of H.264 pictures in the ISO base media file format (ISO/IEC 14496-12 and -15), with what a player has to
// know before the pictures, so that it can begin at once.
import { Bytes, big, latin, type FilmTrack } from "./bytes.js";

const SCALE = 90_000; // units of time in a second: whole for every usual rate
const IDENTITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].flatMap((value) => [...big(value, 4)]);
const NAME = latin("ulna studio");

/** `configuration` is an AVCDecoderConfigurationRecord, as the encoder describes its stream. */
export function writeMp4(configuration: Uint8Array, track: FilmTrack): Uint8Array {
  const head = box("ftyp", latin("isom"), big(0x200, 4), latin("isomiso2avc1mp41"));
  // Where the pictures begin depends on the size of what comes before, which does not depend on it.
  const size = movie(configuration, track, 0).length;
  const before = movie(configuration, track, head.length + size + 8);
  return new Bytes().add(head, before, box("mdat", ...track.samples.map(({ bytes }) => bytes))).joined();
}

function movie(configuration: Uint8Array, track: FilmTrack, start: number): Uint8Array {
  const each = Math.round(SCALE / track.rate);
  const duration = each * track.samples.length;
  const header = full(
    "mvhd",
    0,
    zeros(8),
    big(SCALE, 4),
    big(duration, 4),
    big(0x10000, 4),
    big(0x100, 2),
    zeros(10),
    Uint8Array.from(IDENTITY),
    zeros(24),
    big(2, 4),
  );
  const trackHeader = full(
    "tkhd",
    3, // enabled, and part of the presentation
    zeros(8),
    big(1, 4),
    zeros(4),
    big(duration, 4),
    zeros(16),
    Uint8Array.from(IDENTITY),
    big(track.width * 0x10000, 4),
    big(track.height * 0x10000, 4),
  );
  const media = box(
    "mdia",
    full("mdhd", 0, zeros(8), big(SCALE, 4), big(duration, 4), big(0x55c4, 2), zeros(2)),
    full("hdlr", 0, zeros(4), latin("vide"), zeros(12), NAME, zeros(1)),
    box(
      "minf",
      full("vmhd", 1, zeros(8)),
      box("dinf", full("dref", 0, big(1, 4), full("url ", 1))),
      box("stbl", ...samplesOf(configuration, track, each, start)),
    ),
  );
  return box("moov", header, box("trak", trackHeader, media));
}

function samplesOf(configuration: Uint8Array, track: FilmTrack, each: number, start: number): Uint8Array[] {
  const { samples, width, height } = track;
  const entry = box(
    "avc1",
    zeros(6),
    big(1, 2),
    zeros(16),
    big(width, 2),
    big(height, 2),
    big(0x480000, 4), // 72 dots an inch, both ways
    big(0x480000, 4),
    zeros(4),
    big(1, 2),
    zeros(32),
    big(24, 2),
    big(0xffff, 2),
    box("avcC", configuration),
  );
  const keys = samples.flatMap(({ key }, i) => (key ? [i + 1] : []));
  const list = (name: string, numbers: readonly number[]) =>
    full(name, 0, big(numbers.length, 4), ...numbers.map((value) => big(value, 4)));
  return [
    full("stsd", 0, big(1, 4), entry),
    full("stts", 0, big(1, 4), big(samples.length, 4), big(each, 4)),
    ...shownLater(track, each),
    list("stss", keys),
    full("stsc", 0, big(1, 4), big(1, 4), big(samples.length, 4), big(1, 4)),
    full("stsz", 0, big(0, 4), big(samples.length, 4), ...samples.map(({ bytes }) => big(bytes.length, 4))),
    list("stco", [start]),
  ];
}

/** How much later than it is decoded each picture is shown; nothing where the orders are the same. */
function shownLater({ samples, rate }: FilmTrack, each: number): Uint8Array[] {
  const shown = samples.map(({ time }, i) => Math.round(time * rate) - i);
  if (shown.every((later) => later === 0)) return [];
  const least = Math.min(...shown);
  return [
    full("ctts", 0, big(shown.length, 4), ...shown.flatMap((later) => [big(1, 4), big((later - least) * each, 4)])),
  ];
}

function box(name: string, ...content: Uint8Array[]): Uint8Array {
  const size = content.reduce((sum, { length }) => sum + length, 8);
  return new Bytes().add(big(size, 4), latin(name), ...content).joined();
}

/** A box with a version, which is 0, and flags. */
function full(name: string, flags: number, ...content: Uint8Array[]): Uint8Array {
  return box(name, big(flags, 4), ...content);
}

function zeros(count: number): Uint8Array {
  return new Uint8Array(count);
}
