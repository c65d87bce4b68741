// SPDX-License-Identifier: Apache-2.0

// Solvers: goals and options sent, and reports back.
import { countOf, numbersOf } from "./checks.js";
import { Owned } from "./memory.js";
import { readReport, readSolverReply, writeGoal, writeSolverRequest } from "./protocol.js";

export function makeSolver(stage, original, goals, options) {
  const { memory_: memory } = stage;
  const numbers = [];
  const stiffness = Object.entries(options.stiffness ?? {}).map(([joint, value]) => ({ joint, stiffness: value }));
  writeSolverRequest(numbers, { options: { ...options, stiffness }, freeRoot: options.freeRoot }, original);
  for (const goal of goals) writeGoal(numbers, goal, original);
  original.sendPose_(options.pose ?? original.restPose(), numbers);
  const answer = memory.calls.solverMake(stage, goals.length);
  return memory.result(answer, (reply) => {
    return new Solver(memory, answer, original, readSolverReply(reply));
  });
}

class Solver extends Owned {
  #original;
  #targets; // how many numbers each goal's target has; 0 where it has none
  #report = {}; // filled anew by every solve

  constructor(memory, pointer, original, { positionTolerance, reach, targetSizes }) {
    super(memory, pointer, "solverFree", "solver");
    this.#original = original;
    this.#targets = targetSizes;
    this.goalCount = targetSizes.length;
    this.positionTolerance = positionTolerance;
    this.reach = reach;
  }

  setTarget(goal, target) {
    const size = this.#targets[this.#check(goal)];
    if (size === 0) throw new RangeError(`goal ${goal} has no target to move`);
    const [x, y, z, w = 0] = numbersOf(target, size, "a target");
    this.memory_.calls.solverTarget(this, goal, x, y, z, w);
  }

  setWeight(goal, weight) {
    if (!(weight >= 0)) throw new RangeError("a weight is a number, 0 or more");
    this.memory_.calls.solverWeight(this, this.#check(goal), weight);
  }

  setEnabled(goal, enabled) {
    this.memory_.calls.solverEnable(this, this.#check(goal), enabled);
  }

  solve(pose) {
    this.#original.sendPose_(pose);
    this.memory_.calls.solverSolve(this);
    this.#original.receivePose_(pose);
    return this.memory_.replied(readReport, this.#report);
  }

  trace(pose, iterations) {
    this.#original.sendPose_(pose);
    return this.memory_.calls.solverTrace(this, countOf(iterations, 0, "a number of iterations"));
  }

  #check(goal) {
    if (Number.isInteger(goal) && goal >= 0 && goal < this.goalCount) return goal;
    throw new RangeError(`the solver has no goal ${goal}`);
  }
}
