// SPDX-License-Identifier: Apache-2.0

// What the library advises, in words of the page: its own are for the command line too, and name options.

import { t } from "./language.js";

/** Advice that names an option, and what does the same here. */
const HERE: readonly (readonly [RegExp, string])[] = [
  [/--clip\b/, t("choose the clip in the timeline first")],
  [/--weights heat/, t("tie the surface anew: drop it without its weights")],
  [/--fps\b|--times\b/, t("keys on frames are kept exactly: drag them there")],
  [/ulna convert --scale|--scale\b/, t("another program can change the unit of the file")],
  [/--position-channels/, t("other programs may read the file otherwise")],
  [/--lenient/, t("mend the row in a text editor")],
  [/--up\b/, t("turn the model upright in the program that it comes from")],
  [/--spikes|ulna clip --trim/, t("key the pose around the jump on a layer")],
  [/--floor/, t("move the character onto the ground before it is exported there")],
  [/--map\b/, t("name its joints as other bodies do")],
  [/--missing-nan|--points|--method/, t("leave those vertices out of the file")],
];

const OPTION = /--[a-z]|'ulna /;

/** The text without options and commands: with what does the same in the page, or without that part. */
export function inPageWords(text: string): string {
  if (!OPTION.test(text)) return text;
  const own = text
    .replace(/ \([^()]*--[a-z][^()]*\)/g, "")
    .split("; ")
    .flatMap((part) => {
      if (!OPTION.test(part)) return [part];
      const here = HERE.find(([pattern]) => pattern.test(part));
      return here ? [here[1]] : [];
    });
  return [...new Set(own)].join("; ");
}
