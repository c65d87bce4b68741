// SPDX-License-Identifier: Apache-2.0

// A reader of GIF, written down once more, to judge what the page writes.

export function decodeGif(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  if (String.fromCharCode(...bytes.subarray(0, 6)) !== "GIF89a") throw new Error("this is no GIF");
  const colours = 2 << (bytes[10] & 7);
  const table = bytes.subarray(13, 13 + 3 * colours);
  let at = 13 + 3 * colours;
  const blocks = () => {
    const out = [];
    while (bytes[at] !== 0) {
      out.push(...bytes.subarray(at + 1, at + 1 + bytes[at]));
      at += 1 + bytes[at];
    }
    ++at;
    return out;
  };
  const frames = [];
  let [loops, control] = [null, null];
  for (;;) {
    const kind = bytes[at++];
    if (kind === 0x3b) return { width, height, loops, frames, rest: bytes.length - at };
    if (kind === 0x21) {
      const label = bytes[at++];
      const data = blocks();
      if (label === 0xff) loops = data[12] | (data[13] << 8);
      if (label === 0xf9) control = { clear: data[0] & 1 ? data[3] : -1, hundredths: data[1] | (data[2] << 8) };
    } else if (kind === 0x2c) {
      at += 9;
      const least = bytes[at++];
      const indices = unpack(blocks(), least);
      if (indices.length !== width * height) throw new Error(`${indices.length} pixels`);
      const pixels = new Uint8Array(4 * indices.length);
      indices.forEach((index, i) => {
        if (index !== control.clear) pixels.set([...table.subarray(3 * index, 3 * index + 3), 255], 4 * i);
      });
      frames.push({ pixels, hundredths: control.hundredths });
    } else throw new Error(`a block of kind ${kind} at ${at}`);
  }
}

function unpack(bytes, least) {
  const [clear, end] = [1 << least, (1 << least) + 1];
  const out = [];
  let runs, size, before;
  const start = () => {
    runs = Array.from({ length: end + 1 }, (_, i) => [i]);
    [size, before] = [least + 1, null];
  };
  start();
  let [at, waiting, bits] = [0, 0, 0];
  for (;;) {
    while (bits < size) {
      if (at >= bytes.length) throw new Error("the codes end before their end");
      waiting |= bytes[at++] << bits;
      bits += 8;
    }
    const code = waiting & ((1 << size) - 1);
    waiting >>>= size;
    bits -= size;
    if (code === end) return out;
    if (code === clear) {
      start();
      continue;
    }
    const run = runs[code] ?? [...before, before[0]];
    for (const each of run) out.push(each);
    if (before && runs.length < 4096) runs.push([...before, run[0]]);
    if (runs.length === 1 << size && size < 12) ++size;
    before = run;
  }
}
