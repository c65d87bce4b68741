// SPDX-License-Identifier: Apache-2.0

// What the page says, in the language of whoever looks at it. The English text is the message; other languages have a
// catalogue each, which is fetched when it is used, before anything else of the page begins.
//
// Messages are ICU's: {name} is a value, {count, plural, one {# key} other {# keys}} a choice by the language's own
// rules, with the number as the language writes it.

export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  ja: "日本語",
  zh: "中文",
} as const;
export type Language = keyof typeof LANGUAGES;

const CHOSEN = "ulna-language"; // in localStorage, where somebody chose one

/** Values by name; numbers are written as the language does, texts stay as they are. */
type Values = Readonly<Record<string, string | number>>;

/** The language of the page. */
export const language: Language = typeof document === "undefined" ? "en" : wanted();

let catalogue: Readonly<Record<string, string>> = {};
if (language !== "en") {
  try {
    catalogue = (await (await fetch(`language-${language}.json`)).json()) as Record<string, string>;
  } catch {
    // English then: better than no page.
  }
}
if (typeof document !== "undefined") document.documentElement.lang = language;

/** A message in the language of the page. Words that are no message, such as a name, stay as they are. */
export function t(message: string, values: Values = {}): string {
  return formatMessage(catalogue[message] ?? message, values);
}

/** Marks a message that is translated where it is shown, by `t`. */
export const m = (message: string): string => message;

/** A list as the language has it: "a, b and c". */
export function listed(items: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  return new Intl.ListFormat(language, { type }).format(items);
}

/** Remembers a language for the next visits. Throws where the browser remembers nothing. */
export function choose(next: Language) {
  localStorage.setItem(CHOSEN, next);
}

const PLURAL = /\{(\w+), plural,((?:\s*\w+ \{[^{}]*\})+)\s*\}/g;

/** A message with its values, by the rules of a language. */
export function formatMessage(message: string, values: Values, by: string = language): string {
  if (!message.includes("{")) return message;
  const [numbers, plurals] = rulesOf(by);
  const chosen = message.replace(PLURAL, (_, name: string, choices: string) => {
    const count = Number(values[name] ?? 0);
    const texts = new Map([...choices.matchAll(/(\w+) \{([^{}]*)\}/g)].map(([, word, text]) => [word, text]));
    const text = texts.get(plurals.select(count)) ?? texts.get("other") ?? "";
    return text.replaceAll("#", numbers.format(count));
  });
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? numbers.format(value) : value;
  });
}

const rules = new Map<string, readonly [Intl.NumberFormat, Intl.PluralRules]>();
function rulesOf(by: string) {
  const known = rules.get(by) ?? [new Intl.NumberFormat(by, { maximumFractionDigits: 2 }), new Intl.PluralRules(by)];
  rules.set(by, known);
  return known;
}

/** The one that was chosen, or the first of the browser's that there is. */
function wanted(): Language {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem(CHOSEN);
  } catch {
    // A browser that remembers nothing.
  }
  const known = (tag: string) => Object.keys(LANGUAGES).find((each) => tag.toLowerCase().split("-")[0] === each);
  const found = [chosen ?? "", ...navigator.languages].map(known).find((each) => each !== undefined);
  return (found ?? "en") as Language;
}
