// SPDX-License-Identifier: Apache-2.0

// What can be done to the active character and undone. A command has a name, as undo shows it, and changes the
// character by its setters; the history keeps how the character was before and after.
import type { Character } from "../character.js";
import { sameNumbers } from "../lists.js";
import type { Message } from "../messages.js";
import { sameSnapshot, type Snapshot } from "../snapshot.js";
import type { Studio } from "../studio.js";
import { keyPose } from "./keys.js";

export interface Command {
  readonly name: string;
  /** Changes the character, or answers why it cannot: then it stays as it was. */
  apply(character: Character, studio: Studio): Message | void;
}

/** Does a command as one step of the history. One that changes nothing leaves none. */
export function perform(studio: Studio, command: Command) {
  const change = begin(studio, command.name);
  if (!change) return;
  const refusal = studio.bus.together(() => command.apply(change.character, studio));
  if (!refusal) return change.finish();
  change.cancel();
  studio.tell(refusal);
}

/** A change that takes many frames, such as a drag. */
export interface Change {
  readonly character: Character;
  finish(): void; // as one step of the history; nothing changed leaves none
  cancel(): void; // as if it had never begun
}

/** Begins a change of the active character; null where there is none. */
export function begin(studio: Studio, name: string): Change | null {
  const character = studio.active;
  if (!character) return null;
  studio.traces.end();
  const before = character.snapshot();
  const go = (state: Snapshot) =>
    studio.bus.together(() => {
      character.restore(state);
      if (studio.active !== character) studio.activate(character);
    });
  const finish = () => {
    if (studio.keeping.autoKey && character.edited && !sameNumbers(before.pose, character.pose))
      studio.bus.together(() => keyPose(character));
    const after = character.snapshot();
    if (sameSnapshot(before, after)) return;
    studio.history.push({ name, owner: character, undo: () => go(before), redo: () => go(after) });
  };
  return { character, finish, cancel: () => go(before) };
}
