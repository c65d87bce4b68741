// SPDX-License-Identifier: Apache-2.0

// Undo and redo.

export interface Step {
  readonly label: string;
  readonly owner: unknown; // what it changes
  undo(): void;
  redo(): void;
}

const MOST_STEPS = 200;

export class History {
  #done: Step[] = [];
  #undone: Step[] = [];

  constructor(private readonly changed: () => void) {}

  get undoLabel(): string | null {
    return this.#done.at(-1)?.label ?? null;
  }
  get redoLabel(): string | null {
    return this.#undone.at(-1)?.label ?? null;
  }
  get size(): number {
    return this.#done.length;
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
