// SPDX-License-Identifier: Apache-2.0

// GIF (version 89a): a loop of at most 255 colours, which are chosen by median cut (Heckbert 1982) for all pictures
// together, so that what does not move does not flicker. In between colours are mixed by an ordered pattern (Bayer).
import { Bytes, latin, little } from "./bytes.js";

const BITS = 5; // of each of red, green and blue, by which colours are counted
const LEVELS = 1 << BITS;
const CLEAR = 255; // the index of what is seen through
const MOST_COLOURS = 255;
const HALF = 128; // alpha from which on a pixel is opaque
const LARGEST_CODE = 4096;

// By how much of a step between colours each pixel of four by four is moved, in sixteenths from -8 to 7.
const PATTERN = [-8, 0, -6, 2, 4, -4, 6, -2, -5, 3, -7, 1, 7, -1, 5, -3];
const STEP = 10; // of 255: about what two neighbouring colours of a shaded body differ by

/** The colours of some pictures; of those in between, the nearest. */
export class Palette {
  readonly colours: Uint8Array; // red, green, blue of each
  readonly #nearest = new Int16Array(LEVELS ** 3).fill(-1);

  /** `pictures` are pixels of four bytes. */
  constructor(pictures: Iterable<Uint8ClampedArray>) {
    this.colours = chosen(countsOf(pictures));
  }

  /** The index of a colour; what is left of its low bits does not count. */
  find(red: number, green: number, blue: number): number {
    const bin = binOf(red, green, blue);
    const known = this.#nearest[bin] ?? -1;
    if (known >= 0) return known;
    let [best, least] = [0, Infinity];
    for (let i = 0; 3 * i < this.colours.length; ++i) {
      const [r, g, b] = [this.#difference(i, 0, red), this.#difference(i, 1, green), this.#difference(i, 2, blue)];
      // The eye tells greens apart best, blues least.
      const away = 3 * r * r + 6 * g * g + b * b;
      if (away < least) [best, least] = [i, away];
    }
    this.#nearest[bin] = best;
    return best;
  }

  #difference(index: number, channel: number, value: number): number {
    return (this.colours[3 * index + channel] ?? 0) - value;
  }
}

/** Pictures of one size, one after the other. */
export class GifWriter {
  readonly #out = new Bytes();

  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly palette: Palette,
  ) {
    const table = new Uint8Array(3 * 256);
    table.set(palette.colours);
    this.#out.add("GIF89a", little(width, 2), little(height, 2), [0xf7, CLEAR, 0], table);
    this.#out.add([0x21, 0xff, 11], "NETSCAPE2.0", [3, 1, 0, 0, 0]); // loops for ever
  }

  /** `hundredths` of a second is how long it is shown: GIF knows nothing finer. */
  add(pixels: Uint8ClampedArray, hundredths: number) {
    const indices = this.#indicesOf(pixels);
    // What was there is cleared first: pictures may have holes.
    this.#out.add([0x21, 0xf9, 4, (2 << 2) | 1], little(hundredths, 2), [CLEAR, 0]);
    this.#out.add([0x2c], new Uint8Array(4), little(this.width, 2), little(this.height, 2), [0, 8]);
    const packed = packLzw(indices);
    for (let at = 0; at < packed.length; at += 255) {
      const block = packed.subarray(at, at + 255);
      this.#out.add([block.length], block);
    }
    this.#out.add([0]);
  }

  finish(): Uint8Array {
    return this.#out.add(latin(";")).joined();
  }

  #indicesOf(pixels: Uint8ClampedArray): Uint8Array {
    const out = new Uint8Array(this.width * this.height);
    for (let i = 0; i < out.length; ++i) {
      if ((pixels[4 * i + 3] ?? 0) < HALF) {
        out[i] = CLEAR;
        continue;
      }
      const [x, y] = [i % this.width, Math.floor(i / this.width)];
      const by = ((PATTERN[(y & 3) * 4 + (x & 3)] ?? 0) * STEP) / 16;
      out[i] = this.palette.find(
        clamped((pixels[4 * i] ?? 0) + by),
        clamped((pixels[4 * i + 1] ?? 0) + by),
        clamped((pixels[4 * i + 2] ?? 0) + by),
      );
    }
    return out;
  }
}

/** How often GIF can show `rate` pictures a second: hundredths of each, that sum up without drift. */
export function hundredthsOf(frame: number, rate: number): number {
  return Math.round(((frame + 1) * 100) / rate) - Math.round((frame * 100) / rate);
}

function clamped(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

function binOf(red: number, green: number, blue: number): number {
  const shift = 8 - BITS;
  return ((red >> shift) << (2 * BITS)) | ((green >> shift) << BITS) | (blue >> shift);
}

interface Counts {
  readonly pixels: Uint32Array; // by bin
  readonly sums: Float64Array; // red, green, blue by bin
}

function countsOf(pictures: Iterable<Uint8ClampedArray>): Counts {
  const pixels = new Uint32Array(LEVELS ** 3);
  const sums = new Float64Array(3 * LEVELS ** 3);
  for (const picture of pictures) {
    for (let i = 0; i < picture.length; i += 4) {
      if ((picture[i + 3] ?? 0) < HALF) continue;
      const rgb = [picture[i] ?? 0, picture[i + 1] ?? 0, picture[i + 2] ?? 0] as const;
      const bin = binOf(...rgb);
      pixels[bin] = (pixels[bin] ?? 0) + 1;
      rgb.forEach((value, k) => (sums[3 * bin + k] = (sums[3 * bin + k] ?? 0) + value));
    }
  }
  return { pixels, sums };
}

/** Boxes of bins are halved where they are widest until there are enough; each gives its mean. */
function chosen({ pixels, sums }: Counts): Uint8Array {
  const count = (bin: number) => pixels[bin] ?? 0;
  const mean = (bin: number, k: number) => (sums[3 * bin + k] ?? 0) / Math.max(count(bin), 1);
  const boxes: number[][] = [[...pixels.keys()].filter((bin) => count(bin) > 0)];
  const worth = (box: readonly number[]) => {
    const { width } = widest(box, mean);
    // A wide box of few pixels matters less than a narrow one of many, but flat colours are not to fill the table.
    return width * Math.sqrt(box.reduce((sum, bin) => sum + count(bin), 0));
  };
  const worths = boxes.map(worth);
  while (boxes.length < MOST_COLOURS) {
    const best = worths.reduce((at, value, i) => (value > (worths[at] ?? 0) ? i : at), 0);
    const box = boxes[best];
    if (!box || (worths[best] ?? 0) <= 0) break;
    const { axis } = widest(box, mean);
    box.sort((a, b) => mean(a, axis) - mean(b, axis));
    const half = box.reduce((sum, bin) => sum + count(bin), 0) / 2;
    let [at, sum] = [0, 0];
    while (at < box.length - 1 && (at === 0 || sum < half)) sum += count(box[at++] ?? 0);
    const parts = [box.slice(0, at), box.slice(at)];
    boxes.splice(best, 1, ...parts);
    worths.splice(best, 1, ...parts.map(worth));
  }
  return Uint8Array.from(
    boxes
      .filter((box) => box.length > 0)
      .flatMap((box) => {
        const all = box.reduce((sum, bin) => sum + count(bin), 0);
        return [0, 1, 2].map((k) => Math.round(box.reduce((sum, bin) => sum + (sums[3 * bin + k] ?? 0), 0) / all));
      }),
  );
}

function widest(box: readonly number[], mean: (bin: number, k: number) => number): { axis: number; width: number } {
  let [axis, width] = [0, -1];
  for (const k of [0, 1, 2]) {
    let [low, high] = [Infinity, -Infinity];
    for (const bin of box) {
      const value = mean(bin, k);
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > width) [axis, width] = [k, high - low];
  }
  return { axis, width };
}

/** Lempel, Ziv and Welch, as GIF has it, for bytes. */
function packLzw(bytes: Uint8Array): Uint8Array {
  const [clear, end] = [256, 257];
  // Codes of a known run and one byte more: by (run, byte).
  const table = new Int16Array(LARGEST_CODE * 256);
  let out = new Uint8Array(bytes.length + 64);
  let [at, waiting, bits] = [0, 0, 0];
  let [size, next] = [9, end + 1];
  const put = (code: number) => {
    waiting |= code << bits;
    bits += size;
    while (bits >= 8) {
      if (at + 4 > out.length) {
        const more = new Uint8Array(2 * out.length);
        more.set(out);
        out = more;
      }
      out[at++] = waiting & 255;
      waiting >>>= 8;
      bits -= 8;
    }
  };
  put(clear);
  let run = bytes[0] ?? 0;
  for (let i = 1; i < bytes.length; ++i) {
    const byte = bytes[i] ?? 0;
    const known = table[run * 256 + byte] ?? 0;
    if (known > 0) {
      run = known;
      continue;
    }
    put(run);
    table[run * 256 + byte] = next;
    if (next === 1 << size && size < 12) ++size;
    if (++next === LARGEST_CODE) {
      put(clear);
      table.fill(0);
      [size, next] = [9, end + 1];
    }
    run = byte;
  }
  put(run);
  if (next === 1 << size && size < 12) ++size; // who reads it has one code more by now
  put(end);
  if (bits > 0) out[at++] = waiting & 255;
  return out.subarray(0, at);
}
