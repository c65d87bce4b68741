// SPDX-License-Identifier: Apache-2.0

// Animated WebP (RFC 9649): still pictures, as the browser packs them, one after the other.
import { Bytes, latin, little } from "./bytes.js";

const ANIMATION = 0x02;
const ALPHA = 0x10;

interface Chunk {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** `pictures` are whole WebP files of one size; `milliseconds` is how long each is shown. It loops for ever. */
export function writeWebp(
  size: { width: number; height: number },
  pictures: readonly Uint8Array[],
  milliseconds: readonly number[],
): Uint8Array {
  const frames = pictures.map((picture) => chunksOf(picture).filter(({ name }) => /^(ALPH|VP8 |VP8L)$/.test(name)));
  const clear = frames.some((chunks) => chunks.some(({ name }) => name !== "VP8 "));
  const [width, height] = [little(size.width - 1, 3), little(size.height - 1, 3)];
  const body = new Bytes().add("WEBP");
  body.add(chunk("VP8X", Uint8Array.of(ANIMATION | (clear ? ALPHA : 0), 0, 0, 0), width, height));
  body.add(chunk("ANIM", new Uint8Array(4), little(0, 2)));
  frames.forEach((chunks, i) => {
    const head = new Bytes().add(new Uint8Array(6), width, height, little(milliseconds[i] ?? 0, 3));
    head.add([2]); // in the place of what was there, not over it
    body.add(chunk("ANMF", head.joined(), ...chunks.map(({ name, bytes }) => chunk(name, bytes))));
  });
  return chunk("RIFF", body.joined());
}

/** What a WebP file consists of. */
export function chunksOf(file: Uint8Array): Chunk[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const out: Chunk[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const size = view.getUint32(at + 4, true);
    const name = String.fromCharCode(...file.subarray(at, at + 4));
    out.push({ name, bytes: file.subarray(at + 8, at + 8 + size) });
    at += 8 + size + (size % 2);
  }
  return out;
}

function chunk(name: string, ...content: Uint8Array[]): Uint8Array {
  const size = content.reduce((sum, { length }) => sum + length, 0);
  return new Bytes().add(latin(name), little(size, 4), ...content, new Uint8Array(size % 2)).joined();
}
