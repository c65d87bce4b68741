// SPDX-License-Identifier: Apache-2.0

// Undo and redo.

/** What a command did, and how to take it back. */
export interface Step {
  readonly name: string; // of the command
  readonly owner: unknown; // what it changed
  readonly holds?: readonly unknown[]; // what else undo or redo brings back; must last as long as the step
  undo(): void;
  redo(): void;
}

export const MOST_STEPS = 200;

export class History {
  readonly #done: Step[] = [];
  #undone: Step[] = [];

  constructor(private readonly changed: () => void) {}

  /** The name of what undo would take back. */
  get undoName(): string | null {
    return this.#done.at(-1)?.name ?? null;
  }
  get redoName(): string | null {
    return this.#undone.at(-1)?.name ?? null;
  }
  /** The last step that was done, to tell later what was done since. */
  get last(): Step | null {
    return this.#done.at(-1) ?? null;
  }
  /** Whatever a step may bring back. */
  get held(): ReadonlySet<unknown> {
    return new Set([...this.#done, ...this.#undone].flatMap(({ owner, holds = [] }) => [owner, ...holds]));
  }

  push(step: Step) {
    this.#done.push(step);
    if (this.#done.length > MOST_STEPS) this.#done.shift();
    this.#undone = [];
    this.changed();
  }

  undo() {
    const step = this.#done.pop();
    if (!step) return;
    step.undo();
    this.#undone.push(step);
    this.changed();
  }

  redo() {
    const step = this.#undone.pop();
    if (!step) return;
    step.redo();
    this.#done.push(step);
    this.changed();
  }

  /** The steps by which all is other now than when `last` was the last one: done since, or taken back. */
  since(last: Step | null): readonly Step[] {
    const at = last === null ? -1 : this.#done.indexOf(last);
    if (last === null || at >= 0) return this.#done.slice(at + 1);
    const back = this.#undone.indexOf(last);
    return back >= 0 ? this.#undone.slice(back) : this.#done;
  }

  /** Drops the oldest step; says whether there was one. */
  dropOldest(): boolean {
    return this.#done.shift() !== undefined;
  }
}
