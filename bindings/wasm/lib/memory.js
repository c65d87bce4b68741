// SPDX-License-Identifier: Apache-2.0

// The engine's memory: numbers in and out, and objects that live there.
//
// Views die when the memory grows, so none is ever handed out: each is made or checked at the moment
// of use, and what leaves this folder is a copy.

import { toBytes } from "./checks.js";
import { makeCalls, readDiagnostic } from "./protocol.js";

const decoder = new TextDecoder();

export const POSE_STRIDE = 10;

export class Memory {
  #f64 = new Float64Array(0);
  #f32 = new Float32Array(0);

  /**
   * @param {WebAssembly.Instance} instance
   * @param progress whom the instance tells how far its calls are
   */
  constructor(instance, progress) {
    this.progress = progress;
    /** The functions of the module itself; `calls` are the same with their arguments checked. */
    this.exports = instance.exports;
    this.exports._initialize?.();
    this.calls = makeCalls(this);
  }

  get bytes() {
    return this.exports.memory.buffer.byteLength;
  }

  /** Where an object is, which must be one of this memory: in another the address means something else. */
  pointerOf(object) {
    if (object.memory_ !== this) throw new TypeError("the objects belong to different engines");
    return object.pointer_;
  }

  /** Numbers at an address of the memory: look at them at once. */
  f64(pointer, count) {
    if (this.#f64.buffer !== this.exports.memory.buffer) this.#f64 = new Float64Array(this.exports.memory.buffer);
    return this.#f64.subarray(pointer >>> 3, (pointer >>> 3) + count);
  }

  f32(pointer, count) {
    if (this.#f32.buffer !== this.exports.memory.buffer) this.#f32 = new Float32Array(this.exports.memory.buffer);
    return this.#f32.subarray(pointer >>> 2, (pointer >>> 2) + count);
  }

  u8(pointer, count) {
    return new Uint8Array(this.exports.memory.buffer, pointer, count);
  }

  /** Room for numbers that the next call reads. */
  room(count) {
    return this.f64(this.exports.inputRoom(8 * count), count);
  }

  /** The input after a call: what came back where it was. */
  back(count) {
    return this.f64(this.exports.inputData(), count);
  }

  /** Fills the input with numbers, one after the other. */
  send(numbers) {
    this.room(numbers.length).set(numbers);
  }

  /** Fills the input with the numbers that a writer of protocol.js makes of a request. */
  sendRequest(write, value, skeleton) {
    const numbers = [];
    write(numbers, value, skeleton);
    this.send(numbers);
  }

  /** Fills the input with pieces of bytes, one after the other; returns their sizes. */
  sendBytes(...pieces) {
    const arrays = pieces.map((piece) => toBytes(piece));
    const size = arrays.reduce((sum, array) => sum + array.length, 0);
    const pointer = this.exports.inputRoom(size);
    let at = pointer;
    for (const array of arrays) {
      this.u8(at, array.length).set(array);
      at += array.length;
    }
    return arrays.map((array) => array.length);
  }

  reply() {
    return new Reply(this.exports.memory.buffer, this.exports.replyData(), this.exports.replySize());
  }

  /** A reply that was kept, to be read before the next call: addresses in it are those of this memory. */
  replyOf(bytes) {
    this.sendBytes(bytes);
    return new Reply(this.exports.memory.buffer, this.exports.inputData(), bytes.length);
  }

  /** What `read` makes of the reply. */
  replied(read, into) {
    const value = read(this.reply(), into);
    this.exports.replyDone();
    return value;
  }

  /** The value that `read` makes of the reply, or its error where the call answered 0. */
  result(answer, read) {
    return answer
      ? { ok: true, value: this.replied((reply) => read(reply)) }
      : { ok: false, error: this.replied(readDiagnostic) };
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

  /** As many values as the reply says, each made by `read`. */
  list(read) {
    return Array.from({ length: this.number() }, () => read());
  }

  /** Numbers with their count before them: in `into` where it has the right length. */
  floats(into) {
    const count = this.number();
    const values = this.array(Float64Array, count);
    if (into?.length !== count) return values;
    into.set(values);
    return into;
  }

  /** A copy of bytes that are told by their address. */
  view() {
    const [pointer, size] = this.numbers(2);
    return new Uint8Array(this.#view.buffer, pointer, size).slice();
  }
}

const lost = new FinalizationRegistry(({ exports, free, pointer }) => exports[free](pointer));

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
    lost.register(this, { exports: memory.exports, free, pointer }, this);
  }

  /** For this folder alone. */
  get pointer_() {
    if (this.#pointer === 0) throw new TypeError(`the ${this.#what} was freed and cannot be used any more`);
    return this.#pointer;
  }

  free() {
    if (this.#pointer === 0) return;
    lost.unregister(this);
    this.memory_.exports[this.#free](this.#pointer);
    this.#pointer = 0;
  }
}
