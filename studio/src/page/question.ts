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
    const choice = (value: Arrival, text: string, title: string, looks = "text") =>
      button({ text, title, class: `button ${looks}` }, () => {
        chosen = value;
        sheet.close();
      });
    const play = choice("play", `Play it on ${character}`, "The character moves like the body in the file", "primary");
    const sheet: HTMLDialogElement = h(
      "dialog",
      { class: "sheet question" },
      h(
        "header",
        {},
        h("h2", {}, `${file} has a motion`),
        button({ icon: "close", title: "Close", class: "button small" }, () => sheet.close()),
      ),
      h("p", {}, "Where shall it go? Further files go the same way, until the panel Character says otherwise."),
      h(
        "footer",
        {},
        play,
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
    play.focus();
  });
}
