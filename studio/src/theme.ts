// SPDX-License-Identifier: Apache-2.0

// The colours of the page, in one place: the style sheet has them as custom properties (`var(--goal)`), drawings
// ask for them by name. Light or dark is what the system says, until the switch says otherwise. Not remembered.

export const LIGHT = {
  stage: "#f1efe9", // behind the characters
  surface: "#fbfaf7", // bars and panels
  raised: "#ffffff", // what lies on them
  ink: "#1f2430",
  soft: "#5b6270",
  faint: "#656b78",
  line: "#dedbd2", // between what needs no line to be told apart
  edge: "#7d838e", // around what can be pressed or filled in
  hover: "#efece4",
  track: "#e4e8e6",
  accent: "#0d7f80",
  "on-accent": "#ffffff",
  goal: "#c9431d",
  "on-goal": "#ffffff",
  pin: "#9c6708",
  "on-pin": "#ffffff",
  caution: "#8a5a00", // words that warn
  bone: "#3c5a6b",
  skin: "#c9c3b8",
  error: "#b3261e",
  "axis-x": "#e5484d",
  "axis-y": "#2e8b45",
  "axis-z": "#3e7bfa",
  veil: "rgb(10 12 16 / 40%)", // over the page, behind a sheet
  shade: "rgb(0 0 0 / 14%)", // under what is raised a little
  shadow: "0 1px 2px rgb(31 36 48 / 8%), 0 8px 28px rgb(31 36 48 / 12%)",
} as const;

export type Token = keyof typeof LIGHT;
/** Tokens that are plain colours, as drawings need them. */
export type Colour = Exclude<Token, "veil" | "shade" | "shadow">;

export const DARK: Record<Token, string> = {
  ...LIGHT,
  stage: "#15181d",
  surface: "#1b1f26",
  raised: "#232831",
  ink: "#e9e7e1",
  soft: "#a8adb8",
  faint: "#949aa6",
  line: "#313742",
  edge: "#7b8391",
  hover: "#2a303a",
  track: "#28323a",
  accent: "#3cc0b6",
  "on-accent": "#08201f",
  goal: "#ff8159",
  "on-goal": "#2a0d04",
  pin: "#f0b84a",
  "on-pin": "#1f1503",
  caution: "#f0b84a",
  bone: "#9fc3d2",
  skin: "#a49e94",
  error: "#ff8a80",
  "axis-y": "#46a758",
  "axis-z": "#5b8ffb",
  shadow: "0 1px 2px rgb(0 0 0 / 40%), 0 10px 32px rgb(0 0 0 / 45%)",
};

export const AXES = ["axis-x", "axis-y", "axis-z"] as const;

/** What joints do has the same colour everywhere: in fields, rings and curves. */
export const MOVEMENT_COLOURS = { bend: "axis-x", side: "axis-y", twist: "axis-z" } as const;

/** The colour of a degree of freedom; slides have those of the axes, by their order. */
export function movementColour(movement: keyof typeof MOVEMENT_COLOURS | "slide", index: number): Colour {
  return movement === "slide" ? (AXES[index % 3] ?? AXES[0]) : MOVEMENT_COLOURS[movement];
}

/** From no weight to all of it: a dark blue, teal, yellow, red, told apart by brightness too. */
export const WEIGHT_COLOURS = ["#28335c", "#1f8a8c", "#f0d264", "#e2452f"] as const;

/** Of curves that are compared, in the order in which they are added: told apart on light and dark ground. */
export const CURVE_COLOURS = [
  ...["#0d8f87", "#d2542b", "#4d7df0", "#b5840f", "#a94fc9", "#3f9a4c", "#d6407a", "#7d838e", "#1f9fc4"],
] as const;

let tokens: Record<Token, string> = LIGHT;

/** A colour as it is now; ask again after a change of the theme. */
export function colour(name: Colour): string {
  return tokens[name];
}

export interface Theme {
  /** Light becomes dark, and dark light. */
  readonly toggle: () => void;
  /** Calls `changed` whenever the colours are others. */
  readonly onChange: (changed: () => void) => void;
}

/** Gives the page its colours. */
export function startTheme(): Theme {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const listeners: (() => void)[] = [];
  let chosen: boolean | null = null; // dark or not, by the switch
  const apply = () => {
    const dark = chosen ?? system.matches;
    tokens = dark ? DARK : LIGHT;
    const { style } = document.documentElement;
    style.colorScheme = dark ? "dark" : "light";
    for (const [name, value] of Object.entries(tokens)) style.setProperty(`--${name}`, value);
    for (const changed of listeners) changed();
  };
  apply();
  system.addEventListener("change", () => {
    if (chosen === null) apply();
  });
  return {
    toggle: () => {
      chosen = !(chosen ?? system.matches);
      apply();
    },
    onChange: (changed) => void listeners.push(changed),
  };
}
