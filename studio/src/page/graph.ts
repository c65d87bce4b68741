// SPDX-License-Identifier: Apache-2.0

// The error of a solve over its iterations, on a logarithmic scale: 1 is the tolerance.
import { h } from "../dom.js";
import { itemAt } from "../lists.js";
import { colour } from "../theme.js";
import { prepareCanvas } from "./canvas.js";

export function makeGraph() {
  const canvas = h("canvas", { class: "graph", role: "img", "aria-label": "Error over iterations" });

  function draw(history: Float64Array, marked: number) {
    const paint = prepareCanvas(canvas);
    if (!paint) return;
    const { context, width, height } = paint;
    const logs = Array.from(history, (error) => Math.log10(Math.max(error, 1e-6)));
    const high = Math.max(2, ...logs.map(Math.ceil));
    const low = Math.min(-1, ...logs.map(Math.floor));
    const x = (i: number) => 6 + ((width - 12) * i) / Math.max(history.length - 1, 1);
    const y = (log: number) => 6 + ((height - 12) * (high - log)) / (high - low);
    context.strokeStyle = colour("line");
    context.fillStyle = colour("faint");
    context.font = "10px system-ui, sans-serif";
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(0, y(0));
    context.lineTo(width, y(0));
    context.stroke();
    context.setLineDash([]);
    context.fillText("tolerance", 6, y(0) - 3);
    if (logs.length === 0) return;
    context.strokeStyle = colour("accent");
    context.lineWidth = 1.75;
    context.lineJoin = "round";
    context.beginPath();
    logs.forEach((log, i) => (i === 0 ? context.moveTo(x(i), y(log)) : context.lineTo(x(i), y(log))));
    context.stroke();
    context.fillStyle = colour(marked >= 0 ? "goal" : "accent");
    const at = marked >= 0 ? Math.min(marked, logs.length - 1) : logs.length - 1;
    context.beginPath();
    context.arc(x(at), y(itemAt(logs, at)), 3.5, 0, 2 * Math.PI);
    context.fill();
  }

  return { canvas, draw };
}
