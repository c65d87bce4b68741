// SPDX-License-Identifier: Apache-2.0

// Just enough PNG to look at a screenshot: eight bits a channel, not interlaced.
import { inflateSync } from "node:zlib";

export function decodePng(bytes) {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[bytes[25]];
  const pieces = [];
  for (let at = 8; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT") pieces.push(bytes.subarray(at + 8, at + 8 + size));
    at += 12 + size;
  }
  const raw = inflateSync(Buffer.concat(pieces));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? pixels[y * stride + x - channels] : 0;
      const up = y > 0 ? pixels[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[y * stride + x] = (raw[y * (stride + 1) + 1 + x] + guess) & 255;
    }
  }
  return { width, height, channels, pixels };
}

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** Where two pictures of one size differ clearly: how many pixels, and the box about them, in pixels of the picture. */
export function difference(a, b, { least = 12, within = EVERYWHERE } = {}) {
  return marked(a, within, (i) => [0, 1, 2].some((k) => Math.abs(a.pixels[i + k] - b.pixels[i + k]) > least));
}

/** The box about what is drawn of a body: what is far from the colour of the upper left corner, as a grid is not. */
export function drawnBox(picture) {
  const { pixels } = picture;
  return marked(picture, EVERYWHERE, (i) => [0, 1, 2].some((k) => Math.abs(pixels[i + k] - pixels[k]) > 70));
}

const EVERYWHERE = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };

function marked({ width, channels, pixels }, within, isMarked) {
  const box = { count: 0, left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (let i = 0; i < pixels.length; i += channels) {
    if (!isMarked(i)) continue;
    const [x, y] = [(i / channels) % width, Math.floor(i / channels / width)];
    if (x < within.left || x > within.right || y < within.top || y > within.bottom) continue;
    ++box.count;
    [box.left, box.right] = [Math.min(box.left, x), Math.max(box.right, x)];
    [box.top, box.bottom] = [Math.min(box.top, y), Math.max(box.bottom, y)];
  }
  return box;
}
