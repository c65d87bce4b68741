// SPDX-License-Identifier: Apache-2.0

// How the body follows: method, limits, iterations, and the solve as a graph.
import type { Method } from "@ulna/engine";
import { perform } from "../commands/command.js";
import { setLimits } from "../commands/holds.js";
import { calm, h, segment, select, slider, toggle } from "../dom.js";
import type { LimitsMode } from "../snapshot.js";
import type { SolveReport, Studio } from "../studio.js";
import { makeGraph } from "./graph.js";
import { section } from "./panel.js";

const ABOUT: Record<Method, string> = {
  auto: "Solves for the whole body with all goals and limits. The one to use.",
  "two-bone": "A closed form for an arm or a leg: exact, without iterations.",
  ccd: "Cyclic coordinate descent: one joint after the other points at the goal. Watch it curl.",
  fabrik: "Forward and backward reaching: the bones are drawn towards the goal and back. Watch it glide.",
  transpose: "Jacobian transpose: the goal pulls like a spring. Slow and steady.",
  gradient: "Gradient descent on the error. The simplest of all.",
  "projected-gradient": "Gradient descent that stays within the limits.",
  pinv: "Pseudoinverse: takes the shortest step, and is unstable near straight limbs.",
  dls: "Damped least squares: a pseudoinverse that stays stable near straight limbs.",
};
const STATUS: Record<string, string> = {
  reached: "reached",
  out_of_reach: "out of reach",
  stalled: "as close as it gets",
  max_iterations: "stopped at the iteration limit",
  bad_goal: "the goal is not a position",
};

export function makeSolverPanel(studio: Studio): HTMLElement {
  const { bus } = studio;
  const about = h("p", { class: "about" });
  const method = select<Method>(
    "Method",
    () => studio.engine.methods.map((value) => ({ value, label: value })),
    () => studio.solver.method,
    (value) => studio.setSolver({ method: value }),
  );
  method.element.id = "method";
  const limits = segment<LimitsMode>(
    "Limits",
    [
      { value: "own", label: "File", title: "The limits that the file has" },
      { value: "anatomical", label: "Human", title: "Limits of the human body; joints are recognised by their names" },
      { value: "none", label: "None", title: "No limits" },
    ],
    () => studio.active?.limits ?? "own",
    (value) => perform(studio, setLimits(value)),
  );
  const iterations = slider(
    "Iterations",
    { min: 0, max: 100, step: 1 },
    () => studio.solver.iterations,
    (value) => studio.setSolver({ iterations: value }),
    (value) => (value === 0 ? "auto" : String(value)),
  );
  const watch = toggle(
    "Slow motion",
    "Drag, let go, and watch the method iteration by iteration",
    () => studio.solver.watch,
    (on) => studio.setSolver({ watch: on }),
  );
  const kept = (key: "natural" | "balance" | "floor" | "bulk" | "pairs", label: string, title: string) =>
    toggle(
      label,
      title,
      () => studio.solver[key],
      (on) => studio.setSolver({ [key]: on }),
    );
  const natural = kept("natural", "Natural", "A human body moves as people do; otherwise it moves as little as it can");
  const rules = [
    kept("balance", "Balance", "The weight stays over the feet that stand"),
    kept("floor", "Floor", "Nothing goes below the floor, and feet that stand stay flat"),
    kept("bulk", "Bulk", "Arms and legs do not go through the body or each other"),
    kept("pairs", "Pairs", "Angles of shoulders, elbows, hips and knees go together as people take them"),
  ];
  const body = h("div", { class: "toggles" }, natural.element, ...rules.map(({ element }) => element));
  const step = slider(
    "Step",
    { min: 0, max: 1, step: 1 },
    () => Math.floor(studio.traces.watched?.step ?? 0),
    (value) => studio.traces.show(value),
  );
  const graph = makeGraph();
  const figures = h("p", { class: "figures" });

  function refresh() {
    method.refresh();
    limits.refresh();
    iterations.refresh();
    watch.refresh();
    natural.refresh();
    body.hidden = studio.solver.method !== "auto";
    for (const rule of rules) {
      rule.refresh();
      rule.element.hidden = !studio.solver.natural;
    }
    about.textContent = ABOUT[studio.solver.method];
    const { report } = studio;
    const { watched } = studio.traces;
    step.element.hidden = watched === null;
    if (watched) step.input.max = String(watched.poses.length - 1);
    step.refresh();
    graph.draw(report?.history ?? new Float64Array(0), watched ? Math.floor(watched.step) : -1);
    figures.replaceChildren(...(report ? describe(report) : ["Drag a joint to see the solver at work."]));
  }
  bus.on(["tool", "goals", "characters"], refresh);
  // Numbers that change with every frame cannot be read, and cost some of it.
  bus.on("report", calm(refresh, 70));
  const element = section(
    "Solver",
    true,
    h("div", { class: "row" }, h("span", { class: "label" }, "Method"), method.element),
    about,
    h("div", { class: "row" }, h("span", { class: "label" }, "Limits"), limits.element),
    body,
    iterations.element,
    watch.element,
    step.element,
    graph.canvas,
    figures,
  );
  queueMicrotask(refresh);
  return element;
}

function describe({ status, iterations, milliseconds, note }: SolveReport): Node[] {
  const time = milliseconds > 0 ? ` · ${milliseconds.toFixed(2)} ms` : "";
  const plural = iterations === 1 ? "" : "s";
  const line = h("span", {}, h("b", {}, STATUS[status] ?? status), ` · ${iterations} iteration${plural}${time}`);
  return note ? [line, h("span", { class: "note" }, note)] : [line];
}
