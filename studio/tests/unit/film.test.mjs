// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeGif } from "../gif.mjs";
import studio from "./load.mjs";

/** Pixels of four bytes, by a rule for each. */
function picture(width, height, rule) {
  const out = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) out.set(rule(x, y), 4 * (y * width + x));
  return out;
}

function gifOf(width, height, pictures, rate = 10) {
  const writer = new studio.GifWriter(width, height, new studio.Palette(pictures));
  pictures.forEach((each, i) => writer.add(each, studio.hundredthsOf(i, rate)));
  return decodeGif(writer.finish());
}

test("a GIF has the colours of its pictures, exactly where they are few and far apart", () => {
  const colours = [
    [16, 160, 240, 255],
    [240, 16, 16, 255],
    [8, 8, 8, 255],
    [0, 0, 0, 0],
  ];
  const [width, height] = [37, 23];
  const pictures = [0, 1, 2].map((shift) => picture(width, height, (x, y) => colours[((x >> 3) + y + shift) % 4]));
  const { frames, loops, rest, ...size } = gifOf(width, height, pictures);
  assert.deepEqual([size.width, size.height, frames.length, loops, rest], [width, height, 3, 0, 0]);
  frames.forEach(({ pixels }, i) => assert.deepEqual([...pixels], [...pictures[i]]));
});

test("a GIF of more colours than it can hold is near to each, and on average true", () => {
  const [width, height] = [128, 128];
  const shaded = picture(width, height, (x, y) => [2 * x, 2 * y, x + y, 255]);
  const [{ pixels }] = gifOf(width, height, [shaded]).frames;
  let [worst, sum] = [0, 0];
  for (let i = 0; i < pixels.length; ++i) {
    worst = Math.max(worst, Math.abs(pixels[i] - shaded[i]));
    sum += pixels[i] - shaded[i];
  }
  // 255 colours of a square of two colours' range are 16 apart, in bins of 8.
  assert.ok(worst <= 32, `${worst}`);
  assert.ok(Math.abs(sum / pixels.length) < 1.5, `${sum / pixels.length}`);
});

test("a GIF of noise, in which no run of pixels comes again, is read as it was written", () => {
  let seed = 1;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) >> 16;
  for (const [width, height] of [
    [1, 1],
    [90, 91],
    [200, 100],
  ]) {
    const noise = picture(width, height, () => [random() & 128, random() & 128, random() & 128, 255]);
    const [{ pixels }] = gifOf(width, height, [noise]).frames;
    assert.deepEqual([...pixels], [...noise]);
  }
});

test("a GIF ends well wherever its codes become longer", () => {
  let seed = 1;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) >> 16;
  const noise = picture(700, 1, () => [random() & 128, random() & 128, random() & 128, 255]);
  const palette = new studio.Palette([noise]);
  for (let width = 250; width < 700; ++width) {
    const row = noise.slice(0, 4 * width);
    const writer = new studio.GifWriter(width, 1, palette);
    writer.add(row, 10);
    const [{ pixels }] = decodeGif(writer.finish()).frames;
    assert.ok(Buffer.from(row).equals(Buffer.from(pixels)), `${width} pixels`);
  }
});

test("pictures of a GIF last as long in all as they should, whatever the rate", () => {
  for (const rate of [10, 12, 24, 30, 50]) {
    const sum = Array.from({ length: 5 * rate }, (_, i) => studio.hundredthsOf(i, rate)).reduce((a, b) => a + b);
    assert.equal(sum, 500, `${rate} a second`);
  }
});

const SAMPLES = [0, 1, 2, 3].map((i) => ({
  bytes: Uint8Array.of(i, 10 + i, 20 + i).subarray(0, 1 + (i % 3)),
  time: i / 25,
  key: i % 2 === 0,
}));
const TRACK = { width: 640, height: 360, rate: 25, samples: SAMPLES };

/** Elements of EBML: their numbers and contents. */
function elements(bytes) {
  const out = [];
  for (let at = 0; at < bytes.length; ) {
    const width = Math.clz32(bytes[at]) - 23;
    const id = bytes.subarray(at, at + width).reduce((sum, byte) => sum * 256 + byte, 0);
    at += width;
    const long = Math.clz32(bytes[at]) - 23;
    const first = bytes[at] & (0xff >> long);
    const size = bytes.subarray(at + 1, at + long).reduce((sum, byte) => sum * 256 + byte, first);
    at += long;
    out.push({ id, at, bytes: bytes.subarray(at, at + size) });
    at += size;
  }
  return out;
}
const number = (bytes) => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

test("a WebM file has its pictures in clusters, each where its cue says", () => {
  const file = studio.writeWebm("V_VP9", TRACK);
  const [header, segment] = elements(file);
  assert.deepEqual([header.id, segment.id], [0x1a45dfa3, 0x18538067]);
  assert.equal(segment.at + segment.bytes.length, file.length);
  const inside = elements(segment.bytes);
  const clusters = inside.filter(({ id }) => id === 0x1f43b675);
  assert.equal(clusters.length, 2); // one for each key
  const found = clusters.flatMap(({ bytes }) => {
    const [time, ...blocks] = elements(bytes);
    return blocks.map((block) => ({
      milliseconds: number(time.bytes) + new DataView(block.bytes.slice(1, 3).buffer).getInt16(0),
      key: block.bytes[3] === 0x80,
      bytes: [...block.bytes.subarray(4)],
    }));
  });
  assert.deepEqual(
    found,
    SAMPLES.map(({ bytes, time, key }) => ({ milliseconds: time * 1000, key, bytes: [...bytes] })),
  );
  const cues = elements(inside.at(-1).bytes).map(({ bytes }) => {
    const [time, position] = elements(bytes);
    return [number(time.bytes), number(elements(position.bytes)[1].bytes)];
  });
  assert.deepEqual(
    cues,
    clusters.map(({ at, bytes }) => [number(elements(bytes)[0].bytes), at - 12]),
  );
});

/** Boxes of an MP4 file; those that hold boxes are opened. */
function boxes(bytes, offset = 0) {
  const out = {};
  for (let at = 0; at < bytes.length; ) {
    const size = number(bytes.subarray(at, at + 4));
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const content = bytes.subarray(at + 8, at + size);
    const opens = ["moov", "trak", "mdia", "minf", "stbl"].includes(name);
    out[name] = opens ? boxes(content, offset + at + 8) : { at: offset + at + 8, bytes: content };
    at += size;
  }
  return out;
}
const words = ({ bytes }) =>
  Array.from({ length: bytes.length / 4 }, (_, i) => number(bytes.subarray(4 * i, 4 * i + 4)));

test("an MP4 file says where its pictures are before they come", () => {
  const file = studio.writeMp4(Uint8Array.of(1, 0x64, 0, 0x33), TRACK);
  const { ftyp, moov, mdat } = boxes(file);
  assert.ok(ftyp.at < mdat.at);
  const { stbl } = moov.trak.mdia.minf;
  const [, , ...sizes] = words({ bytes: stbl.stsz.bytes.subarray(4) });
  assert.deepEqual(
    sizes,
    SAMPLES.map(({ bytes }) => bytes.length),
  );
  let at = words(stbl.stco)[2];
  for (const { bytes } of SAMPLES) {
    assert.deepEqual([...file.subarray(at, at + bytes.length)], [...bytes]);
    at += bytes.length;
  }
  assert.equal(at, mdat.at + mdat.bytes.length);
  assert.deepEqual(words(stbl.stss).slice(2), [1, 3]);
  assert.deepEqual(words(stbl.stts), [0, 1, 4, 90_000 / 25]);
  assert.equal(stbl.ctts, undefined);
  assert.ok(stbl.stsd.bytes.length > 100);
});

test("pictures of an MP4 file that are decoded in another order say when they are shown", () => {
  const later = [0, 2, 1, 3].map((shown, i) => ({ ...SAMPLES[i], time: shown / 25 }));
  const { stbl } = boxes(studio.writeMp4(Uint8Array.of(1), { ...TRACK, samples: later })).moov.trak.mdia.minf;
  const [, count, ...pairs] = words(stbl.ctts);
  assert.equal(count, 4);
  const shown = later.map((_, i) => i * 3600 + pairs[2 * i + 1]);
  // All by one and the same time later than they should be, which no viewer sees.
  assert.deepEqual(
    shown.map((time) => time - shown[0]),
    [0, 2, 1, 3].map((place) => place * 3600),
  );
});

test("an animated WebP file has the chunks of its pictures, and says whether they are transparent", () => {
  const chunk = (name, ...bytes) => [
    ...Buffer.from(name),
    bytes.length,
    0,
    0,
    0,
    ...bytes,
    ...(bytes.length % 2 ? [0] : []),
  ];
  const still = (...chunks) => Uint8Array.from([...Buffer.from("RIFF\0\0\0\0WEBP"), ...chunks.flat()]);
  for (const [kind, alpha] of [
    ["VP8 ", 0],
    ["VP8L", 0x10],
  ]) {
    const pictures = [still(chunk(kind, 1, 2, 3)), still(chunk("VP8X", ...Array(10).fill(0)), chunk(kind, 4, 5))];
    const file = studio.writeWebp({ width: 300, height: 20 }, pictures, [40, 50]);
    assert.equal(number(file.slice(4, 8).reverse()), file.length - 8);
    const [extended, animation, ...frames] = studio.chunksOf(file);
    assert.equal(extended.bytes[0], 0x02 | alpha);
    assert.deepEqual([...extended.bytes.subarray(4)], [299 & 255, 1, 0, 19, 0, 0]);
    assert.equal(animation.name, "ANIM");
    assert.deepEqual(
      frames.map(({ bytes }) => [
        number(bytes.slice(12, 15).reverse()),
        String.fromCharCode(...bytes.subarray(16, 20)),
      ]),
      [
        [40, kind],
        [50, kind],
      ],
    );
  }
});
