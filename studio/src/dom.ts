// SPDX-License-Identifier: Apache-2.0

// Elements without a framework.

type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | null | undefined;
/** Attributes by name; listeners by "on" and the name of the event. */
type Props = Readonly<Record<string, Value | ((event: never) => void)>>;

/** An element with attributes, listeners (`onclick` and the like) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (name === "class") element.className = String(value);
    else if (name === "value") (element as unknown as { value: string }).value = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const ICONS = {
  hand: "M8 12V5.5a1.5 1.5 0 0 1 3 0V11m0-6.5a1.5 1.5 0 0 1 3 0V11m0-5a1.5 1.5 0 0 1 3 0v8c0 4-2.5 6.5-6 6.5-3 0-4.5-1.5-6-4.5l-1.6-3.2a1.4 1.4 0 0 1 2.4-1.4L8 14",
  rings: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M4.5 14.5C7 17 17 17 19.5 14.5M12 4c-4 4-4 12 0 16",
  brush: "M19 4 10 13m-1 1c-2 0-3 1-3 3 0 1.5-1 2.5-2.5 2.5 1.5 1 6.5 1.5 7.5-2 .5-2-.5-3.5-2-3.5",
  undo: "M8 5 4 9l4 4M4 9h9a6 6 0 0 1 0 11h-3",
  redo: "m16 5 4 4-4 4m4-4h-9a6 6 0 0 0 0 11h3",
  reset: "M5 5v5h5M5.6 10a7.5 7.5 0 1 1-1 4.5",
  open: "M4 18V6.5h5l2 2.5h8V18z",
  save: "M12 4v10m-4-4 4 4 4-4M5 16v4h14v-4",
  globe: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M3.5 12h17M12 3.5c-5 5-5 12 0 17m0-17c5 5 5 12 0 17",
  theme: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  help: "M9.5 9.5a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.1.9-1.1 1.7m0 3v.1M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17",
  play: "M8 5.5v13l10-6.5z",
  pause: "M8.5 6v12m7-12v12",
  loop: "M17 3.5 20 6.5l-3 3M20 6.5H8a4 4 0 0 0-4 4v1m3 9-3-3 3-3m-3 3h12a4 4 0 0 0 4-4v-1",
  key: "m12 5 7 7-7 7-7-7zM12 9.5v5M9.5 12h5",
  unkey: "m12 5 7 7-7 7-7-7zM9.5 12h5",
  curve: "M4 18c4 0 5-12 8-12s4 12 8 12",
  pin: "M9 4h6l-.8 6 2.8 3H7l2.8-3zM12 13v7",
  panel: "M4 5.5h16v13H4zM14.5 5.5v13",
  close: "m6.5 6.5 11 11m0-11-11 11",
  frame: "M4 9V4h5m6 0h5v5m0 6v5h-5m-6 0H4v-5M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
  plane: "M5 19 9 9l6 4 4-8M5 19h.1M9 9h.1m5.9 4h.1",
  first: "M7 6v12M18 6l-8 6 8 6z",
};

export type IconName = keyof typeof ICONS;

/** A drawn sign of 24 by 24. */
export function icon(name: IconName): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export interface ButtonOptions {
  icon?: IconName;
  text?: string;
  title: string;
  class?: string;
  id?: string;
}

export function button(options: ButtonOptions, onclick: () => void): HTMLButtonElement {
  return h(
    "button",
    {
      type: "button",
      class: options.class ?? "button",
      title: options.title,
      id: options.id,
      onclick,
      "aria-label": options.text ? undefined : options.title,
    },
    options.icon && icon(options.icon),
    options.text && h("span", {}, options.text),
  );
}

/** A box to tick. */
export function toggle(label: string, title: string, get: () => boolean, set: (on: boolean) => void) {
  const input = h("input", { type: "checkbox" });
  input.checked = get();
  input.addEventListener("change", () => set(input.checked));
  const element = h("label", { class: "toggle", title }, input, h("span", { class: "knob" }), label);
  return { element, refresh: () => void (input.checked = get()) };
}

/** One of a few words, side by side: one stop for Tab, arrow keys choose. */
export function segment<T extends string>(
  name: string,
  choices: readonly { value: T; label: string; title: string; icon?: IconName }[],
  get: () => T,
  set: (value: T) => void,
) {
  const choose = (value: T) => {
    set(value);
    refresh();
  };
  const buttons = choices.map((choice) =>
    h(
      "button",
      {
        type: "button",
        class: "segment-item",
        title: choice.title,
        "data-value": choice.value,
        role: "radio",
        onclick: () => choose(choice.value),
      },
      choice.icon && icon(choice.icon),
      h("span", {}, choice.label),
    ),
  );
  const element = h("div", { class: "segment", role: "radiogroup", "aria-label": name }, ...buttons);
  element.addEventListener("keydown", (event) => {
    // Home and End go through the motion, as everywhere.
    const next = event.key.startsWith("Arrow") ? steppedTo(event, buttons) : null;
    const choice = choices[next ?? -1];
    if (!choice) return;
    event.preventDefault();
    choose(choice.value);
    buttons[next ?? 0]?.focus();
  });
  function refresh() {
    const chosen = choices.findIndex(({ value }) => value === get());
    buttons.forEach((item, i) => {
      item.classList.toggle("on", i === chosen);
      item.setAttribute("aria-checked", String(i === chosen));
      item.tabIndex = i === Math.max(chosen, 0) ? 0 : -1;
    });
  }
  refresh();
  return { element, refresh };
}

/** Which of some elements in a row an arrow key, Home or End leads to from the one that has the focus; null for others. */
export function steppedTo({ key }: KeyboardEvent, row: readonly HTMLElement[]): number | null {
  const at = row.findIndex((each) => each === document.activeElement);
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  if (step !== undefined) return (Math.max(at, step > 0 ? -1 : 0) + step + row.length) % row.length;
  return key === "Home" ? 0 : key === "End" ? row.length - 1 : null;
}

export function select<T extends string>(
  title: string,
  choices: () => readonly { value: T; label: string }[],
  get: () => T,
  set: (value: T) => void,
) {
  const element = h("select", { class: "select", title, "aria-label": title });
  element.addEventListener("change", () => set(element.value as T));
  let shown = "";
  function refresh() {
    const list = choices();
    const text = JSON.stringify(list);
    if (text !== shown) element.replaceChildren(...list.map((each) => h("option", { value: each.value }, each.label)));
    shown = text;
    element.value = get();
  }
  refresh();
  return { element, refresh };
}

/** A slider with its number beside it. */
export function slider(
  label: string,
  range: { min: number; max: number; step: number },
  get: () => number,
  set: (value: number) => void,
  show: (value: number) => string = String,
) {
  const input = h("input", { type: "range", "aria-label": label, ...range });
  const output = h("output", {});
  input.addEventListener("input", () => {
    set(Number(input.value));
    refresh();
  });
  function refresh() {
    input.value = String(get());
    output.textContent = show(get());
  }
  refresh();
  return { element: h("label", { class: "slider" }, h("span", {}, label), input, output), input, refresh };
}

export function replace(parent: Element, ...children: Child[]) {
  parent.replaceChildren(...(children.filter(Boolean) as (Node | string)[]));
}

/** The same function, called at most so often: at once, and again later where more was asked meanwhile. */
export function calm(act: () => void, milliseconds: number): () => void {
  let last = -Infinity;
  let timer = 0;
  return () => {
    if (timer) return;
    const wait = last + milliseconds - performance.now();
    const run = () => {
      timer = 0;
      last = performance.now();
      act();
    };
    if (wait <= 0) run();
    else timer = window.setTimeout(run, wait);
  };
}
