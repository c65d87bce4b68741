// SPDX-License-Identifier: Apache-2.0

// Flat drawings: the timeline, its curves, the graph of a solve.

export interface Paint {
  readonly context: CanvasRenderingContext2D;
  readonly width: number; // in CSS pixels
  readonly height: number;
}

/** A cleared canvas in CSS pixels, or null where it has no size. */
export function prepareCanvas(canvas: HTMLCanvasElement): Paint | null {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0 || height === 0) return null;
  const ratio = Math.min(devicePixelRatio, 2);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.scale(ratio, ratio);
  return { context, width, height };
}
