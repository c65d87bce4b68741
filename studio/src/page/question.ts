// SPDX-License-Identifier: Apache-2.0

// What the studio asks, in plain words.
import type { Arrival, ExportContent } from "../studio.js";
import { ask } from "./sheet.js";

/** Where a file goes that brings a motion; once for each kind of file. */
export function askArrival({ file, character }: { file: string; character: string }): Promise<Arrival | null> {
  return ask<Arrival>({
    title: `${file} has a motion`,
    text: "Where shall it go? Further files go the same way, until the panel Character says otherwise.",
    answers: [
      {
        value: "play",
        text: `Play it on ${character}`,
        title: "The character moves like the body in the file",
      },
      { value: "beside", text: "Open beside it", title: "Both are shown, side by side" },
      { value: "instead", text: "Open instead", title: "The character that is there is closed; undo brings it back" },
    ],
  });
}

/** Where a file goes while there is work that was not saved. */
export function askPlace({
  file,
  characters,
}: {
  file: string;
  characters: readonly string[];
}): Promise<"beside" | "instead" | null> {
  const all = characters.join(" and ");
  return ask<"beside" | "instead">({
    title: `Open ${file}`,
    text: `What you did with ${all} is not saved. Shall ${file} be shown beside it, or instead?`,
    answers: [
      { value: "beside", text: "Open beside it", title: "Both are shown, side by side" },
      { value: "instead", text: "Open instead", title: "What is there is closed; undo brings it back" },
    ],
  });
}

/** What an exported file holds. */
export function askExport({ clip }: { clip: string }): Promise<ExportContent | null> {
  return ask<ExportContent>({
    title: "What shall be exported?",
    text: "Further exports hold the same, until the panel Files says otherwise.",
    answers: [
      { value: "both", text: "Both", title: "The pose on screen as a motion of one moment, and the motion" },
      { value: "pose", text: "The pose on screen", title: "The character stands as it is shown now" },
      { value: "motion", text: `The motion ${clip}`, title: "The motion as it plays" },
    ],
  });
}

/** Whether work that was found is to be opened. */
export function askRecovery({
  names,
  when,
}: {
  names: readonly string[];
  when: string;
}): Promise<"open" | "discard" | null> {
  return ask<"open" | "discard">({
    title: "Your work is still here",
    text: `The studio was closed ${when} before ${names.join(" and ")} was saved.`,
    answers: [
      { value: "open", text: "Open it", title: "Go on where you were" },
      { value: "discard", text: "Throw it away", title: "It is deleted from this browser" },
    ],
  });
}
