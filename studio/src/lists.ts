// SPDX-License-Identifier: Apache-2.0

// Access to what has to be there: a mistake is a sentence, and not an `undefined` that travels on.
import type { Vec3 } from "@ulna/engine";

/** The item at an index. */
export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`There is no item ${index} in a list of ${list.length}.`);
  return item;
}

/** Three numbers of a list that has three for each item. */
export function vec3At(numbers: ArrayLike<number>, item: number): Vec3 {
  return [itemAt(numbers, 3 * item), itemAt(numbers, 3 * item + 1), itemAt(numbers, 3 * item + 2)];
}

/** The value, where there is one; `what` is named in the sentence that is thrown where there is none. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value == null) throw new Error(`There is no ${what}.`);
  return value;
}

/** The value of a result that cannot fail by anything a user does. */
export function must<T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** Whether two lists of numbers are the same to nine digits. */
export function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; ++i) if (!(Math.abs(itemAt(a, i) - itemAt(b, i)) < 1e-9)) return false;
  return true;
}

export function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

export function sameEntries<K, V>(a: ReadonlyMap<K, V>, b: ReadonlyMap<K, V>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
