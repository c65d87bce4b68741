// SPDX-License-Identifier: Apache-2.0

// Bytes in a row, as containers of films have them.

export class Bytes {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(...parts: (Uint8Array | string | readonly number[])[]): this {
    for (const part of parts) {
      const bytes = typeof part === "string" ? latin(part) : part instanceof Uint8Array ? part : Uint8Array.from(part);
      this.#parts.push(bytes);
      this.#length += bytes.length;
    }
    return this;
  }

  joined(): Uint8Array {
    const out = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }
}

export function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** A whole number, its highest byte first. */
export function big(value: number, size: number): Uint8Array {
  const out = new Uint8Array(size);
  for (let i = size - 1; i >= 0; --i) {
    out[i] = value % 256;
    value = Math.floor(value / 256);
  }
  return out;
}

/** A whole number, its lowest byte first. */
export function little(value: number, size: number): Uint8Array {
  return big(value, size).reverse();
}

/** A picture of a film, packed by a codec. */
export interface Sample {
  readonly bytes: Uint8Array;
  readonly time: number; // seconds from the start of the film
  readonly key: boolean; // whether it is a picture of its own
}

/** What a container says of the pictures in it. */
export interface FilmTrack {
  readonly width: number;
  readonly height: number;
  readonly rate: number; // pictures a second
  readonly samples: readonly Sample[]; // in the order in which they are to be decoded
}
