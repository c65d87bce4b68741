// SPDX-License-Identifier: Apache-2.0

// The engine's memory: numbers in and out, and objects that live there.
//
// Views die when the memory grows, so none is ever handed out: each is made or checked at the moment
// of use, and what leaves this folder is a copy.

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export const POSE_STRIDE = 10;

export class Memory {
  #f64 = new Float64Array(0);
  #f32 = new Float32Array(0);

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.calls = instance.exports;
    this.calls._initialize?.();
  }

  get bytes() {
    return this.calls.memory.buffer.byteLength;
  }

  /** Numbers at a place of the memory: look at them at once. */
  f64(pointer, count) {
    if (this.#f64.buffer !== this.calls.memory.buffer) this.#f64 = new Float64Array(this.calls.memory.buffer);
    return this.#f64.subarray(pointer >>> 3, (pointer >>> 3) + count);
  }

  f32(pointer, count) {
    if (this.#f32.buffer !== this.calls.memory.buffer) this.#f32 = new Float32Array(this.calls.memory.buffer);
    return this.#f32.subarray(pointer >>> 2, (pointer >>> 2) + count);
  }

  u8(pointer, count) {
    return new Uint8Array(this.calls.memory.buffer, pointer, count);
  }

  /** Room for numbers that the next call reads. */
  room(count) {
    return this.f64(this.calls.inputRoom(8 * count), count);
  }

  /** The input after a call: what came back in its place. */
  back(count) {
    return this.f64(this.calls.inputData(), count);
  }

  /** Fills the input with numbers, one after the other. */
  send(numbers) {
    this.room(numbers.length).set(numbers);
  }

  /** Fills the input with pieces of bytes, one after the other; returns their sizes. */
  sendBytes(...pieces) {
    const arrays = pieces.map((piece) => toBytes(piece));
    const size = arrays.reduce((sum, array) => sum + array.length, 0);
    const pointer = this.calls.inputRoom(size);
    let at = pointer;
    for (const array of arrays) {
      this.u8(at, array.length).set(array);
      at += array.length;
    }
    return arrays.map((array) => array.length);
  }

  reply() {
    return new Reply(this.calls.memory.buffer, this.calls.replyData(), this.calls.replySize());
  }

  /** The value that `read` makes of the reply, or its error where the call answered 0. */
  result(answer, read) {
    const reply = this.reply();
    const result = answer ? { ok: true, value: read(reply) } : { ok: false, error: reply.diagnostic() };
    this.calls.replyDone();
    return result;
  }
}

/** What a call answers beyond one number; read before the next call. */
class Reply {
  #view;
  #at = 0;

  constructor(buffer, pointer, size) {
    this.#view = new DataView(buffer, pointer, size);
  }

  get left() {
    return this.#view.byteLength - this.#at;
  }

  number() {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  flag() {
    return this.number() !== 0;
  }

  numbers(count) {
    return Array.from({ length: count }, () => this.number());
  }

  text() {
    return decoder.decode(this.bytes(this.number()));
  }

  /** A copy. */
  bytes(count = this.left) {
    const start = this.#view.byteOffset + this.#at;
    this.#at += count;
    return new Uint8Array(this.#view.buffer.slice(start, start + count));
  }

  array(Type, count = this.left / Type.BYTES_PER_ELEMENT) {
    return new Type(this.bytes(count * Type.BYTES_PER_ELEMENT).buffer);
  }

  diagnostic() {
    return {
      what: this.text(),
      file: this.text(),
      line: this.number(),
      column: this.number(),
      path: this.text(),
      text: this.text(),
      advice: this.text(),
      message: this.text(),
    };
  }

  warnings() {
    return Array.from({ length: this.number() }, () => this.diagnostic());
  }
}

const lost = new FinalizationRegistry(({ calls, free, pointer }) => calls[free](pointer));

/** An object of the engine's memory: freed once, by hand or when nobody holds it any more. */
export class Owned {
  #pointer;
  #free;
  #what;

  constructor(memory, pointer, free, what) {
    this.#pointer = pointer;
    this.#free = free;
    this.#what = what;
    Object.defineProperty(this, "memory_", { value: memory });
    lost.register(this, { calls: memory.calls, free, pointer }, this);
  }

  /** For this folder alone. */
  get pointer_() {
    if (this.#pointer === 0) throw new TypeError(`the ${this.#what} was freed and cannot be used any more`);
    return this.#pointer;
  }

  free() {
    if (this.#pointer === 0) return;
    lost.unregister(this);
    this.memory_.calls[this.#free](this.#pointer);
    this.#pointer = 0;
  }
}

export function toBytes(data) {
  if (typeof data === "string") return encoder.encode(data);
  if (data instanceof Uint8Array) return data;
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer || Object.prototype.toString.call(data) === "[object SharedArrayBuffer]")
    return new Uint8Array(data);
  throw new TypeError("bytes are an ArrayBuffer, a typed array or a string");
}

/** `count` numbers of any kind of array, none of them missing. */
export function numbersOf(values, count, what) {
  if (values == null || values.length < count) throw new RangeError(`${what} needs ${count} numbers`);
  const out = new Array(count);
  for (let i = 0; i < count; ++i) {
    out[i] = Number(values[i]);
    if (Number.isNaN(out[i])) throw new RangeError(`${what} needs ${count} numbers, and number ${i} is none`);
  }
  return out;
}

/** The place of a word in a list. */
export function choice(words, word, what) {
  const index = words.indexOf(word);
  if (index < 0) throw new RangeError(`${what} is one of ${words.join(", ")}, not '${word}'`);
  return index;
}

export function countOf(value, least, what) {
  if (!Number.isInteger(value) || value < least) throw new RangeError(`${what} is a whole number from ${least} on`);
  return value;
}

export function finite(value, what) {
  if (!Number.isFinite(value)) throw new RangeError(`${what} is a finite number`);
  return value;
}

/** An array to fill: the caller's, if it is long enough, or a new one. */
export function outArray(out, count, Type, what) {
  if (out === undefined) return new Type(count);
  if (out.length < count) throw new RangeError(`${what} needs room for ${count} numbers; there is room for ${out.length}`);
  return out;
}
