// SPDX-License-Identifier: Apache-2.0

// The selected joint: its numbers in degrees, and what holds it.
import { button, calm, h, replace, select, toggle } from "../dom.js";
import type { Change, Studio } from "../studio.js";
import { section } from "./panel.js";

const DEGREES = 180 / Math.PI;

export function makeJointPanel(studio: Studio): HTMLElement {
  const { bus } = studio;
  const picker = select<string>(
    "Joint",
    () => [
      { value: "-1", label: "none selected" },
      ...(studio.active?.skeleton.names ?? []).map((name, i) => ({ value: String(i), label: name })),
    ],
    () => String(studio.selected),
    (value) => studio.select(Number(value)),
  );
  picker.element.id = "joint";
  const about = h("p", { class: "about" });
  const fields = h("div", { class: "fields" });
  const holds = h("div", { class: "holds" });
  let shown: { joint: number; limits: string; fields: Field[] } | null = null;

  function rebuild() {
    const character = studio.active;
    picker.refresh();
    if (!character || studio.selected < 0) {
      shown = null;
      about.textContent = "Click a joint. Double-click pins it.";
      replace(fields);
      replace(holds);
      return;
    }
    const joint = character.stage.skeleton.joints[studio.selected]!;
    const parent = joint.parent >= 0 ? ` of ${character.skeleton.names[joint.parent]!}` : "";
    about.textContent = `${joint.endSite ? "end site" : joint.kind + (joint.kind === "fixed" ? "" : " joint")}${parent}`;
    if (shown?.joint !== joint.index || shown.limits !== character.limits) {
      const made = Array.from({ length: joint.dofCount }, (_, i) => makeField(studio, joint.firstDof + i));
      shown = { joint: joint.index, limits: character.limits, fields: made };
      replace(fields, ...made.map(({ element }) => element));
    }
    replace(holds, ...holdsOf(studio, joint.index));
    refreshValues();
  }

  function refreshValues() {
    const character = studio.active;
    if (!character || !shown) return;
    const dofs = character.stage.dofs(character.pose);
    for (const field of shown.fields) field.show(dofs[field.dof]!);
  }

  bus.on(["selection", "goals", "characters"], rebuild);
  bus.on(["pose", "time"], calm(refreshValues, 70));
  queueMicrotask(rebuild);
  return section("Joint", true, picker.element, about, fields, holds);
}

interface Field {
  readonly dof: number;
  readonly element: HTMLElement;
  show(value: number): void;
}

/** A slider and a number for one degree of freedom; one step of the history for each time it is held. */
function makeField(studio: Studio, index: number): Field {
  const character = studio.active!;
  const { name, isAngle, min, max } = character.stage.skeleton.dofs[index]!;
  const unit = isAngle ? DEGREES : 1;
  const reach = isAngle ? 180 : 2 * character.size;
  const [low, high] = [Number.isFinite(min) ? min * unit : -reach, Number.isFinite(max) ? max * unit : reach];
  const label = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : isAngle ? "angle" : "slide";
  const range = h("input", { type: "range", min: low, max: high, step: "any", "aria-label": name });
  const number = h("input", {
    type: "number",
    step: isAngle ? 1 : character.size / 100,
    "aria-label": `${name} in ${isAngle ? "degrees" : "units"}`,
  });
  let change: Change | null = null;
  const set = (value: number) => {
    if (!Number.isFinite(value)) return;
    change ??= studio.begin("Turn joint");
    studio.setDof(index, value / unit);
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
      ? `${name}: ${low.toFixed(0)} to ${high.toFixed(0)}${isAngle ? "°" : ""}`
      : `${name}: no limits`;
  return {
    dof: index,
    element: h("label", { class: "field", title }, h("span", {}, label), range, number, h("i", {}, isAngle ? "°" : "")),
    show(value) {
      range.value = String(value * unit);
      if (document.activeElement !== number) number.value = (value * unit).toFixed(isAngle ? 1 : 3);
    },
  };
}

function holdsOf(studio: Studio, joint: number): Node[] {
  const character = studio.active!;
  const pin = character.pins.get(joint);
  const boxes = [
    toggle(
      "Pin",
      "Hold this joint at its place (P, or double-click)",
      () => pin !== undefined,
      () => studio.togglePin(joint),
    ),
    pin &&
      toggle(
        "Orientation too",
        "Hold how it is turned as well",
        () => pin.turn !== null,
        () => studio.togglePinTurn(joint),
      ),
    toggle(
      "Lock",
      "The solver leaves this joint as it is (L)",
      () => character.locked.has(joint),
      () => studio.toggleLock(joint),
    ),
    studio.limbAround(joint) &&
      toggle(
        "Pole",
        "A handle that this limb bends towards",
        () => character.poles.has(joint),
        () => studio.togglePole(joint),
      ),
  ];
  return [
    h("div", { class: "toggles" }, ...boxes.map((box) => (box ? box.element : null))),
    button({ text: "Reset joint", title: "Back to the clip, or to rest", class: "button text" }, () =>
      studio.resetJoint(joint),
    ),
  ];
}
