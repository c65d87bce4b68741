// SPDX-License-Identifier: Apache-2.0

// A question over the page: a title, a sentence, and a button for each answer.
import { button, h } from "../dom.js";
import { t } from "../language.js";

export interface Answer<T> {
  readonly value: T;
  readonly text: string;
  readonly title: string;
}

export interface Question<T> {
  readonly title: string;
  readonly text: string;
  readonly answers: readonly Answer<T>[]; // the first is what most people want
}

/** Asks; null where nothing is chosen. */
export function ask<T>({ title, text, answers }: Question<T>): Promise<T | null> {
  return new Promise((resolve) => {
    let chosen: T | null = null;
    const buttons = answers.map((answer, i) =>
      button({ text: answer.text, title: answer.title, class: `button ${i === 0 ? "primary" : "text"}` }, () => {
        chosen = answer.value;
        sheet.close();
      }),
    );
    const sheet: HTMLDialogElement = h(
      "dialog",
      { class: "sheet question" },
      h(
        "header",
        {},
        h("h2", {}, title),
        button({ icon: "close", title: t("Close"), class: "button small" }, () => sheet.close()),
      ),
      h("p", {}, text),
      h("footer", {}, ...buttons),
    );
    sheet.addEventListener("close", () => {
      sheet.remove();
      resolve(chosen);
    });
    document.body.append(sheet);
    sheet.showModal();
    buttons[0]?.focus();
  });
}
