// SPDX-License-Identifier: Apache-2.0

// A group of settings: read freely, changed only by `set`, which tells.

export class Settings<T extends object> {
  #values: Readonly<T>;

  constructor(
    initial: T,
    private readonly changed: () => void,
  ) {
    this.#values = Object.freeze({ ...initial });
  }

  get values(): Readonly<T> {
    return this.#values;
  }

  /** Tells where one of the values is another than before. */
  set(changes: Partial<T>) {
    const before = this.#values;
    const after = { ...before, ...changes };
    if ((Object.keys(after) as (keyof T)[]).every((key) => after[key] === before[key])) return;
    this.#values = Object.freeze(after);
    this.changed();
  }
}
