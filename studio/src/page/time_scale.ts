// SPDX-License-Identifier: Apache-2.0

// Seconds to pixels, shared by the strip and the curves.
import type { Clip } from "@ulna/engine";
import { colour } from "../theme.js";
import type { Paint } from "./canvas.js";

const MARGIN = 12;

export class TimeScale {
  width = 1;
  #from = 0;
  #to = 2;
  #end = 2;
  #clip: Clip | null = null;

  /** Shows all of another clip; the same one, edited, keeps what is seen of it. */
  fit(clip: Clip | null, spare: number) {
    const end = Math.max(clip ? clip.duration + spare : 2, 0.1);
    const whole = this.#from === 0 && Math.abs(this.#to - this.#end) < 1e-9;
    if (this.#clip === null || clip === null || this.#clip.name !== clip.name || whole)
      [this.#from, this.#to] = [0, end];
    this.#end = end;
    this.#clip = clip;
  }

  get from() {
    return this.#from;
  }
  get to() {
    return this.#to;
  }
  get perPixel() {
    return (this.#to - this.#from) / Math.max(this.width - 2 * MARGIN, 1);
  }
  x(time: number) {
    return MARGIN + (time - this.#from) / this.perPixel;
  }
  time(x: number) {
    return this.#from + (x - MARGIN) * this.perPixel;
  }
  clamp(time: number) {
    return Math.min(Math.max(time, 0), this.#end);
  }

  zoom(x: number, amount: number, pan: number) {
    const at = this.time(x);
    const factor = Math.exp(amount * 0.0015);
    let from = at + (this.#from - at) * factor + pan * this.perPixel;
    let to = at + (this.#to - at) * factor + pan * this.perPixel;
    if (to - from < 0.05) return;
    if (to - from >= this.#end) [from, to] = [0, this.#end];
    const shift = Math.max(0, -from) - Math.max(0, to - this.#end);
    [this.#from, this.#to] = [from + shift, to + shift];
  }

  drawTicks({ context, width }: Paint, baseline: number) {
    const step = tickStep(this.perPixel * 70);
    context.fillStyle = colour("faint");
    context.strokeStyle = colour("line");
    context.font = "11px system-ui, sans-serif";
    context.lineWidth = 1;
    const digits = step < 0.1 ? 2 : step < 1 ? 1 : 0;
    for (let time = Math.ceil(this.#from / step) * step; this.x(time) < width; time += step) {
      const x = Math.round(this.x(time)) + 0.5;
      context.beginPath();
      context.moveTo(x, baseline - 5);
      context.lineTo(x, baseline);
      context.stroke();
      context.fillText(time.toFixed(digits), x + 3, baseline - 5);
    }
  }
}

/** The first of 1, 2, 5, 10, 20, … tenths, hundredths and so on that is no less than `least`. */
export function tickStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((each) => each * power >= least) ?? 10);
}
