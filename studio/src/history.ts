// SPDX-License-Identifier: Apache-2.0

// Undo and redo.

/** What a command did, and how to take it back. */
export interface Step {
  readonly name: string; // of the command
  readonly owner: unknown; // what it changed
  undo(): void;
  redo(): void;
}

export const MOST_STEPS = 200;

export class History {
  #done: Step[] = [];
  #undone: Step[] = [];

  constructor(private readonly changed: () => void) {}

  /** The name of what undo would take back. */
  get undoName(): string | null {
    return this.#done.at(-1)?.name ?? null;
  }
  get redoName(): string | null {
    return this.#undone.at(-1)?.name ?? null;
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

  /** Drops the steps of what is no longer there. */
  forget(owners: readonly unknown[]) {
    const kept = ({ owner }: Step) => !owners.includes(owner);
    this.#done = this.#done.filter(kept);
    this.#undone = this.#undone.filter(kept);
    this.changed();
  }
}
