// SPDX-License-Identifier: Apache-2.0

// Angles of the selected joint over time, with keys that can be pulled up, down and along.
import type { Dof } from "@ulna/engine";
import { KeyEdit, keyTimesOf } from "../commands/keys.js";
import { h } from "../dom.js";
import { itemAt } from "../lists.js";
import type { Studio } from "../studio.js";
import { colour, movementColour } from "../theme.js";
import { MOVEMENT_WORDS } from "../words.js";
import { prepareCanvas } from "./canvas.js";
import { makeLegend } from "./curve_legend.js";
import type { TimeScale } from "./time_scale.js";
import { t } from "../language.js";

const REACH = 9;
const DEGREES = 180 / Math.PI;

const MOST_EXACT = 300; // keys in view; beyond these nobody sees a single one
const BEFORE = 1e-7; // seconds before a key: what a step was until then

interface Sample {
  readonly time: number;
  readonly values: Float64Array; // of all degrees of freedom
}

interface Dot {
  readonly time: number;
  readonly dof: number;
  readonly value: number;
  readonly x: number;
  readonly y: number;
}

export function makeCurves(studio: Studio, scale: TimeScale) {
  const canvas = h("canvas", {
    class: "curves",
    hidden: true,
    role: "img",
    "aria-label": t("Curves of the selected joint"),
  });
  const legend = makeLegend();
  let pointed: number | null = null; // the time under the pointer
  let dots: Dot[] = [];
  let span = { low: -90, high: 90 }; // degrees, or units of length
  let held: { dot: Dot; edit: KeyEdit; startX: number; startY: number } | null = null;

  function draw() {
    legend.show([], 0);
    if (canvas.hidden) return;
    const paint = prepareCanvas(canvas);
    if (!paint) return;
    const { context, width, height } = paint;
    dots = [];
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = colour("faint");
    const character = studio.active;
    const clip = character?.clip;
    if (!character || !clip || studio.selected < 0) {
      context.fillText(
        clip ? t("Select a joint to see its curves.") : t("There is no motion yet: K sets a key."),
        14,
        22,
      );
      return;
    }
    const joint = itemAt(character.stage.skeleton.joints, studio.selected);
    if (joint.dofCount === 0) return context.fillText(t("{name} does not move.", { name: joint.name }), 14, 22);
    const { dofs } = character.stage.skeleton;
    const shown = dofsShown(dofs, joint.firstDof, joint.dofCount);
    const count = Math.max(2, Math.min(400, Math.floor(width / 2)));
    const to = Math.min(scale.to, Math.max(clip.duration, scale.from + 1e-3));
    const times = keyTimesOf(clip, joint.index).filter((time) => time >= scale.from && time <= to);
    const steady = clip.dofCurves(joint.index, scale.from, to, count, character.stage);
    const unit = unitOf(itemAt(dofs, joint.firstDof + itemAt(shown, 0)));
    const samples: Sample[] = Array.from({ length: count }, (_, i) => ({
      time: scale.from + ((to - scale.from) * i) / (count - 1),
      values: steady.subarray(i * joint.dofCount, (i + 1) * joint.dofCount),
    }));
    // A curve is where its keys are, and what jumps there jumps.
    const { stage } = character;
    const atKeys = Array.from(times.length <= MOST_EXACT ? times : [], (time) => ({
      time,
      values: clip.dofCurves(joint.index, time, time, 1, stage),
    }));
    for (const at of atKeys) {
      const time = at.time - BEFORE;
      samples.push({ time, values: clip.dofCurves(joint.index, time, time, 1, stage) }, at);
    }
    samples.sort((a, b) => a.time - b.time);
    for (const [i, sample] of samples.entries())
      if (i > 0) unwind(itemAt(samples, i - 1).values, sample.values, dofs, joint.firstDof);
    if (!held) span = spanOf(shown, samples, unit);
    const y = (v: number) => 8 + ((height - 16) * (span.high - v)) / (span.high - span.low);
    context.strokeStyle = colour("line");
    for (const level of [span.low, 0, span.high]) {
      if (level < span.low || level > span.high) continue;
      context.beginPath();
      context.moveTo(0, y(level));
      context.lineTo(width, y(level));
      context.stroke();
      context.fillText(`${level.toFixed(unit === 1 ? 2 : 0)}${unit === 1 ? "" : "°"}`, 4, y(level) - 2);
    }
    shown.forEach((k, index) => {
      const tint = colour(movementColour(itemAt(dofs, joint.firstDof + k).movement, index));
      context.strokeStyle = tint;
      context.lineWidth = 1.5;
      context.beginPath();
      // The first line of a path begins it.
      for (const { time, values } of samples) context.lineTo(scale.x(time), y(itemAt(values, k) * unit));
      context.stroke();
      context.fillStyle = tint;
      for (const { time, values } of atKeys) {
        const v = itemAt(values, k);
        const dot = { time, dof: joint.firstDof + k, value: v, x: scale.x(time), y: y(v * unit) };
        dots.push(dot);
        context.beginPath();
        context.arc(dot.x, dot.y, times.length > width / 8 ? 2 : 4, 0, 2 * Math.PI);
        context.fill();
      }
    });
    context.fillStyle = colour("accent");
    context.fillRect(scale.x(character.time) - 0.5, 0, 1, height);
    const moment = pointed === null || held ? character.time : Math.min(pointed, clip.duration);
    if (moment !== character.time) {
      context.fillStyle = colour("faint");
      context.fillRect(scale.x(moment) - 0.5, 0, 1, height);
    }
    const values = clip.dofCurves(joint.index, moment, moment, 1, stage);
    legend.show(
      shown.map((k, index) => {
        const { movement, isAngle } = itemAt(dofs, joint.firstDof + k);
        const tint = colour(movementColour(movement, index));
        const name = isAngle ? MOVEMENT_WORDS[movement] : "xyz".charAt(index);
        return { name, colour: tint, value: itemAt(values, k) * unit, unit: isAngle ? "°" : "" };
      }),
      moment,
    );
  }

  function frameAt(x: number): number {
    const time = scale.clamp(scale.time(x));
    return studio.active?.frameAt(time) ?? time;
  }

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    studio.playback.pause();
    const dot = dots
      .map((each) => ({ each, away: Math.hypot(each.x - event.offsetX, each.y - event.offsetY) }))
      .filter(({ away }) => away < REACH)
      .sort((a, b) => a.away - b.away)[0]?.each;
    if (!dot) return studio.playback.seek(frameAt(event.offsetX));
    const edit = new KeyEdit(studio, dot.time, dot.dof);
    held = { dot, edit, startX: event.offsetX, startY: event.offsetY };
    studio.playback.seek(dot.time);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) {
      pointed = scale.clamp(scale.time(event.offsetX));
      if (event.buttons === 0) draw();
      if (event.buttons === 1) studio.playback.seek(frameAt(event.offsetX));
      return;
    }
    const { dot, edit, startX, startY } = held;
    const { active } = studio;
    if (!active || (event.offsetX === startX && event.offsetY === startY)) return;
    const change = ((startY - event.offsetY) / (canvas.clientHeight - 16)) * (span.high - span.low);
    const unit = unitOf(itemAt(active.stage.skeleton.dofs, dot.dof));
    const time = active.frameAt(scale.clamp(scale.time(event.offsetX)));
    // A key that is pulled up keeps its time, unless the hand goes clearly aside.
    edit.moveTo(Math.abs(time - edit.time) > scale.perPixel * 3 ? time : edit.time, dot.value + change / unit);
  });
  const end = () => {
    const done = held;
    held = null;
    done?.edit.finish();
    draw();
  };
  canvas.addEventListener("pointerleave", () => {
    pointed = null;
    draw();
  });
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  return { canvas, legend: legend.element, draw, busy: () => held !== null };
}

/** Angles; lengths only of joints that have nothing else. */
function dofsShown(dofs: readonly Dof[], first: number, count: number): number[] {
  const all = Array.from({ length: count }, (_, i) => i);
  const angles = all.filter((i) => itemAt(dofs, first + i).isAngle);
  return angles.length > 0 ? angles : all;
}

const unitOf = ({ isAngle }: Dof) => (isAngle ? DEGREES : 1);

function spanOf(shown: readonly number[], samples: readonly Sample[], unit: number) {
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of samples)
    for (const k of shown) {
      const value = itemAt(values, k) * unit;
      [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
  const room = Math.max((high - low) * 0.12, 1e-3);
  return { low: low - room, high: high + room };
}

/** Angles by whole revolutions nearer to those before: curves that were asked for one by one do not know of each other. */
function unwind(before: Float64Array, values: Float64Array, dofs: readonly Dof[], first: number) {
  values.forEach((value, k) => {
    if (!itemAt(dofs, first + k).isAngle) return;
    values[k] = value + 2 * Math.PI * Math.round((itemAt(before, k) - value) / (2 * Math.PI));
  });
}
