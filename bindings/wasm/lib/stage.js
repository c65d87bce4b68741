// SPDX-License-Identifier: Apache-2.0

// Stages: degrees of freedom within limits, handles to draw, and solvers.
import { finite } from "./checks.js";
import { hinderingPins, makeDrag } from "./drag.js";
import { makeFitter } from "./fit.js";
import { Owned } from "./memory.js";
import { makeSolver } from "./solver.js";

export class Stage extends Owned {
  #original;

  constructor(memory, pointer, original, skeletonOf, described) {
    super(memory, pointer, "stageFree", "stage");
    this.#original = original;
    this.skeleton = skeletonOf(this);
    Object.assign(this, described);
  }

  dofs(pose, near) {
    this.#original.sendPose_(pose, this.#near(near));
    this.memory_.calls.stageDofs(this);
    return this.memory_.back(this.skeleton.dofCount).slice();
  }

  applyDofs(pose, dofs) {
    this.#checkDofs(dofs);
    this.#original.sendPose_(pose, dofs);
    this.memory_.calls.stageApply(this);
    this.#original.receivePose_(pose);
  }

  setDof(pose, dof, value, { free = false, near } = {}) {
    if (!Number.isInteger(dof) || dof < 0 || dof >= this.skeleton.dofCount)
      throw new RangeError(`the stage has no degree of freedom ${dof}`);
    this.#original.sendPose_(pose, [finite(value, "a value"), free ? 1 : 0, ...this.#near(near)]);
    const got = this.memory_.calls.stageSetDof(this, dof);
    this.#original.receivePose_(pose);
    return got;
  }

  clamp(pose) {
    this.#original.sendPose_(pose);
    const { joints } = this.memory_.calls.stageClamp(this);
    this.#original.receivePose_(pose);
    return joints;
  }

  excess(pose) {
    this.#original.sendPose_(pose);
    return this.memory_.calls.stageExcess(this);
  }

  handles(pose, joint) {
    const index = this.skeleton.jointIndex_(joint);
    this.#original.sendPose_(pose);
    return this.memory_.calls.stageHandles(this, index);
  }

  makeSolver(goals, options = {}) {
    return makeSolver(this, this.#original, goals, options);
  }

  makeDrag(pose, grab, options = {}) {
    return makeDrag(this, this.#original, pose, grab, options);
  }

  hinderingPins(pose, grab, target, options = {}) {
    return hinderingPins(this, this.#original, pose, grab, target, options);
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
