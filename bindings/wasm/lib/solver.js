// SPDX-License-Identifier: Apache-2.0

// Solvers: goals and options as numbers, and reports back.
import { Owned, choice, countOf, finite, numbersOf } from "./memory.js";

/** As the engine numbers them. */
export const METHODS = [
  "auto",
  "two-bone",
  "ccd",
  "fabrik",
  "transpose",
  "gradient",
  "projected-gradient",
  "pinv",
  "dls",
];
const STATUSES = ["reached", "out_of_reach", "stalled", "max_iterations", "bad_goal"];
const KINDS = ["position", "orientation", "aim", "pole", "plane", "distance", "posture"];
// Out of reach a foot then gives way by a thousandth of what the hand is short of: less than is seen.
// Far heavier pins make slow problems.
const PIN_WEIGHT = 1000;
const BOUNDS = ["exactly", "at-least", "at-most"];

export function makeSolver(stage, original, goals, options) {
  const numbers = optionNumbers(original, goals, options);
  for (const goal of goals) numbers.push(...goalNumbers(original, goal, options));
  const { memory_: memory } = stage;
  memory.send(numbers);
  const answer = memory.calls.solverMake(stage.pointer_, goals.length);
  return memory.result(answer, (reply) => {
    const [positionTolerance, reach] = reply.numbers(2);
    return new Solver(memory, answer, original, goals, positionTolerance, reach);
  });
}

class Solver extends Owned {
  #original;
  #targets; // how many numbers each goal's target has; 0 where it has none
  #report;

  constructor(memory, pointer, original, goals, positionTolerance, reach) {
    super(memory, pointer, "solverFree", "solver");
    this.#original = original;
    this.#targets = goals.map((goal) => targetSize(goal.kind));
    this.goalCount = goals.length;
    this.positionTolerance = positionTolerance;
    this.reach = reach;
    this.#report = {
      status: "stalled",
      iterations: 0,
      attempts: 0,
      cost: 0,
      gradient: 0,
      errors: new Float64Array(goals.length),
      history: new Float64Array(0),
    };
  }

  setTarget(goal, target) {
    const size = this.#targets[this.#check(goal)];
    if (size === 0) throw new RangeError(`goal ${goal} has no target to move`);
    const [x, y, z, w = 0] = numbersOf(target, size, "a target");
    this.memory_.calls.solverTarget(this.pointer_, goal, x, y, z, w);
  }

  setWeight(goal, weight) {
    if (!(weight >= 0)) throw new RangeError("a weight is a number, 0 or more");
    this.memory_.calls.solverWeight(this.pointer_, this.#check(goal), weight);
  }

  setEnabled(goal, enabled) {
    this.memory_.calls.solverEnable(this.pointer_, this.#check(goal), enabled ? 1 : 0);
  }

  solve(pose) {
    this.#original.sendPose_(pose);
    const pointer = this.memory_.calls.solverSolve(this.pointer_);
    this.#original.receivePose_(pose);
    return this.#readReport(pointer);
  }

  trace(pose, iterations) {
    const size = this.#original.poseSize_;
    this.#original.sendPose_(pose);
    this.memory_.calls.solverTrace(this.pointer_, countOf(iterations, 0, "a number of iterations"));
    const reply = this.memory_.reply();
    const poses = [pose.slice(0, size)];
    const costs = [];
    const errors = [];
    while (reply.left > 8) {
      costs.push(reply.number());
      const start = reply.number();
      if (errors.length === 0) errors.push(start);
      errors.push(reply.number());
      poses.push(reply.array(Float64Array, size));
    }
    const status = STATUSES[reply.number()];
    this.memory_.calls.replyDone();
    return { poses, costs: Float64Array.from(costs), errors: Float64Array.from(errors), status };
  }

  #check(goal) {
    if (Number.isInteger(goal) && goal >= 0 && goal < this.goalCount) return goal;
    throw new RangeError(`the solver has no goal ${goal}`);
  }

  #readReport(pointer) {
    const report = this.#report;
    const head = this.memory_.f64(pointer, 6);
    const count = head[5];
    report.status = STATUSES[head[0]];
    report.iterations = head[1];
    report.attempts = head[2];
    report.cost = head[3];
    report.gradient = head[4];
    report.errors.set(this.memory_.f64(pointer + 48, count));
    const kept = this.memory_.f64(pointer + 48 + 8 * count, 1)[0];
    if (kept !== report.history.length) report.history = new Float64Array(kept);
    if (kept > 0) report.history.set(this.memory_.f64(pointer + 56 + 8 * count, kept));
    return report;
  }
}

function targetSize(kind) {
  if (kind === "orientation") return 4;
  return kind === "position" || kind === "pin" || kind === "aim" || kind === "pole" ? 3 : 0;
}

function optionNumbers(skeleton, goals, options) {
  const freeRoot = options.freeRoot ?? goals.some((goal) => goal.kind === "pin");
  const locked = (options.locked ?? []).map((joint) => skeleton.jointIndex_(joint));
  if (!freeRoot) {
    for (const { index, parent, kind } of skeleton.joints)
      if (parent < 0 && (kind === "free" || kind === "prismatic")) locked.push(index);
  }
  const stiffness = Object.entries(options.stiffness ?? {});
  return [
    choice(METHODS, options.method ?? "auto", "a method"),
    finite(options.positionTolerance ?? 0, "a tolerance"),
    finite(options.angleTolerance ?? 1e-4, "a tolerance"),
    countOf(options.maxIterations ?? 0, 0, "a number of iterations"),
    countOf(options.restarts ?? 0, 0, "a number of restarts"),
    countOf(options.seed ?? 1, 0, "a seed"),
    options.continuity ? 1 : 0,
    options.history ? 1 : 0,
    options.fabrikFirst ?? true ? 1 : 0,
    options.chain === undefined ? -1 : skeleton.jointIndex_(options.chain),
    finite(options.step ?? 1, "a step"),
    finite(options.damping ?? 0.1, "damping"),
    finite(options.jointDamping ?? 0, "damping"),
    options.lineSearch ?? true ? 1 : 0,
    choice(["end-to-root", "root-to-end"], options.ccdDirection ?? "end-to-root", "a direction"),
    locked.length,
    ...locked,
    stiffness.length,
    ...stiffness.flatMap(([name, value]) => [skeleton.jointIndex_(name), finite(value, "stiffness")]),
  ];
}

function goalNumbers(skeleton, goal, options) {
  const kind = goal.kind === "pin" ? "position" : goal.kind;
  return [
    goal.weight ?? (goal.kind === "pin" ? PIN_WEIGHT : 1),
    goal.level ?? 1,
    goal.enabled ?? true ? 1 : 0,
    choice(KINDS, kind, "the kind of a goal"),
    ...wishNumbers(skeleton, goal, options),
  ];
}

function wishNumbers(skeleton, goal, options) {
  const joint = (ref) => skeleton.jointIndex_(ref);
  const vector = (values, otherwise) => numbersOf(values ?? otherwise, 3, `a ${goal.kind}`);
  const nowhere = [0, 0, 0];
  switch (goal.kind) {
    case "position":
      return [joint(goal.joint), ...vector(goal.target), ...vector(goal.point, nowhere)];
    case "pin":
      return [
        joint(goal.joint),
        ...vector(goal.target ?? placeOf(skeleton, options.pose, joint(goal.joint), goal.point)),
        ...vector(goal.point, nowhere),
      ];
    case "orientation":
      return [
        joint(goal.joint),
        ...numbersOf(goal.target ?? orientationOf(skeleton, options.pose, joint(goal.joint)), 4, "an orientation"),
      ];
    case "aim":
      return [
        joint(goal.joint),
        ...vector(goal.target),
        ...vector(goal.axis, [0, 0, 1]),
        ...vector(goal.eye, nowhere),
      ];
    case "pole":
      return [joint(goal.start), joint(goal.mid), joint(goal.end), ...vector(goal.target)];
    case "plane":
      return [
        joint(goal.joint),
        ...vector(goal.normal, [0, 1, 0]),
        finite(goal.offset ?? 0, "an offset"),
        choice(["on", "above"], goal.side ?? "above", "a side"),
        ...vector(goal.point, nowhere),
      ];
    case "distance":
      return [
        joint(goal.jointA),
        joint(goal.jointB),
        finite(goal.distance, "a distance"),
        choice(BOUNDS, goal.bound ?? "exactly", "a bound"),
        ...vector(goal.pointA, nowhere),
        ...vector(goal.pointB, nowhere),
      ];
    default: {
      const joints = (goal.joints ?? []).map(joint);
      if (goal.pose !== undefined) skeleton.checkPose_(goal.pose);
      const pose = goal.pose === undefined ? [0] : [1, ...goal.pose.subarray(0, skeleton.poseSize_)];
      return [...pose, joints.length, ...joints];
    }
  }
}

function placeOf(skeleton, pose, joint, point) {
  const m = skeleton.modelMatrices(pose ?? skeleton.restPose()).subarray(16 * joint, 16 * joint + 16);
  const [x, y, z] = point ?? [0, 0, 0];
  return [0, 1, 2].map((i) => m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i]);
}

function orientationOf(skeleton, pose, joint) {
  return skeleton.orientations(pose ?? skeleton.restPose()).subarray(4 * joint, 4 * joint + 4);
}
