// SPDX-License-Identifier: Apache-2.0

// Where a file goes that brings a motion: asked in plain words, once for each kind of file.
import { button, h } from "../dom.js";
import type { Arrival } from "../studio.js";

/** What is asked about: the names of the file and of the character that is there. */
export interface ArrivalQuestion {
  readonly file: string;
  readonly character: string;
}

/** Asks; null where nothing is chosen. */
export function askArrival({ file, character }: ArrivalQuestion): Promise<Arrival | null> {
  return new Promise((resolve) => {
    let chosen: Arrival | null = null;
    const choice = (value: Arrival, text: string, title: string, primary = false) =>
      button({ text, title, class: `button ${primary ? "primary" : "text"}` }, () => {
        chosen = value;
        sheet.close();
      });
    const sheet: HTMLDialogElement = h(
      "dialog",
      { class: "sheet question" },
      h(
        "header",
        {},
        h("h2", {}, `${file} has a motion`),
        button({ icon: "close", title: "Close", class: "button small" }, () => sheet.close()),
      ),
      h("p", {}, "The next files go the same way. The panel Character changes that."),
      h(
        "footer",
        {},
        choice("play", `Play it on ${character}`, "The character moves like the body in the file", true),
        choice("beside", "Open beside it", "Both are shown, side by side"),
        choice("instead", "Open instead", "The character that is there is closed"),
      ),
    );
    sheet.addEventListener("close", () => {
      sheet.remove();
      resolve(chosen);
    });
    document.body.append(sheet);
    sheet.showModal();
  });
}
