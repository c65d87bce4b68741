// SPDX-License-Identifier: Apache-2.0

// The selected joint: its degrees of freedom, angles in degrees, and what holds it.
import type { Vec3 } from "@ulna/engine";
import type { Character } from "../character.js";
import { begin, perform, type Change, type Command } from "../commands/command.js";
import { moveJoint } from "../commands/goals.js";
import { toggleLock, togglePin, togglePinOrientation, togglePole } from "../commands/holds.js";
import { resetJoint } from "../commands/pose.js";
import { button, calm, h, replace, select, toggle } from "../dom.js";
import type { Studio } from "../studio.js";
import { movementColour } from "../theme.js";
import { section } from "./panel.js";
import { itemAt } from "../lists.js";
import { JOINT_WORDS, MOVEMENT_WORDS } from "../words.js";
import { t } from "../language.js";

const DEGREES = 180 / Math.PI;
const ORDER = ["slide", "bend", "side", "twist"];

export function makeJointPanel(studio: Studio): HTMLElement {
  const { bus } = studio;
  const picker = select<string>(
    t("Joint"),
    () => [
      { value: "-1", label: t("none selected") },
      ...(studio.active?.skeleton.names ?? []).map((name, i) => ({ value: String(i), label: name })),
    ],
    () => String(studio.selected),
    (value) => studio.select(Number(value)),
  );
  picker.element.id = "joint";
  picker.element.translate = false;
  const about = h("p", { class: "about" });
  const fields = h("div", { class: "fields" });
  const holds = h("div", { class: "holds" });
  const place = makePlace(studio);
  let shown: { joint: number; limits: string; fields: Field[] } | null = null;

  function rebuild() {
    const character = studio.active;
    picker.refresh();
    if (!character || studio.selected < 0) {
      shown = null;
      about.textContent = t("Click a joint to select it. Double-click it to pin it.");
      replace(fields);
      replace(holds);
      place.element.hidden = true;
      return;
    }
    const joint = itemAt(character.stage.skeleton.joints, studio.selected);
    const kind = joint.endSite ? t("end site") : (JOINT_WORDS[joint.kind] ?? joint.kind);
    const parent = joint.parent >= 0 ? itemAt(character.skeleton.names, joint.parent) : "";
    about.textContent = parent ? t("{kind} of {parent}", { kind, parent }) : kind;
    if (shown?.joint !== joint.index || shown.limits !== character.limits) {
      const made = Array.from({ length: joint.dofCount }, (_, i) => makeField(studio, character, joint.firstDof + i));
      shown = { joint: joint.index, limits: character.limits, fields: made };
      const order = (field: Field) => ORDER.indexOf(itemAt(character.stage.skeleton.dofs, field.dof).movement);
      replace(fields, ...made.sort((a, b) => order(a) - order(b)).map(({ element }) => element));
    }
    replace(holds, ...holdsOf(studio, character, joint.index));
    refreshValues();
  }

  function refreshValues() {
    const character = studio.active;
    if (!character || !shown) return;
    const dofs = character.stage.dofs(character.pose);
    for (const field of shown.fields) field.show(itemAt(dofs, field.dof));
    place.show(character.position(shown.joint), shown.joint);
  }

  bus.on(["selection", "goals", "characters"], rebuild);
  bus.on(["pose", "time"], calm(refreshValues, 70));
  queueMicrotask(rebuild);
  return section("Joint", true, picker.element, about, fields, place.element, holds);
}

/** Where the joint is in the model, as numbers that can be typed: the body follows as if it were dragged there. */
function makePlace(studio: Studio) {
  let joint = -1;
  const axes = ["x", "y", "z"] as const;
  const inputs = axes.map((axis) =>
    h("input", {
      type: "number",
      step: "any",
      class: "number",
      "aria-label": t("Position {axis}", { axis }),
      "data-axis": axis,
    }),
  );
  const go = () => {
    const target = inputs.map(({ valueAsNumber }) => valueAsNumber);
    const [x = NaN, y = NaN, z = NaN] = target;
    if (joint >= 0 && target.every(Number.isFinite)) perform(studio, moveJoint(joint, [x, y, z]));
  };
  for (const input of inputs) input.addEventListener("change", go);
  const element = h("div", { class: "row place" }, h("span", { class: "label" }, t("Position")), ...inputs);
  return {
    element,
    show(position: Vec3, of: number) {
      joint = of;
      element.hidden = false;
      inputs.forEach((input, i) => {
        // Not what somebody is typing.
        if (document.activeElement !== input) input.value = String(Number(itemAt(position, i).toPrecision(5)));
      });
    },
  };
}

interface Field {
  readonly dof: number;
  readonly element: HTMLElement;
  show(value: number): void;
}

/** A slider and a number for one degree of freedom; one step of the history for each time it is held. */
function makeField(studio: Studio, character: Character, index: number): Field {
  const { dofs } = character.stage.skeleton;
  const { name, isAngle, min, max, movement, joint } = itemAt(dofs, index);
  const unit = isAngle ? DEGREES : 1;
  const reach = isAngle ? 180 : 2 * character.size;
  const [low, high] = [Number.isFinite(min) ? min * unit : -reach, Number.isFinite(max) ? max * unit : reach];
  const before = dofs.slice(0, index).filter((each) => each.joint === joint);
  const again = before.filter((each) => each.movement === movement).length;
  const label = isAngle ? MOVEMENT_WORDS[movement] + (again > 0 ? ` ${again + 1}` : "") : "xyz".charAt(again);
  const swatch = h("i", { class: "swatch" });
  swatch.style.background = `var(--${movementColour(movement, again)})`;
  const range = h("input", { type: "range", min: low, max: high, step: "any", "aria-label": `${label}, ${name}` });
  const number = h("input", {
    type: "number",
    step: isAngle ? 1 : character.size / 100,
    "aria-label": isAngle
      ? t("{label}, {name} in degrees", { label, name })
      : t("{label}, {name} in units", { label, name }),
  });
  let change: Change | null = null;
  const set = (value: number) => {
    if (!Number.isFinite(value)) return;
    change ??= begin(studio, t("Rotate joint"));
    change?.character.setDof(index, value / unit);
  };
  const done = () => {
    change?.finish();
    change = null;
  };
  range.addEventListener("input", () => set(Number(range.value)));
  range.addEventListener("change", done);
  number.addEventListener("change", () => {
    set(Number(number.value));
    done();
  });
  const title =
    Number.isFinite(min) || Number.isFinite(max)
      ? t("{name}: {low} to {high}{value}", {
          name,
          low: low.toFixed(0),
          high: high.toFixed(0),
          value: isAngle ? "°" : "",
        })
      : t("{name}: no limits", { name });
  return {
    dof: index,
    element: h(
      "label",
      { class: "field", title },
      h("span", {}, swatch, label),
      range,
      number,
      h("i", {}, isAngle ? "°" : ""),
    ),
    show(value) {
      range.value = String(value * unit);
      if (document.activeElement !== number) number.value = (value * unit).toFixed(isAngle ? 1 : 3);
    },
  };
}

function holdsOf(studio: Studio, character: Character, joint: number): Node[] {
  const { pins, locked, poles } = character;
  const pin = pins.get(joint);
  const box = (label: string, title: string, on: boolean, command: () => Command) =>
    toggle(
      label,
      title,
      () => on,
      () => perform(studio, command()),
    ).element;
  const boxes = [
    box(t("Pin"), t("Hold this joint where it is (P, or double-click)"), pin !== undefined, () =>
      togglePin(character, joint),
    ),
    pin &&
      box(t("Orientation too"), t("Hold its orientation as well"), pin.orientation !== null, () =>
        togglePinOrientation(joint),
      ),
    box(t("Lock"), t("The solver leaves this joint as it is (L)"), locked.has(joint), () =>
      toggleLock(character, joint),
    ),
    character.skeleton.pole(character.pose, joint) &&
      box(t("Pole"), t("Show a handle that this limb bends towards"), poles.has(joint), () => togglePole(joint)),
  ];
  const reset = button(
    { text: t("Reset joint"), title: t("Return to the clip, or to the rest pose"), class: "button text" },
    () => perform(studio, resetJoint(joint)),
  );
  return [h("div", { class: "toggles" }, ...boxes), reset];
}
