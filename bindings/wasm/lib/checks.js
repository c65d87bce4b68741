// SPDX-License-Identifier: Apache-2.0

// What callers hand in, checked: a mistake throws with a sentence.

const encoder = new TextEncoder();

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

/** The index of a word in a list. */
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
  if (out.length < count)
    throw new RangeError(`${what} needs room for ${count} numbers; there is room for ${out.length}`);
  return out;
}
