// SPDX-License-Identifier: Apache-2.0

// The engine's own words as the page shows them.
import type { HandShape, Interpolation, Movement } from "@ulna/engine";
import { t } from "./language.js";

export const HAND_WORDS: Readonly<Record<HandShape, string>> = {
  flat: t("flat"),
  relaxed: t("relaxed"),
  open: t("open"),
  grip: t("grip"),
  fist: t("fist"),
  point: t("point"),
  pinch: t("pinch"),
};

export const INTERPOLATION_WORDS: Readonly<Record<Interpolation, string>> = {
  step: t("step"),
  linear: t("linear"),
  "catmull-rom": t("catmull-rom"),
  "uniform-catmull-rom": t("uniform-catmull-rom"),
  hermite: t("hermite"),
};

/** What a degree of freedom does. */
export const MOVEMENT_WORDS: Readonly<Record<Movement, string>> = {
  bend: t("Bend"),
  side: t("Side"),
  twist: t("Twist"),
  slide: t("Slide"),
};

/** What is left out of an FBX. */
export const LEFT_WORDS: Readonly<Record<string, string>> = {
  lights: t("lights"),
  cameras: t("cameras"),
  curves: t("curves"),
  "morph targets": t("morph targets"),
  images: t("images"),
};

/** What a joint is: "ball joint". */
export const JOINT_WORDS: Readonly<Record<string, string>> = {
  fixed: t("fixed"),
  hinge: t("hinge joint"),
  universal: t("universal joint"),
  ball: t("ball joint"),
  free: t("free joint"),
  prismatic: t("prismatic joint"),
};
