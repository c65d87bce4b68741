// SPDX-License-Identifier: Apache-2.0

// What the page says: an error with its position in a file and advice, or a note.
import type { Diagnostic } from "@ulna/engine";

export interface Message {
  readonly kind: "error" | "note";
  readonly title: string;
  readonly location: string; // file:line:column, or a path inside; may be ""
  readonly what: string;
  readonly text: string; // the offending text; may be ""
  readonly advice: string;
  readonly offer?: Offer;
}

/** Something that a message offers to do, by a button. */
export interface Offer {
  readonly label: string;
  readonly act: () => void;
}

export function noteOf(title: string, what = ""): Message {
  return { kind: "note", title, location: "", what, text: "", advice: "" };
}

export function errorOf(title: string, what: string, { location = "", advice = "" } = {}): Message {
  return { kind: "error", title, location, what, text: "", advice };
}

/** What the engine has to say; `location` is for a diagnostic that names no file. */
export function messageOf(error: Diagnostic, title: string, location = ""): Message {
  const numbers = [error.line, error.column].filter((number) => number > 0);
  const named = [error.file, ...numbers].filter((each) => each !== "").join(":");
  const where = named + (error.path ? ` ${error.path}` : "");
  return {
    kind: "error",
    title,
    location: where || location,
    what: error.what,
    text: error.text,
    advice: error.advice,
  };
}
