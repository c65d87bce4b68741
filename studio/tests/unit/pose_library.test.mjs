// SPDX-License-Identifier: Apache-2.0

// The poses that come with the studio: the bundled character takes them, and so do others.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import studioModules, { makeStudio, studioFolder } from "./load.mjs";

const { Character, itemAt, must, perform, takeLibraryPose } = studioModules;
const library = JSON.parse(readFileSync(join(studioFolder, "../assets/ulna-poses.json"), "utf8"));
const { engine, studio, character } = await makeStudio();
const at = (of, name) => of.position(of.skeleton.find(name));

test("there are ten to fifteen, each with a picture and another than the others", () => {
  assert.ok(library.poses.length >= 10 && library.poses.length <= 15);
  assert.equal(new Set(library.poses.map(({ joints }) => JSON.stringify(joints))).size, library.poses.length);
  for (const { picture } of library.poses) assert.match(picture, /^data:image\/webp;base64,UklGR/);
});

test("the bundled character takes each, within its limits, on the ground, as one step that is undone", () => {
  const before = character.pose.slice();
  for (const pose of library.poses) {
    perform(studio, takeLibraryPose(library, pose));
    assert.deepEqual(studio.messages, [], pose.name);
    assert.equal(studio.history.undoName, pose.name);
    // Rotations have four digits.
    assert.ok(character.stage.excess(character.pose) < 2e-3, `${pose.name}: ${character.stage.excess(character.pose)}`);
    const lowest = Math.min(...["LeftFoot", "RightFoot"].map((name) => itemAt(at(character, name), 1)));
    assert.ok(lowest > 0.06 && lowest < 0.12, `${pose.name}: ${lowest}`);
    studio.history.undo();
    assert.deepEqual(character.pose, before);
  }
});

test("another body takes them too: its hand is above its head where the library's is", () => {
  const folder = process.env.ULNA_SHARED_DATA ?? join(studioFolder, "../../shared/data");
  const name = "CesiumMan.glb";
  const bytes = readFileSync(join(folder, "gltf/CesiumMan/glTF-Binary", name));
  const source = { name, bytes: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) };
  const other = new Character({ ...must(engine.open(source.bytes, name)), source });
  other.prepare();
  studio.add(other, false);
  const cheer = library.poses.find((pose) => pose.name === "Cheer");
  perform(studio, takeLibraryPose(library, cheer));
  assert.deepEqual(studio.messages, []);
  const part = (what) => other.stage.recognised.find((each) => each.part === what).joint;
  const up = other.skeleton.up === "z" ? 2 : 1;
  const height = (joint) => other.position(joint)[up];
  for (const side of ["left", "right"]) assert.ok(height(part(`${side} wrist`)) > height(part("head")), side);
});
