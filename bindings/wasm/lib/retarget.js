// SPDX-License-Identifier: Apache-2.0

// Retargeting: clips of one body on another, contacts of feet, soles of meshes.
import { choice } from "./checks.js";
import { Clip } from "./clip.js";
import { readRetargetReply, writeBodyRequest, writeContactOptions, writeRetargetOptions } from "./protocol.js";

const LIMITS = ["own", "none", "anatomical"];

export function retarget(memory, clip, source, target, { contacts, progress, ...options }) {
  choice(LIMITS, options.limits ?? "own", "limits");
  if (!clip.isOf_(source.skeleton)) throw new RangeError("a clip is retargeted from its own skeleton");
  const given = contacts && { hasContacts: true, contactFloor: contacts.floor, spans: contacts.contacts };
  const numbers = [];
  writeRetargetOptions(numbers, { ...options, ...given }, target.skeleton);
  pushBody(numbers, source);
  pushBody(numbers, target);
  memory.send(numbers);
  const answer = memory.progress.during(progress, () =>
    memory.calls.clipRetarget(clip, source.skeleton, target.skeleton),
  );
  return memory.result(answer, (reply) => ({
    ...readRetargetReply(reply),
    clip: new Clip(memory, answer, target.skeleton),
  }));
}

export function findContacts(memory, clip, body, options) {
  if (!clip.isOf_(body.skeleton)) throw new RangeError("contacts are found with the clip's own skeleton");
  const numbers = [];
  writeContactOptions(numbers, options);
  pushBody(numbers, body);
  memory.send(numbers);
  return memory.calls.clipContacts(clip, body.skeleton);
}

export function findSoles(memory, body) {
  const numbers = [];
  pushBody(numbers, body);
  memory.send(numbers);
  const { left, right } = memory.calls.skeletonSoles(body.skeleton);
  return [left, right];
}

/** A body at the end of a request: its rest pose and soles, then its meshes. */
function pushBody(out, { skeleton, meshes = [], rest, soles }) {
  if (!meshes.every((mesh) => mesh.isOf_(skeleton))) throw new RangeError("a body has meshes of its own skeleton");
  const [left, right] = soles ?? [[], []];
  writeBodyRequest(out, { rest, hasSoles: soles !== undefined, left, right }, skeleton);
  out.push(meshes.length, ...meshes.map((mesh) => mesh.pointer_));
}
