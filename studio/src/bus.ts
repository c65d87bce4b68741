// SPDX-License-Identifier: Apache-2.0

// Who changed what: parts of the page listen for topics and look at the studio themselves.

export type Topic =
  | "characters" // opened, removed, or another is the active one
  | "selection" // the selected or hovered joint
  | "pose"
  | "goals" // pins, poles, locks, limits
  | "clip" // another clip, or its keys
  | "time" // the moment shown, playing or not
  | "tool" // what the pointer does, and the solver's settings
  | "view" // what is drawn
  | "report" // of the last solve
  | "weights"
  | "history"
  | "messages"
  | "frame"; // after a frame was drawn

export class Bus {
  #listeners = new Map<Topic, (() => void)[]>();

  on(topics: Topic | readonly Topic[], listener: () => void) {
    for (const topic of typeof topics === "string" ? [topics] : topics) {
      const list = this.#listeners.get(topic) ?? [];
      list.push(listener);
      this.#listeners.set(topic, list);
    }
  }

  off(topic: Topic, listener: () => void) {
    this.#listeners.set(
      topic,
      (this.#listeners.get(topic) ?? []).filter((each) => each !== listener),
    );
  }

  emit(...topics: Topic[]) {
    // A listener of several topics hears once of what changed together.
    const heard = new Set<() => void>();
    for (const topic of topics) for (const listener of this.#listeners.get(topic) ?? []) heard.add(listener);
    for (const listener of heard) listener();
  }
}
