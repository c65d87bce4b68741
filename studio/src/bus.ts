// SPDX-License-Identifier: Apache-2.0

// Who changed what: parts of the page listen for topics and look at the studio themselves.

export type Topic =
  | "characters" // opened, removed, or another is the active one
  | "selection" // the selected or hovered joint
  | "pose"
  | "goals" // pins, poles, locks, limits
  | "clip" // another clip, or its keys
  | "time" // the moment shown, playing or not
  | "tool" // what the pointer does, and the settings of brush and solver
  | "view" // what is drawn
  | "report" // of the last solve
  | "meshes" // tied to a character, or taken off it
  | "weights"
  | "history"
  | "messages"
  | "frame"; // after a frame was drawn

export type Tell = (...topics: Topic[]) => void;

export class Bus {
  readonly #listeners = new Map<Topic, (() => void)[]>();
  #held: Set<Topic> | null = null; // topics of what `together` runs

  on(topics: Topic | readonly Topic[], listener: () => void) {
    for (const topic of typeof topics === "string" ? [topics] : topics) {
      const list = this.#listeners.get(topic) ?? [];
      list.push(listener);
      this.#listeners.set(topic, list);
    }
  }

  off(topic: Topic, listener: () => void) {
    const others = (this.#listeners.get(topic) ?? []).filter((each) => each !== listener);
    this.#listeners.set(topic, others);
  }

  readonly emit: Tell = (...topics) => {
    if (this.#held) {
      for (const topic of topics) this.#held.add(topic);
      return;
    }
    // A listener of several topics hears once of what changed together.
    const heard = new Set<() => void>();
    for (const topic of topics) for (const listener of this.#listeners.get(topic) ?? []) heard.add(listener);
    for (const listener of heard) listener();
  };

  /** Whatever is emitted while `act` runs is heard once, when it is over. */
  together<T>(act: () => T): T {
    if (this.#held) return act();
    const held = (this.#held = new Set());
    try {
      return act();
    } finally {
      this.#held = null;
      this.emit(...held);
    }
  }
}
