// SPDX-License-Identifier: Apache-2.0

// Drags: set up when a hand takes hold, solved once a frame.
import { countOf, numbersOf } from "./checks.js";
import { Owned } from "./memory.js";
import { readDragReply, readDragStep, writeDragPin, writeDragRequest } from "./protocol.js";

function sendDrag(original, pose, grab, { pins = [], poles = [], ...options }) {
  const numbers = [];
  writeDragRequest(numbers, { grab, options, pins, poles }, original);
  original.sendPose_(pose, numbers);
}

export function hinderingPins(stage, original, pose, grab, target, request) {
  const [x, y, z] = numbersOf(target, 3, "a target");
  sendDrag(original, pose, grab, request);
  return stage.memory_.calls.dragHindrances(stage, x, y, z).joints;
}

export function makeDrag(stage, original, pose, grab, request) {
  const { memory_: memory } = stage;
  sendDrag(original, pose, grab, request);
  const answer = memory.calls.dragMake(stage);
  return memory.result(answer, (reply) => new Drag(memory, answer, original, readDragReply(reply)));
}

class Drag extends Owned {
  #original;
  #step = {}; // filled anew by every solve

  constructor(memory, pointer, original, { note }) {
    super(memory, pointer, "dragFree", "drag");
    this.#original = original;
    this.note = note;
  }

  solve(target, pose) {
    const [x, y, z] = numbersOf(target, 3, "a target");
    this.#original.sendPose_(pose);
    this.memory_.calls.dragSolve(this, x, y, z);
    this.#original.receivePose_(pose);
    return this.memory_.replied(readDragStep, this.#step);
  }

  trace(pose, target, iterations = 0) {
    const [x, y, z] = numbersOf(target, 3, "a target");
    this.#original.sendPose_(pose);
    return this.memory_.calls.dragTrace(this, x, y, z, countOf(iterations, 0, "a number of iterations"));
  }

  heldPoint(pose) {
    this.#original.sendPose_(pose);
    return this.memory_.calls.dragHeldPoint(this).point;
  }

  movedPin(pin, target, pose) {
    const [x, y, z] = numbersOf(target, 3, "a target");
    const numbers = [];
    writeDragPin(numbers, pin, this.#original);
    this.#original.sendPose_(pose, numbers);
    return { ...pin, ...this.memory_.calls.dragMovedPin(this, x, y, z) };
  }
}
