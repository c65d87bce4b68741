// SPDX-License-Identifier: Apache-2.0

// Errors of solves over their iterations, on a logarithmic scale: 1 is the tolerance.
import { h } from "../dom.js";
import { itemAt } from "../lists.js";
import { colour } from "../theme.js";
import { prepareCanvas } from "./canvas.js";
import { t } from "../language.js";

const MARGIN = { left: 30, right: 8, top: 8, bottom: 18 };

export interface Curve {
  readonly errors: Float64Array; // one at the start and after each iteration, in tolerances
  readonly colour: string;
  readonly strong: boolean;
}

export function makeGraph() {
  const canvas = h("canvas", {
    class: "graph",
    role: "img",
    "aria-label": t("Error over iterations, one curve for each method"),
  });

  /** `marked` is an iteration of the strong curve; -1 is its last. */
  function draw(curves: readonly Curve[], marked: number) {
    const paint = prepareCanvas(canvas);
    if (!paint) return;
    const { context, width, height } = paint;
    const shown = curves.map((curve) => ({
      ...curve,
      logs: Array.from(curve.errors, (error) => Math.log10(Math.max(error, 1e-6))),
    }));
    const all = shown.flatMap(({ logs }) => logs);
    const high = Math.max(2, ...all.map(Math.ceil));
    const low = Math.min(-1, ...all.map(Math.floor));
    const last = Math.max(1, ...shown.map(({ logs }) => logs.length - 1));
    const x = (i: number) => MARGIN.left + ((width - MARGIN.left - MARGIN.right) * i) / last;
    const y = (log: number) => MARGIN.top + ((height - MARGIN.top - MARGIN.bottom) * (high - log)) / (high - low);
    context.font = "10px system-ui, sans-serif";
    context.lineWidth = 1;
    for (let log = low; log <= high; log += Math.max(1, Math.ceil((high - low) / 5))) {
      context.strokeStyle = colour("line");
      context.beginPath();
      context.moveTo(MARGIN.left, y(log));
      context.lineTo(width - MARGIN.right, y(log));
      context.stroke();
      context.fillStyle = colour("faint");
      context.textAlign = "right";
      context.fillText(log === 0 ? "1" : `1e${log}`, MARGIN.left - 4, y(log) + 3);
    }
    context.fillStyle = colour("faint");
    context.textAlign = "left";
    context.fillText("0", MARGIN.left, height - 5);
    context.fillText("tolerance", MARGIN.left + 4, y(0) - 3);
    context.textAlign = "right";
    context.fillText(
      t("{count, plural, one {# iteration} other {# iterations}}", { count: last }),
      width - MARGIN.right,
      height - 5,
    );
    context.strokeStyle = colour("soft");
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(MARGIN.left, y(0));
    context.lineTo(width - MARGIN.right, y(0));
    context.stroke();
    context.setLineDash([]);
    context.lineJoin = "round";
    for (const { logs, colour: tint, strong } of shown) {
      if (logs.length === 0) continue;
      context.strokeStyle = context.fillStyle = tint;
      context.lineWidth = strong ? 2.25 : 1.25;
      context.beginPath();
      logs.forEach((log, i) => (i === 0 ? context.moveTo(x(i), y(log)) : context.lineTo(x(i), y(log))));
      context.stroke();
      if (!strong) continue;
      const at = marked >= 0 ? Math.min(marked, logs.length - 1) : logs.length - 1;
      context.beginPath();
      context.arc(x(at), y(itemAt(logs, at)), 3.5, 0, 2 * Math.PI);
      context.fill();
    }
  }

  return { canvas, draw };
}
