// SPDX-License-Identifier: Apache-2.0

// The strip of the timeline: a click shows another moment, keys are dragged along it.
import { perform } from "../commands/command.js";
import { eraseKeys, KeyMove, keyTimesOf } from "../commands/keys.js";
import { eraseKeySpan, KeySpanMove } from "../commands/key_spans.js";
import { h } from "../dom.js";
import type { Studio } from "../studio.js";
import { colour } from "../theme.js";
import { prepareCanvas, type Paint } from "./canvas.js";
import { Falloff, type FalloffDrag } from "./falloff.js";
import type { TimeScale } from "./time_scale.js";
import { t } from "../language.js";

const KEY_REACH = 7; // pixels
const TICKS = 18; // pixels for numbers and ticks, above the keys
const LEAST_ROOM = 8; // pixels for a key
const BAND = 6; // pixels of a column where keys have less
const TRACK = { top: 24, margin: 32 }; // pixels

export class Strip {
  readonly canvas = h("canvas", {
    class: "strip",
    tabindex: 0,
    role: "slider",
    "aria-label": t("Time"),
    "aria-valuenow": 0,
  });
  #chosen: number | null = null; // the time of the keys that were clicked
  #span: readonly number[] = []; // the times of those that a box selected
  #box: { from: number; to: number } | null = null; // pixels, while it is drawn
  #drag: KeyMove | KeySpanMove | FalloffDrag | "scrub" | "box" | null = null;
  #from = 0; // the time where a drag began
  readonly #falloff: Falloff;
  #cached: { clip: unknown; joint: number; times: Float64Array } | null = null;

  /** `zoomed` is called when the scale has changed. */
  constructor(
    private readonly studio: Studio,
    private readonly scale: TimeScale,
    private readonly zoomed: () => void,
  ) {
    this.#falloff = new Falloff(studio, scale);
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this.#onDown(event));
    canvas.addEventListener("pointermove", (event) => this.#onMove(event));
    canvas.addEventListener("pointerup", () => this.#onUp());
    canvas.addEventListener("pointercancel", () => this.#onUp());
    canvas.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false });
  }

  /** Whether a hand is on it. */
  get busy(): boolean {
    return this.#drag !== null;
  }

  /** Deletes the keys that were clicked, or those of the present time. */
  eraseChosen() {
    const { studio } = this;
    if (this.#span.length > 0) {
      perform(studio, eraseKeySpan(this.#span, this.#joint()));
      this.#span = [];
      return;
    }
    const time = this.#chosen ?? nearest(this.#keyTimes(), studio.active?.time ?? 0, 1e-3);
    if (time === null) return;
    this.#chosen = null;
    perform(studio, eraseKeys(time, this.#joint()));
  }

  /** After keys may have changed. */
  forgetKeys() {
    this.#cached = null;
  }

  /** After another joint was selected: its keys are others. */
  unchoose() {
    this.#chosen = null;
    this.#span = [];
  }

  draw() {
    const paint = prepareCanvas(this.canvas);
    if (!paint) return;
    this.scale.width = paint.width;
    this.scale.drawTicks(paint, TICKS);
    this.#drawKeys(paint);
    if (this.#box) {
      const { from, to } = this.#box;
      paint.context.globalAlpha = 0.25;
      paint.context.fillStyle = colour("accent");
      paint.context.fillRect(Math.min(from, to), TICKS, Math.abs(to - from), paint.height - TICKS);
      paint.context.globalAlpha = 1;
    }
    this.#drawHead(paint);
    this.#describe();
  }

  /** For who does not see it. */
  #describe() {
    const { time = 0, clip } = this.studio.active ?? {};
    this.canvas.setAttribute("aria-valuemax", String(clip?.duration ?? 0));
    this.canvas.setAttribute("aria-valuenow", time.toFixed(3));
    this.canvas.setAttribute("aria-valuetext", `${time.toFixed(2)} seconds`);
  }

  #drawKeys({ context, width, height }: Paint) {
    const { scale } = this;
    const clip = this.studio.active?.clip;
    if (clip) {
      context.fillStyle = colour("track");
      context.fillRect(scale.x(0), TRACK.top, scale.x(clip.duration) - scale.x(0), height - TRACK.margin);
    }
    this.#falloff.draw(context, TRACK.top, height - TRACK.margin);
    const middle = TRACK.top + (height - TRACK.margin) / 2;
    context.strokeStyle = colour("pin");
    context.lineWidth = 1.5;
    for (const draft of this.studio.active?.drafts ?? []) {
      if (draft.clip !== clip) continue;
      diamond(context, scale.x(draft.time), middle, 5);
      context.stroke();
    }
    const times = this.#keyTimes();
    if (this.#drawDensity(context, times, width, height)) return;
    for (const time of times) {
      const x = scale.x(time);
      if (x < -8 || x > width + 8) continue;
      const on = [...this.#span, ...(this.#chosen === null ? [] : [this.#chosen])].some(
        (each) => Math.abs(time - each) < 1e-6,
      );
      context.fillStyle = colour(on ? "goal" : "pin");
      diamond(context, x, middle, times.length > width / 6 ? 3 : 5);
      context.fill();
    }
  }

  /** Keys too close together to be told apart, as a band: the higher, the more there are. Zooming in parts them. */
  #drawDensity(context: CanvasRenderingContext2D, times: Float64Array, width: number, height: number): boolean {
    const { scale } = this;
    const columns = new Float32Array(Math.ceil(width / BAND));
    let shown = 0;
    for (const time of times) {
      const column = Math.floor(scale.x(time) / BAND);
      if (column < 0 || column >= columns.length) continue;
      columns[column] = (columns[column] ?? 0) + 1;
      ++shown;
    }
    const length = Math.min(scale.to, times.at(-1) ?? 0) - Math.max(scale.from, times[0] ?? 0);
    if (shown * LEAST_ROOM < length / scale.perPixel || shown < 2) return false;
    const most = Math.max(...columns);
    const [bottom, room] = [TRACK.top + height - TRACK.margin, height - TRACK.margin];
    context.fillStyle = colour("pin");
    columns.forEach((count, i) => {
      const part = (room * count) / most;
      if (count > 0) context.fillRect(i * BAND, bottom - part, BAND - 1, part);
    });
    return true;
  }

  #drawHead({ context, height }: Paint) {
    const x = this.scale.x(this.studio.active?.time ?? 0);
    context.fillStyle = colour("accent");
    context.fillRect(x - 0.75, 0, 1.5, height);
    context.beginPath();
    context.moveTo(x - 5, 0);
    context.lineTo(x + 5, 0);
    context.lineTo(x, 8);
    context.fill();
  }

  /** Of the selected joint, or of all. */
  #keyTimes(): Float64Array {
    const clip = this.studio.active?.clip;
    if (!clip) return new Float64Array(0);
    const joint = this.studio.selected;
    if (this.#cached?.clip !== clip || this.#cached.joint !== joint) {
      this.#cached = { clip, joint, times: keyTimesOf(clip, this.#joint()) };
    }
    return this.#cached.times;
  }

  #joint(): number | undefined {
    return this.studio.selected >= 0 ? this.studio.selected : undefined;
  }

  /** The frame at a time that can be shown. */
  #frameAt(time: number): number {
    const { active } = this.studio;
    const within = this.scale.clamp(time);
    return active
      ? Math.min(active.frameAt(within), active.clip ? Math.max(active.clip.duration, within) : Infinity)
      : within;
  }

  #onDown(event: PointerEvent) {
    const { studio, scale } = this;
    this.canvas.setPointerCapture(event.pointerId);
    studio.playback.pause();
    const time = scale.time(event.offsetX);
    this.#from = time;
    if (event.shiftKey) {
      this.unchoose();
      this.#drag = "box";
      this.#box = { from: event.offsetX, to: event.offsetX };
      return this.draw();
    }
    const falloff = event.offsetY > TICKS ? this.#falloff.take(event.offsetX) : null;
    if (falloff) {
      this.#drag = falloff;
      return;
    }
    const held = nearest(Float64Array.from(this.#span), time, KEY_REACH * scale.perPixel);
    if (event.offsetY > TICKS && held !== null) {
      this.#drag = new KeySpanMove(studio, this.#span, this.#joint());
      return;
    }
    this.#span = [];
    this.#chosen = event.offsetY > TICKS ? nearest(this.#keyTimes(), time, KEY_REACH * scale.perPixel) : null;
    if (this.#chosen === null) {
      this.#drag = "scrub";
      studio.playback.seek(this.#frameAt(time));
    } else {
      studio.playback.seek(this.#chosen);
      this.#drag = new KeyMove(studio, this.#chosen, this.#joint());
    }
    this.draw();
  }

  #onMove(event: PointerEvent) {
    if (!this.#drag) return;
    const time = this.#frameAt(this.scale.time(event.offsetX));
    if (this.#drag === "scrub") return this.studio.playback.seek(time);
    if (this.#drag === "box") {
      if (this.#box) this.#box = { ...this.#box, to: event.offsetX };
      return this.draw();
    }
    if (this.#drag instanceof KeySpanMove) {
      this.#drag.moveBy(this.scale.time(event.offsetX) - this.#from);
      this.#span = this.#drag.times;
      return;
    }
    if (!(this.#drag instanceof KeyMove)) return this.#drag.moveTo(time);
    // A key of the same moment would replace the other one.
    const taken = nearest(this.#keyTimes(), time, 1e-4) !== null;
    if (taken || Math.abs(time - this.#drag.time) < this.scale.perPixel / 2) return;
    this.#chosen = time;
    this.#drag.moveTo(time);
  }

  #onUp() {
    const done = this.#drag;
    this.#drag = null;
    if (done && done !== "scrub" && done !== "box") done.finish();
    if (this.#box) {
      const [from, to] = [this.#box.from, this.#box.to].map((x) => this.scale.time(x)).sort((a, b) => a - b);
      this.#span = [...this.#keyTimes()].filter((time) => time >= (from ?? 0) && time <= (to ?? 0));
      this.#box = null;
    }
    this.forgetKeys();
    this.draw();
  }

  #onWheel(event: WheelEvent) {
    event.preventDefault();
    const { offsetX, deltaX, deltaY, shiftKey } = event;
    const pans = shiftKey || Math.abs(deltaX) > Math.abs(deltaY);
    this.scale.zoom(offsetX, pans ? 0 : deltaY, shiftKey ? deltaY : deltaX);
    this.zoomed();
  }
}

function nearest(times: Float64Array, time: number, reach: number): number | null {
  let [best, least]: [number | null, number] = [null, reach];
  for (const each of times) {
    const away = Math.abs(each - time);
    if (away <= least) [best, least] = [each, away];
  }
  return best;
}

function diamond(context: CanvasRenderingContext2D, x: number, y: number, size: number) {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.closePath();
}
