// SPDX-License-Identifier: Apache-2.0

// What the studio asks, in plain words.
import type { Arrival, ExportContent } from "../studio.js";
import { ask } from "./sheet.js";
import { listed, t } from "../language.js";

/** Where a file goes that brings a motion; once for each kind of file. */
export function askArrival({ file, character }: { file: string; character: string }): Promise<Arrival | null> {
  return ask<Arrival>({
    title: t("{file} has a motion", { file }),
    text: t("Where shall it go? Further files go the same way, until the panel Character says otherwise."),
    answers: [
      {
        value: "play",
        text: t("Play it on {character}", { character }),
        title: t("The character moves like the body in the file"),
      },
      { value: "beside", text: t("Open beside it"), title: t("Both are shown, side by side") },
      {
        value: "instead",
        text: t("Open instead"),
        title: t("The character that is there is closed; undo brings it back"),
      },
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
  const all = listed(characters);
  return ask<"beside" | "instead">({
    title: t("Open {file}", { file }),
    text: t("What you did with {all} is not saved. Shall {file} be shown beside it, or instead?", { all, file }),
    answers: [
      { value: "beside", text: t("Open beside it"), title: t("Both are shown, side by side") },
      { value: "instead", text: t("Open instead"), title: t("What is there is closed; undo brings it back") },
    ],
  });
}

/** What an exported file holds. */
export function askExport({ clip }: { clip: string }): Promise<ExportContent | null> {
  return ask<ExportContent>({
    title: t("What shall be exported?"),
    text: t("Further exports hold the same, until the panel Files says otherwise."),
    answers: [
      { value: "both", text: t("Both"), title: t("The pose on screen as a motion of one moment, and the motion") },
      { value: "pose", text: t("The pose on screen"), title: t("The character stands as it is shown now") },
      { value: "motion", text: t("The motion {clip}", { clip }), title: t("The motion as it plays") },
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
    title: t("Your work is still here"),
    text: t("The studio was closed {when} before {names} was saved.", { when, names: listed(names) }),
    answers: [
      { value: "open", text: t("Open it"), title: t("Go on where you were") },
      { value: "discard", text: t("Throw it away"), title: t("It is deleted from this browser") },
    ],
  });
}
