// SPDX-License-Identifier: Apache-2.0

// Films by the browser's own encoder (WebCodecs), which not every browser has, nor for every format.
import type { Sample } from "./bytes.js";
import { writeMp4 } from "./mp4.js";
import { writeWebm } from "./webm.js";

export type VideoFormat = "mp4" | "webm";

interface Codec {
  readonly format: VideoFormat;
  readonly name: string; // as WebCodecs calls it
  readonly container: "avc1" | "V_VP9" | "V_VP8";
}

// The best first. H.264: High or Baseline, level 5.1 for pictures of up to 4096 by 2304.
const CODECS: readonly Codec[] = [
  { format: "mp4", name: "avc1.640033", container: "avc1" },
  { format: "mp4", name: "avc1.42e033", container: "avc1" },
  { format: "webm", name: "vp09.00.51.08", container: "V_VP9" },
  { format: "webm", name: "vp8", container: "V_VP8" },
];
const KEY_SECONDS = 2; // between pictures of their own, to which a player can jump
const BITS = 0.11; // of a pixel

export interface VideoSize {
  readonly width: number;
  readonly height: number;
  readonly rate: number;
}

/** The codec that this browser has for a format; null where it has none. */
export async function codecFor(format: VideoFormat, size: VideoSize): Promise<string | null> {
  return (await find(format, size))?.name ?? null;
}

async function find(format: VideoFormat, size: VideoSize): Promise<Codec | null> {
  if (typeof VideoEncoder === "undefined") return null;
  for (const codec of CODECS.filter((each) => each.format === format)) {
    const { supported } = await VideoEncoder.isConfigSupported(configOf(codec, size)).catch(() => ({
      supported: false,
    }));
    if (supported) return codec;
  }
  return null;
}

/** Codecs halve colours both ways: sizes are even. */
function configOf(codec: Codec, { width, height, rate }: VideoSize): VideoEncoderConfig {
  return {
    codec: codec.name,
    width,
    height,
    framerate: rate,
    bitrate: Math.round(Math.max(width * height * rate * BITS, 500_000)),
    latencyMode: "quality",
    ...(codec.format === "mp4" ? { avc: { format: "avc" as const } } : {}),
  };
}

export class VideoWriter {
  readonly #samples: Sample[] = [];
  readonly #encoder: VideoEncoder;
  #configuration: Uint8Array | null = null;
  #error: Error | null = null;
  #count = 0;

  private constructor(
    private readonly codec: Codec,
    private readonly size: VideoSize,
  ) {
    this.#encoder = new VideoEncoder({
      output: (chunk, metadata) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        this.#samples.push({ bytes, time: chunk.timestamp / 1e6, key: chunk.type === "key" });
        const described = metadata?.decoderConfig?.description;
        if (described) this.#configuration = bytesOf(described);
      },
      error: (error) => (this.#error = error),
    });
    this.#encoder.configure(configOf(codec, size));
  }

  /** Null where this browser has no encoder for the format. */
  static async make(format: VideoFormat, size: VideoSize): Promise<VideoWriter | null> {
    const codec = await find(format, size);
    return codec && new VideoWriter(codec, size);
  }

  /** The next picture. */
  async add(picture: HTMLCanvasElement) {
    if (this.#error) throw this.#error;
    const { rate } = this.size;
    const timestamp = Math.round((this.#count * 1e6) / rate);
    const frame = new VideoFrame(picture, { timestamp, duration: Math.round(1e6 / rate), alpha: "discard" });
    this.#encoder.encode(frame, { keyFrame: this.#count % Math.round(KEY_SECONDS * rate) === 0 });
    frame.close();
    ++this.#count;
    // A slow encoder must not pile pictures up.
    while (this.#encoder.encodeQueueSize > 4) await new Promise((resolve) => setTimeout(resolve, 4));
  }

  async finish(): Promise<Uint8Array> {
    await this.#encoder.flush();
    if (this.#error) throw this.#error;
    this.close();
    const track = { ...this.size, samples: this.#samples };
    const { container } = this.codec;
    if (container !== "avc1") return writeWebm(container, track);
    if (!this.#configuration) throw new Error("the browser's encoder did not describe its film");
    return writeMp4(this.#configuration, track);
  }

  close() {
    if (this.#encoder.state !== "closed") this.#encoder.close();
  }
}

function bytesOf(source: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice()
    : new Uint8Array(source).slice();
}
