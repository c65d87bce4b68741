// SPDX-License-Identifier: Apache-2.0

// The falloff of the layer on top, on the strip of the timeline: where it fades in and out, with a handle at either
// end that is dragged along.
import { LayerDrag } from "../commands/layers.js";
import type { Studio } from "../studio.js";
import { colour } from "../theme.js";
import type { TimeScale } from "./time_scale.js";

const REACH = 6; // pixels

/** A handle that is held. */
export interface FalloffDrag {
  moveTo(time: number): void;
  finish(): void;
}

interface Span {
  readonly index: number; // of the layer
  readonly start: number;
  readonly first: number; // keys
  readonly last: number;
  readonly end: number;
}

export class Falloff {
  constructor(
    private readonly studio: Studio,
    private readonly scale: TimeScale,
  ) {}

  draw(context: CanvasRenderingContext2D, top: number, height: number) {
    const span = this.#span();
    if (!span) return;
    const x = (time: number) => this.scale.x(time);
    const bottom = top + height;
    context.globalAlpha = 0.25;
    context.fillStyle = colour("pin");
    context.beginPath();
    context.moveTo(x(span.start), bottom);
    context.lineTo(x(span.first), top);
    context.lineTo(x(span.last), top);
    context.lineTo(x(span.end), bottom);
    context.fill();
    context.globalAlpha = 1;
    for (const time of [span.start, span.end]) context.fillRect(x(time) - 2, bottom - 12, 4, 12);
  }

  /** The handle at a position, to be dragged. */
  take(x: number): FalloffDrag | null {
    const span = this.#span();
    if (!span) return null;
    const away = (time: number) => Math.abs(this.scale.x(time) - x);
    const before = away(span.start) <= away(span.end);
    // A key at the same position comes first.
    if (away(before ? span.start : span.end) > REACH || away(before ? span.first : span.last) <= REACH) return null;
    const drag = new LayerDrag(this.studio, span.index);
    return {
      moveTo: (time) =>
        drag.set(before ? { in: Math.max(0, span.first - time) } : { out: Math.max(0, time - span.last) }),
      finish: () => drag.finish(),
    };
  }

  #span(): Span | null {
    const layers = this.studio.active?.clip?.layers ?? [];
    const index = layers.length - 1;
    const layer = layers[index];
    const [first, last] = [layer?.keys[0]?.time, layer?.keys.at(-1)?.time];
    if (!layer || first === undefined || last === undefined) return null;
    return { index, start: first - layer.in, first, last, end: last + layer.out };
  }
}
