// SPDX-License-Identifier: Apache-2.0

// WebM: a film of VP8 or VP9 pictures in a Matroska file (RFC 9559), which ends with where its key pictures are.
import { Bytes, big, latin, type FilmTrack, type Sample } from "./bytes.js";

const MILLISECOND = 1_000_000; // in the nanoseconds of TimestampScale
const LONGEST_CLUSTER = 30_000; // milliseconds: times within a cluster have 16 bits
const NAME = latin("ulna studio");

export function writeWebm(codec: "V_VP8" | "V_VP9", track: FilmTrack): Uint8Array {
  const duration = Math.round((track.samples.length / track.rate) * 1000);
  const info = element(
    0x1549a966,
    element(0x2ad7b1, unsigned(MILLISECOND)),
    element(0x4489, float(duration)),
    element(0x4d80, NAME),
    element(0x5741, NAME),
  );
  const video = element(0xe0, element(0xb0, unsigned(track.width)), element(0xba, unsigned(track.height)));
  const tracks = element(
    0x1654ae6b,
    element(
      0xae,
      element(0xd7, unsigned(1)),
      element(0x73c5, unsigned(1)),
      element(0x83, unsigned(1)),
      element(0x9c, unsigned(0)),
      element(0x23e383, unsigned(Math.round(1e9 / track.rate))),
      element(0x86, latin(codec)),
      video,
    ),
  );
  const body = new Bytes().add(info, tracks);
  const cues = new Bytes();
  for (const cluster of clustersOf(track.samples)) {
    const time = milliseconds(cluster[0]);
    const position = element(0xb7, element(0xf7, unsigned(1)), element(0xf1, unsigned(body.length)));
    cues.add(element(0xbb, element(0xb3, unsigned(time)), position));
    body.add(element(0x1f43b675, element(0xe7, unsigned(time)), ...cluster.map((each) => blockOf(each, time))));
  }
  body.add(element(0x1c53bb6b, cues.joined()));
  const header = element(
    0x1a45dfa3,
    element(0x4286, unsigned(1)),
    element(0x42f7, unsigned(1)),
    element(0x42f2, unsigned(4)),
    element(0x42f3, unsigned(8)),
    element(0x4282, latin("webm")),
    element(0x4287, unsigned(2)),
    element(0x4285, unsigned(2)),
  );
  return new Bytes().add(header, element(0x18538067, body.joined())).joined();
}

/** Each begins with a key picture, or where times would not fit any more. */
function clustersOf(samples: readonly Sample[]): Sample[][] {
  const out: Sample[][] = [];
  for (const sample of samples) {
    const last = out.at(-1);
    if (!last || sample.key || milliseconds(sample) - milliseconds(last[0]) > LONGEST_CLUSTER) out.push([sample]);
    else last.push(sample);
  }
  return out;
}

function blockOf(sample: Sample, cluster: number): Uint8Array {
  const head = [0x81, ...big(milliseconds(sample) - cluster, 2), sample.key ? 0x80 : 0];
  return element(0xa3, Uint8Array.from(head), sample.bytes);
}

function milliseconds(sample: Sample | undefined): number {
  return Math.round((sample?.time ?? 0) * 1000);
}

/** An element of EBML (RFC 8794): its number, its size in eight bytes, its content. */
function element(id: number, ...content: Uint8Array[]): Uint8Array {
  const size = content.reduce((sum, { length }) => sum + length, 0);
  const width = id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1;
  return new Bytes().add(big(id, width), [1], big(size, 7), ...content).joined();
}

function unsigned(value: number): Uint8Array {
  let size = 1;
  while (size < 7 && value >= 256 ** size) ++size;
  return big(value, size);
}

function float(value: number): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setFloat64(0, value);
  return out;
}
