// SPDX-License-Identifier: Apache-2.0

// The hands of a human body: a shape for each, or how far its fingers are curled and spread
// and its thumb is opposed.
import type { HandShape, HandState } from "@ulna/engine";
import { begin, perform, type Change } from "../commands/command.js";
import { holdHand, shapeHand, type HandSide } from "../commands/hands.js";
import type { Character } from "../character.js";
import { calm, h, replace, select, slider } from "../dom.js";
import type { Studio } from "../studio.js";
import { handPicture } from "./hand_picture.js";
import { section } from "./panel.js";
import { HAND_WORDS } from "../words.js";
import { t } from "../language.js";

const SHAPES: readonly HandShape[] = ["flat", "relaxed", "open", "grip", "fist", "point", "pinch"];
const [LEAST_CURL, LEAST_SPREAD] = [-0.2, -1]; // to 1 each

type HandNumbers = { curl: number; spread: number; oppose: number };

interface HandControls {
  readonly element: HTMLElement;
  show(state: HandState | null): void;
}

export function makeHandPanel(studio: Studio): HTMLElement {
  const sides = (["left", "right"] as const).map((side) => ({ side, controls: makeControls(studio, side) }));
  const element = section("Hands", false, ...sides.map(({ controls }) => controls.element));
  // Looked at while it is open alone: most of the time nobody poses fingers.
  const refresh = () => {
    const character = studio.active;
    if (!character || !element.open) return;
    for (const { side, controls } of sides) {
      const state = character.skeleton.hand(character.pose, side);
      controls.show(state.ok ? state.value : null);
    }
  };
  const rebuild = () => {
    const character = studio.active;
    element.hidden = !character || !sides.some(({ side }) => character.skeleton.hand(character.rest, side).ok);
    refresh();
  };
  element.addEventListener("toggle", refresh);
  // In a task of its own: to know the hands of a new body takes as long as to draw it.
  studio.bus.on("characters", () => setTimeout(rebuild));
  studio.bus.on(["pose", "time"], calm(refresh, 70));
  queueMicrotask(rebuild);
  return element;
}

/** One step of the history for each shape that is chosen, and for each time that a slider is held. */
function makeControls(studio: Studio, side: HandSide): HandControls {
  const title = side === "left" ? t("Left hand") : t("Right hand");
  let shown: HandState | null = null;
  // While a slider is held: limits may keep the hand from where it is.
  let held: HandNumbers | null = null;
  let change: Change | null = null;
  const now = (): HandNumbers =>
    held ?? { curl: shown?.curl ?? 0, spread: shown?.spread ?? 0, oppose: shown?.oppose ?? 0 };
  const set = (part: Partial<HandNumbers>) => {
    held = { ...now(), ...part };
    change ??= begin(studio, t("Pose hand"));
    if (change) holdHand(change.character, side, held);
  };
  const shape = select<HandShape | "">(
    title,
    () => [
      ...(shown?.shape ? [] : [{ value: "" as const, label: t("as posed") }]),
      ...SHAPES.map((value) => ({ value, label: HAND_WORDS[value] })),
    ],
    () => shown?.shape ?? "",
    (value) => {
      if (value !== "") perform(studio, shapeHand(side, value));
    },
  );
  const percent = (value: number) => `${Math.round(100 * value)}%`;
  const curl = slider(
    t("Curl"),
    { min: LEAST_CURL, max: 1, step: 0.01 },
    () => now().curl,
    (curl) => set({ curl }),
    percent,
  );
  const spread = slider(
    t("Spread"),
    { min: LEAST_SPREAD, max: 1, step: 0.01 },
    () => now().spread,
    (spread) => set({ spread }),
    percent,
  );
  const oppose = slider(
    t("Oppose"),
    { min: 0, max: 1, step: 0.01 },
    () => now().oppose,
    (oppose) => set({ oppose }),
    percent,
  );
  for (const { input } of [curl, spread, oppose]) {
    input.addEventListener("change", () => {
      change?.finish();
      change = held = null;
    });
  }
  const pictures = h("div", { class: "hand-shapes", role: "group", "aria-label": title });
  let drawnFor: Character | null = null;
  const draw = (character: Character) => {
    if (drawnFor === character) return;
    drawnFor = character;
    replace(
      pictures,
      ...SHAPES.map((value) => {
        const picture = handPicture(character, side, value);
        return (
          picture &&
          h(
            "button",
            {
              type: "button",
              title: HAND_WORDS[value],
              "aria-label": HAND_WORDS[value],
              onclick: () => perform(studio, shapeHand(side, value)),
            },
            picture,
          )
        );
      }),
    );
  };
  const element = h(
    "div",
    { class: "hand", "data-hand": side },
    h("div", { class: "row" }, h("span", { class: "label" }, title), shape.element),
    pictures,
    curl.element,
    spread.element,
    oppose.element,
  );
  return {
    element,
    show(state) {
      element.hidden = state === null;
      shown = state;
      if (state && studio.active) draw(studio.active);
      shape.refresh();
      curl.refresh();
      spread.refresh();
      oppose.refresh();
    },
  };
}
