// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { boxOf, makeEngine, must, within } from "../oracle.mjs";
import { drawnBox } from "../picture.mjs";
import {
  borrowStudio,
  closeCards,
  dragMouse,
  drop,
  fileOf,
  filesUnder,
  longBvh,
  look,
  projection,
  root,
  shared,
  shoot,
  until,
} from "../support.mjs";

const LARGEST = 50e6;
const LARGEST_SLIP = 16; // pixels: dots of joints, pins and the edges of triangles

/** Where a file has its joints and vertices as the page first shows it: standing, or at the start of its first clip. */
function positionsIn(engine, path, parts) {
  const beside = Object.fromEntries(parts.map(fileOf).map(({ name, bytes }) => [name, bytes]));
  const document = must(engine.open(fileOf(path).bytes, path, parts.length > 0 ? { files: beside } : {}));
  const { skeleton, clips, meshes } = document;
  const clip = clips.find(({ name }) => /idle|stand/i.test(name)) ?? clips[0];
  const pose = clip ? clip.sample(0) : skeleton.restPose();
  const numbers = [skeleton.modelPositions(pose)];
  for (const mesh of meshes) {
    numbers.push(mesh.positions);
    mesh.deform(pose, { positions: numbers.at(-1) }, { blend: "dual-quaternion" });
  }
  document.free();
  return numbers.flatMap((list) =>
    Array.from({ length: list.length / 3 }, (_, i) => [...list.subarray(3 * i, 3 * i + 3)]),
  );
}

export function files(browser) {
  let studio, page, engine;
  before(async () => {
    [studio, engine] = await Promise.all([borrowStudio(browser()), makeEngine()]);
    page = studio.page;
  });

  const characters = () => look(page, (studio) => studio.characters);
  const lastError = () => look(page, (studio) => studio.lastError);

  test("every file of the shared data and of the assets is dropped, and drawn where its joints and vertices are", async () => {
    // Plain, since images may be clear, or as pale as the ground, at their edges; and no shadow, which is no part of them.
    const switchLooks = async () => {
      for (const name of ["Textures", "Shadow"])
        await page.locator('[data-section="view"] .toggle', { hasText: name }).click();
    };
    await switchLooks();
    const all = [
      ...filesUnder(shared, [".bvh", ".glb", ".gltf"]),
      ...filesUnder(join(root, "assets"), [".bvh", ".glb", ".rig.json"]),
    ];
    for (const path of all.filter((each) => statSync(each).size < LARGEST)) {
      const parts = path.endsWith(".gltf") ? filesUnder(dirname(path), [".bin"]) : [];
      await drop(page, [path, ...parts].map(fileOf));
      assert.equal((await characters())[0].name, basename(path), (await lastError())?.what);
      const [picture, project] = [await shoot(page), await projection(page)];
      const seen = drawnBox(picture);
      assert.ok(seen.count > 150, `${basename(path)} is blank: ${seen.count} pixels`);
      const expected = boxOf(positionsIn(engine, path, parts).map(project));
      for (const side of ["left", "right", "top", "bottom"]) {
        assert.ok(
          Math.abs(seen[side] - expected[side]) < LARGEST_SLIP,
          `${basename(path)}, ${side}: drawn to ${seen[side]}, not ${expected[side]}`,
        );
      }
      const filled = Math.max((seen.right - seen.left) / picture.width, (seen.bottom - seen.top) / picture.height);
      assert.ok(
        filled > 0.25 && within(seen, { left: 1, top: 1, right: picture.width - 2, bottom: picture.height - 2 }),
        `${basename(path)} fills ${filled} of the view`,
      );
    }
    await switchLooks();
  });

  test("a second file goes beside the first with Shift", async () => {
    const walk = fileOf(join(root, "assets/ulna-run.bvh"));
    await drop(page, [fileOf(join(root, "assets/ulna-character.glb"))]);
    await drop(page, [walk], { shift: true });
    assert.deepEqual(
      (await characters()).map(({ name }) => name),
      ["ulna-character.glb", "ulna-run.bvh"],
    );
  });

  test("a folder is dropped, and a glTF finds its own buffer among those of one name", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ulna-folder-"));
    const from = join(shared, "gltf/RiggedFigure/glTF");
    mkdirSync(join(folder, "figure/data"), { recursive: true });
    mkdirSync(join(folder, "figure/other"));
    const [name] = readdirSync(from).filter((each) => each.endsWith(".gltf"));
    const document = JSON.parse(readFileSync(join(from, name), "utf8"));
    const [buffer] = document.buffers;
    cpSync(join(from, buffer.uri), join(folder, "figure/data", buffer.uri));
    writeFileSync(join(folder, "figure/other", buffer.uri), "another");
    buffer.uri = `data/${buffer.uri}`;
    writeFileSync(join(folder, "figure", name), JSON.stringify(document));
    writeFileSync(join(folder, "figure/notes.txt"), "nothing to open");
    const before = await look(page, (studio) => studio.openings);
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [join(folder, "figure")], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"])
      await session.send("Input.dispatchDragEvent", { type, x: 300, y: 200, data });
    await session.detach();
    const asked = "document.querySelector('.question') !== null";
    await until(page, `window.ulnaStudio.openings > ${before} || ${asked}`);
    if (await page.evaluate(asked))
      await page.locator(".question").getByRole("button", { name: "Open instead" }).click();
    await until(page, `window.ulnaStudio.openings > ${before}`);
    assert.deepEqual(
      (await characters()).map(({ name: each, meshes }) => [each, meshes]),
      [[name, 1]],
    );
    assert.equal(await lastError(), null);
    rmSync(folder, { recursive: true });
  });

  test("a bad file says where and why, and what is open stays", async () => {
    const before = await characters();
    await drop(page, [{ name: "broken.bvh", bytes: "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 zero\n" }]);
    const error = await lastError();
    assert.match(error.location, /^broken\.bvh:4/);
    assert.ok(error.what.length > 5);
    assert.match(await page.locator(".card.error .location").last().textContent(), /broken\.bvh:4/);
    assert.deepEqual(await characters(), before);
  });

  test("an empty file, a picture and half a GLB break nothing", async () => {
    const before = await characters();
    for (const [name, bytes] of [
      ["empty.bvh", ""],
      ["photo.png", "\x89PNG\r\n"],
      ["half.glb", fileOf(join(root, "assets/ulna-character.glb")).bytes.subarray(0, 5000)],
    ]) {
      await drop(page, [{ name, bytes: Buffer.from(bytes, "latin1") }]);
      assert.equal((await lastError()).title, `${name} could not be opened`);
    }
    assert.deepEqual(await characters(), before);
  });

  test("a rig of 200 joints can be dragged", async () => {
    const joints = Array.from({ length: 200 }, (_, i) => ({
      name: `j${i}`,
      ...(i > 0 ? { parent: `j${i % 20 === 0 ? 0 : i - 1}` } : {}),
      kind: i === 0 ? "free" : "ball",
      offset:
        i === 0
          ? [0, 1, 0]
          : i % 20 === 0
            ? [0, 0, 0]
            : i % 20 === 1
              ? [Math.cos(i) * 0.1, 0.05, Math.sin(i) * 0.1]
              : [Math.cos(Math.floor(i / 20)) * 0.1, 0.02, Math.sin(Math.floor(i / 20)) * 0.1],
    }));
    await drop(page, [{ name: "big.rig.json", bytes: JSON.stringify({ ulna: 1, joints }) }]);
    assert.equal((await characters())[0].joints, 200, (await lastError())?.what);
    await closeCards(page);
    const screens = () =>
      look(page, (studio) => Object.fromEntries(studio.names.map((name) => [name, studio.screen(name)])));
    const before = await screens();
    const start = Object.values(before)
      .filter(({ shown }) => shown)
      .at(-1);
    const [moves, frames, begin] = [12, await look(page, (studio) => studio.frames), performance.now()];
    // Within reach: a quarter of the way to the root, and as much aside.
    const way = {
      x: (before.j0.x - start.x - before.j0.y + start.y) / 4,
      y: (before.j0.y - start.y + before.j0.x - start.x) / 4,
    };
    const target = { x: start.x + way.x, y: start.y + way.y };
    await dragMouse(page, start, target, { steps: moves });
    const [drawn, seconds] = [
      (await look(page, (studio) => studio.frames)) - frames,
      (performance.now() - begin) / 1000,
    ];
    const { report, timings } = await look(page, ({ report, timings }) => ({ report, timings }));
    console.log(
      `    200 joints: ${report.milliseconds.toFixed(1)} ms a solve, ${timings.script.toFixed(1)} ms of script a frame, ${(drawn / seconds).toFixed(0)} frames a second`,
    );
    assert.ok(drawn >= moves && drawn / seconds > 3, `${drawn} frames in ${seconds} s`);
    assert.ok(report.milliseconds < 60, `${report.milliseconds} ms`);
    // Joints lie above one another: whichever was taken went along.
    const taken = await look(page, (studio) => studio.selected);
    const [from, to] = [before[taken], (await screens())[taken]];
    assert.ok(
      Math.hypot(to.x - from.x - way.x, to.y - from.y - way.y) < 4,
      `${taken} went by ${to.x - from.x}, ${to.y - from.y}, not ${way.x}, ${way.y}`,
    );
  });

  test("ten minutes of BVH open within a few seconds", async () => {
    const long = longBvh({ frames: 600 * 30 });
    await drop(page, [{ name: "long.bvh", bytes: long }]);
    const seconds = (await look(page, (studio) => studio.timings.open)) / 1000;
    assert.equal((await characters())[0].name, "long.bvh", (await lastError())?.what);
    console.log(`    ten minutes of BVH, ${(long.length / 1e6).toFixed(0)} MB: open in ${seconds.toFixed(2)} s`);
    assert.ok(seconds < 10, `${seconds} s`);
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
