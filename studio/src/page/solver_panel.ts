// SPDX-License-Identifier: Apache-2.0

// How a body is solved: the method, its iterations, its error as a curve, and all methods compared. The place of those
// who want to know; what a pose needs is in the panel Pose.
import type { Method } from "@ulna/engine";
import { compareMethods, type Attempt } from "../comparing.js";
import { button, calm, h, replace, select, slider, toggle } from "../dom.js";
import type { SolveReport, Studio } from "../studio.js";
import { colour, CURVE_COLOURS } from "../theme.js";
import { makeGraph, type Curve } from "./graph.js";
import { section } from "./panel.js";
import { t } from "../language.js";

const ABOUT: Record<Method, string> = {
  auto: t("Solves for the whole body with all goals and limits. The one to use."),
  "two-bone": t("A closed form for an arm or a leg: exact, without iterations."),
  ccd: t("Cyclic coordinate descent: one joint after the other points at the goal. Watch it curl."),
  fabrik: t("Forward and backward reaching: the bones are drawn towards the goal and back. Watch it glide."),
  transpose: t("Jacobian transpose: the goal pulls like a spring. Slow and steady."),
  gradient: t("Gradient descent on the error. The simplest of all."),
  "projected-gradient": t("Gradient descent that stays within the limits."),
  pinv: t("Pseudoinverse: takes the shortest step, and is unstable near straight limbs."),
  dls: t("Damped least squares: a pseudoinverse that stays stable near straight limbs."),
};
const STATUS: Record<string, string> = {
  reached: t("reached"),
  out_of_reach: t("out of reach"),
  stalled: t("as close as it gets"),
  max_iterations: t("stopped at the iteration limit"),
  bad_goal: t("the goal is not a position"),
};

export function makeSolverPanel(studio: Studio): HTMLElement {
  const { bus } = studio;
  const about = h("p", { class: "about" });
  const method = select<Method>(
    t("Method"),
    () => studio.engine.methods.map((value) => ({ value, label: value })),
    () => studio.solver.method,
    (value) => studio.setSolver({ method: value }),
  );
  method.element.id = "method";
  method.element.translate = false;
  const iterations = slider(
    t("Iterations"),
    { min: 0, max: 100, step: 1 },
    () => studio.solver.iterations,
    (value) => studio.setSolver({ iterations: value }),
    (value) => (value === 0 ? t("auto") : String(value)),
  );
  const watch = toggle(
    t("Slow motion"),
    t("Drag, let go, and watch the method iteration by iteration"),
    () => studio.solver.watch,
    (on) => studio.setSolver({ watch: on }),
  );
  const step = slider(
    t("Step"),
    { min: 0, max: 1, step: 1 },
    () => Math.floor(studio.traces.watched?.step ?? 0),
    (value) => studio.traces.show(value),
  );
  let attempts: readonly Attempt[] = [];
  const table = h("table", { class: "attempts" });
  const keep = (made: readonly Attempt[]) => {
    attempts = made;
    replace(table, ...rowsOf(attempts));
    refresh();
  };
  const compare = button(
    { text: t("Compare all methods"), title: t("Solve the last drag again by every method"), class: "button text" },
    () => {
      if (studio.problem) void compareMethods(studio, studio.problem).then(keep);
    },
  );
  const forget = button({ text: t("Clear"), title: t("Forget the comparison"), class: "button text" }, () => keep([]));
  const graph = makeGraph();
  const figures = h("p", { class: "figures" });

  function refresh() {
    method.refresh();
    iterations.refresh();
    watch.refresh();
    about.textContent = ABOUT[studio.solver.method];
    const { report } = studio;
    const { watched } = studio.traces;
    step.element.hidden = watched === null;
    if (watched) step.input.max = String(watched.poses.length - 1);
    step.refresh();
    const own: Curve = {
      errors: report?.history ?? new Float64Array(0),
      colour: colour(watched ? "goal" : "accent"),
      strong: true,
    };
    graph.draw([...attempts.map(curveOf), own], watched ? Math.floor(watched.step) : -1);
    compare.disabled = studio.problem === null;
    forget.hidden = table.hidden = attempts.length === 0;
    figures.replaceChildren(...(report ? describe(report) : [t("Drag a joint to see the solver at work.")]));
  }
  bus.on(["tool", "goals", "characters"], refresh);
  // A canvas that was hidden is drawn once it has a size.
  bus.on("view", () => requestAnimationFrame(refresh));
  // Numbers that change with every frame cannot be read, and cost some of it.
  bus.on(
    "report",
    calm(() => studio.view.learning && refresh(), 70),
  );
  const element = section(
    "Solver",
    true,
    h("div", { class: "row" }, h("span", { class: "label" }, t("Method")), method.element),
    about,
    iterations.element,
    watch.element,
    step.element,
    graph.canvas,
    figures,
    h("div", { class: "row" }, compare, forget),
    table,
  );
  queueMicrotask(refresh);
  return element;
}

function describe({ status, iterations, milliseconds, note }: SolveReport): Node[] {
  const time = milliseconds > 0 ? ` · ${milliseconds.toFixed(2)} ms` : "";
  const count = t("{iterations, plural, one {# iteration} other {# iterations}}", { iterations });
  const line = h("span", {}, h("b", {}, STATUS[status] ?? status), ` · ${count}${time}`);
  return note ? [line, h("span", { class: "note", lang: "en" }, note)] : [line];
}

function curveOf({ errors }: Attempt, index: number): Curve {
  return { errors, colour: colourOf(index), strong: false };
}

function colourOf(index: number): string {
  return CURVE_COLOURS[index % CURVE_COLOURS.length] ?? CURVE_COLOURS[0];
}

/** What each method came to, in numbers. */
function rowsOf(attempts: readonly Attempt[]): Node[] {
  const head = h(
    "tr",
    {},
    ...[t("Method"), t("Iterations"), t("Error")].map((each) => h("th", { scope: "col" }, each)),
  );
  const rows = attempts.map(({ method, errors, status, note }, i) => {
    const swatch = h("i", { class: "swatch" });
    swatch.style.background = colourOf(i);
    const name = h("th", { scope: "row", title: note || (STATUS[status] ?? status) }, swatch, method);
    if (status === "refused") return h("tr", {}, name, h("td", { colspan: 2 }, t("cannot do it")));
    const cells = [String(Math.max(errors.length - 1, 0)), inTolerances(errors.at(-1) ?? 0)];
    return h("tr", {}, name, ...cells.map((cell) => h("td", {}, cell)));
  });
  return [h("thead", {}, head), h("tbody", {}, ...rows)];
}

/** An error in tolerances, as short as it can be read. */
function inTolerances(error: number): string {
  return error < 0.01 ? "< 0.01" : error < 100 ? error.toPrecision(2) : String(Math.round(error));
}
