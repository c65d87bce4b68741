// SPDX-License-Identifier: Apache-2.0

// Large values under names: the same value always has the same name, and its bytes are made when they are asked for.
import type { Clip, Weights } from "@ulna/engine";

/** Bytes by name. */
export type ReadBlob = (name: string) => Uint8Array;

export class Blobs {
  readonly #names = new WeakMap<object, string>();
  readonly #bytes = new Map<string, () => Uint8Array>();
  #next = 0;

  /** `prefix` tells the names of one visit from those of another. */
  constructor(private readonly prefix: string) {}

  nameOfFile(bytes: ArrayBuffer): string {
    return this.#nameOf(bytes, () => new Uint8Array(bytes));
  }
  nameOfClip(clip: Clip): string {
    return this.#nameOf(clip, () => clip.bytes());
  }
  nameOfWeights(weights: Weights): string {
    return this.#nameOf(weights, () => bytesOfWeights(weights));
  }

  bytes(name: string): Uint8Array {
    const make = this.#bytes.get(name);
    if (!make) throw new Error(`There is no blob ${name}.`);
    return make();
  }

  /** After a clip was changed in place: it is another value from now on. */
  forgetClip(clip: Clip) {
    this.#names.delete(clip);
  }

  /** Lets go of all values but these. */
  keep(names: ReadonlySet<string>) {
    for (const name of this.#bytes.keys()) if (!names.has(name)) this.#bytes.delete(name);
  }

  #nameOf(value: object, make: () => Uint8Array): string {
    const known = this.#names.get(value);
    if (known !== undefined && this.#bytes.has(known)) return known;
    const name = known ?? `${this.prefix}-${this.#next++}`;
    this.#names.set(value, name);
    this.#bytes.set(name, make);
    return name;
  }
}

/** Weights as three arrays behind each other, with their lengths before them. */
export function bytesOfWeights({ first, joints, weights }: Weights): Uint8Array {
  const head = new Uint32Array([first.length, joints.length]);
  const pieces = [head, first, joints, weights].map(
    (each) => new Uint8Array(each.buffer, each.byteOffset, each.byteLength),
  );
  const out = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

export function weightsOfBytes(bytes: Uint8Array): Weights {
  const whole = bytes.slice().buffer; // at the start of a buffer of its own, as arrays of numbers need
  const [rows = 0, count = 0] = whole.byteLength >= 8 ? new Uint32Array(whole, 0, 2) : [];
  if (whole.byteLength !== 4 * (2 + rows + 2 * count)) throw new RangeError("these are not the bytes of weights");
  return {
    first: new Uint32Array(whole, 8, rows),
    joints: new Int32Array(whole, 4 * (2 + rows), count),
    weights: new Float32Array(whole, 4 * (2 + rows + count), count),
  };
}
