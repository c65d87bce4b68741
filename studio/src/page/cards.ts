// SPDX-License-Identifier: Apache-2.0

// Errors and notes over the view. Errors stay until closed, notes go by themselves.
import { button, h, replace } from "../dom.js";
import type { Message } from "../messages.js";
import type { Studio } from "../studio.js";
import { t } from "../language.js";

const NOTE_SECONDS = 5;

export function makeCards(studio: Studio, host: HTMLElement) {
  const timed = new WeakSet<Message>();
  studio.bus.on("messages", () => {
    replace(host, ...studio.messages.map((message) => card(studio, message)));
    for (const message of studio.messages) {
      if (message.kind !== "note" || message.actions || timed.has(message)) continue;
      timed.add(message);
      setTimeout(() => studio.dismiss(message), NOTE_SECONDS * 1000);
    }
  });
}

function card(studio: Studio, message: Message): HTMLElement {
  return h(
    "div",
    { class: `card ${message.kind}`, role: message.kind === "error" ? "alert" : "status" },
    h(
      "header",
      {},
      h("strong", {}, message.title),
      button({ icon: "close", title: t("Close"), class: "button small" }, () => {
        studio.dismiss(message);
        // What had the focus is gone.
        document.querySelector<HTMLElement>(".card button, .canvas")?.focus({ preventScroll: true });
      }),
    ),
    message.location && h("code", { class: "location" }, message.location),
    message.what && h("p", {}, sentence(message.what)),
    message.text && h("pre", {}, message.text),
    message.advice && h("p", { class: "advice" }, sentence(message.advice)),
    message.actions &&
      h(
        "footer",
        {},
        ...message.actions.map(({ text, act }, i) =>
          button({ text, title: text, class: `button ${i === 0 ? "primary" : "text"}` }, () => {
            studio.dismiss(message);
            act();
          }),
        ),
      ),
  );
}

function sentence(text: string): string {
  return text === "" ? "" : text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");
}
