// SPDX-License-Identifier: Apache-2.0

// Stages: degrees of freedom within limits, handles to draw, and solvers.
import { Owned, finite } from "./memory.js";
import { makeFitter } from "./fit.js";
import { makeSolver } from "./solver.js";

export class Stage extends Owned {
  #original;

  constructor(memory, pointer, original, skeleton, recognised, warnings) {
    super(memory, pointer, "stageFree", "stage");
    this.#original = original;
    this.skeleton = skeleton;
    this.recognised = recognised;
    this.warnings = warnings;
  }

  dofs(pose, near) {
    this.#original.sendPose_(pose, this.#near(near));
    this.memory_.calls.stageDofs(this.pointer_);
    return this.memory_.back(this.skeleton.dofCount).slice();
  }

  applyDofs(pose, dofs) {
    this.#checkDofs(dofs);
    this.#original.sendPose_(pose, dofs);
    this.memory_.calls.stageApply(this.pointer_);
    this.#original.receivePose_(pose);
  }

  setDof(pose, dof, value, { free = false, near } = {}) {
    if (!Number.isInteger(dof) || dof < 0 || dof >= this.skeleton.dofCount)
      throw new RangeError(`the stage has no degree of freedom ${dof}`);
    this.#original.sendPose_(pose, [finite(value, "a value"), free ? 1 : 0, ...this.#near(near)]);
    const got = this.memory_.calls.stageSetDof(this.pointer_, dof);
    this.#original.receivePose_(pose);
    return got;
  }

  clamp(pose) {
    this.#original.sendPose_(pose);
    this.memory_.calls.stageClamp(this.pointer_);
    this.#original.receivePose_(pose);
    const reply = this.memory_.reply();
    return reply.numbers(reply.left / 8);
  }

  excess(pose) {
    this.#original.sendPose_(pose);
    return this.memory_.calls.stageExcess(this.pointer_);
  }

  handles(pose, joint) {
    const index = this.skeleton.jointIndex_(joint);
    const { firstDof, dofCount } = this.skeleton.joints[index];
    this.#original.sendPose_(pose);
    this.memory_.calls.stageHandles(this.pointer_, index);
    const reply = this.memory_.reply();
    const origin = reply.numbers(3);
    const arcs = Array.from({ length: dofCount }, (_, i) => {
      const { isAngle, min, max } = this.skeleton.dofs[firstDof + i];
      return { dof: firstDof + i, isAngle, axis: reply.numbers(3), zero: reply.numbers(3), value: reply.number(), min, max };
    });
    const cone = reply.flag()
      ? {
          axis: reply.numbers(3),
          pointer: reply.numbers(3),
          swing: reply.number(),
          swingMax: reply.number(),
          zero: reply.numbers(3),
          twist: reply.number(),
          twistMin: reply.number(),
          twistMax: reply.number(),
        }
      : null;
    return { origin, arcs, cone };
  }

  makeSolver(goals, options = {}) {
    return makeSolver(this, this.#original, goals, options);
  }

  makeFitter(meshes, options = {}) {
    return makeFitter(this, this.#original, meshes, options);
  }

  free() {
    this.skeleton.free();
    super.free();
  }

  #checkDofs(dofs) {
    if (!(dofs instanceof Float64Array) || dofs.length !== this.skeleton.dofCount)
      throw new RangeError(`degrees of freedom are a Float64Array of ${this.skeleton.dofCount} numbers`);
  }

  #near(near) {
    if (near === undefined) return [0];
    this.#checkDofs(near);
    return [1, ...near];
  }
}
