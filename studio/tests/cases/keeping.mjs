// SPDX-License-Identifier: Apache-2.0

// Nothing is lost: exports, projects, what undo brings back, and work that outlives the page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { poseOfBvh, poseOfGlb } from "../readers.mjs";
import {
  borrowStudio,
  closeCards,
  distance,
  dragMouse,
  drop,
  fileOf,
  learn,
  look,
  nextFrame,
  openStudio,
  root,
  until,
} from "../support.mjs";

export function keeping(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser(), { skin: false });
    page = studio.page;
  });

  const positions = (of = page) => look(of, (studio) => studio.names.map((name) => studio.position(name)));
  const worst = (a, b) => Math.max(...a.map((position, i) => distance(position, b[i])));
  const pull = async (joint, by, of = page) => {
    const from = await look(of, (studio, joint) => studio.screen(joint), joint);
    await dragMouse(of, from, { x: from.x + by.x, y: from.y + by.y });
  };
  const scrub = async (share, of = page) => {
    const box = await of.locator(".strip").boundingBox();
    await of.mouse.click(box.x + share * box.width, box.y + 6);
    await nextFrame(of);
  };
  const choose = async (menu, name, of = page) => {
    const element = of.locator(".menu", { hasText: menu });
    await element.locator("> button").click();
    await element.getByRole("menuitem", { name }).first().click();
  };
  const answer = (name, of = page) => of.locator(".question").getByRole("button", { name }).click();
  const bytesOf = async (coming) => {
    const download = await coming;
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };

  test("an export asks what it holds, once, and the pose in the file is the pose on screen to 1e-6", async () => {
    const panel = page.locator('[data-section="files"]');
    await panel.locator("summary").click();
    await panel.locator("select").selectOption("ask"); // whoever was asked before
    await panel.locator("summary").click();
    await scrub(0.4);
    await pull("LeftHand", { x: 40, y: -70 });
    const shown = await positions();
    const coming = page.waitForEvent("download");
    await choose("Export", "GLB");
    await answer("The pose on screen");
    const glb = await bytesOf(coming);
    assert.equal(glb.name, "ulna-character.glb");
    const names = await look(page, (studio) => studio.names);
    const size = await look(page, (studio) => studio.size);
    // End sites have no names in BVH.
    const off = (found) => {
      const known = names.flatMap((name, i) => (found.has(name) ? [[shown[i], found.get(name)]] : []));
      assert.ok(known.length >= 20, `${known.length} joints`);
      return Math.max(...known.map(([a, b]) => distance(a, b))) / size;
    };
    const glbOff = off(await poseOfGlb(glb.bytes, "pose"));
    assert.ok(glbOff < 1e-6, `GLB: ${glbOff}`);
    const next = page.waitForEvent("download");
    await choose("Export", "BVH"); // not asked again
    const bvh = await bytesOf(next);
    const bvhOff = off(poseOfBvh(bvh.bytes.toString()));
    assert.ok(bvhOff < 1e-6, `BVH: ${bvhOff}`);
  });

  test("an edit that is not keyed is there again after a scrub, and its pose is marked on the timeline", async () => {
    const edited = await positions();
    const [time] = await look(page, (studio) => [studio.time]);
    await scrub(0.7);
    assert.ok(worst(edited, await positions()) > 0.01);
    assert.deepEqual(await look(page, (studio) => studio.drafts), [time]);
    await scrub(0.4);
    assert.ok(worst(edited, await positions()) < 1e-9);
    assert.equal(await look(page, (studio) => studio.time), time);
    assert.equal(await look(page, (studio) => studio.edited), true);
  });

  test("a project that is saved and dropped again is what there was", async () => {
    await page.locator(".canvas").press("p");
    const state = () =>
      look(page, ({ pose, pins, time, clip, drafts, locked, camera }) => ({
        pose,
        pins,
        time,
        clip,
        drafts,
        locked,
        camera,
      }));
    const before = await state();
    const coming = page.waitForEvent("download");
    await page.keyboard.press("Control+s");
    const project = await bytesOf(coming);
    assert.equal(project.name, "ulna-character.ulna.json");
    assert.equal(await look(page, (studio) => studio.unsaved), false);
    const opened = await look(page, (studio) => studio.openings);
    await page.locator(".brand").click();
    await until(page, `window.ulnaStudio.openings > ${opened}`);
    assert.notEqual((await state()).pins.length, before.pins.length);
    await drop(page, [project]);
    const after = await state();
    const { camera, ...rest } = before;
    assert.deepEqual({ ...after, camera: undefined }, { ...rest, camera: undefined });
    assert.ok(distance(after.camera.position, camera.position) < 1e-3);
  });

  test("a file that is opened asks where work is not saved, and undo brings back what made room", async () => {
    await closeCards(page);
    await pull("Head", { x: 30, y: 10 });
    const work = await positions();
    assert.equal(await look(page, (studio) => studio.unsaved), true);
    const rig = {
      ulna: 1,
      joints: [
        { name: "a", kind: "ball" },
        { name: "b", parent: "a", offset: [0, 1, 0] },
      ],
    };
    const file = { name: "stick.rig.json", bytes: JSON.stringify(rig) };
    await drop(page, [file], { answer: null });
    assert.match(await page.locator(".question h2").textContent(), /Open stick\.rig\.json/);
    await answer("Open instead");
    await until(page, "window.ulnaStudio.names.length === 2");
    await page.keyboard.press("Control+z");
    await until(page, "window.ulnaStudio.names.length > 2");
    assert.ok(worst(work, await positions()) < 1e-12);
    await learn(page);
    await page.getByRole("button", { name: "Planar tree" }).click();
    await until(page, "window.ulnaStudio.characters[0].planar");
    await learn(page, false);
    await page.keyboard.press("Control+z");
    assert.ok(worst(work, await positions()) < 1e-12);
    await drop(page, [fileOf(join(root, "assets/ulna-run.bvh"))], { shift: true });
    await page.locator('[title="Remove ulna-run.bvh"]').click();
    await page.keyboard.press("Control+z");
    assert.equal((await look(page, (studio) => studio.characters)).length, 2);
    await page.keyboard.press("Control+z");
    assert.ok(worst(work, await positions()) < 1e-12);
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));

  // ---- pages that end

  let own;
  after(() => own?.close());

  const opened = async () => {
    await until(page2(), "window.ulnaStudio !== undefined");
  };
  const page2 = () => own.page;

  test("closing the page asks where work would be lost, and not where it is kept or saved", async () => {
    own = await openStudio(browser(), { hash: "#keep" });
    await opened();
    const leave = async () => {
      let asked = false;
      const listen = (dialog) => {
        asked = true;
        void dialog.dismiss();
      };
      own.page.on("dialog", listen);
      await own.page.evaluate(() => {
        const event = new Event("beforeunload", { cancelable: true });
        window.dispatchEvent(event);
        document.title = String(event.defaultPrevented);
      });
      own.page.off("dialog", listen);
      return asked || (await own.page.title()) === "true";
    };
    if (await own.page.locator("#tour-skip").isVisible()) await own.page.locator("#tour-skip").click();
    assert.equal(await leave(), false);
    await pull("LeftHand", { x: 30, y: -40 }, own.page);
    assert.equal(await leave(), true);
    const card = own.page.locator(".card", { hasText: "Keep your work" });
    await card.getByRole("button", { name: "Keep it" }).click();
    await until(own.page, "window.ulnaStudio.kept");
    assert.equal(await leave(), false);
  });

  const stateOf = ({ pose, pins, clip, drafts, characters }) =>
    JSON.stringify({ pose, pins, keys: clip?.keys, layers: clip?.layers, drafts, characters });
  /** What there is, with the time since which it is there, as it goes on. */
  let log = [];
  const watch = async () => {
    log = [];
    await own.page.exposeFunction("noteState", (state) => log.push({ time: performance.now(), state }));
    await own.page.evaluate(`{
      let last = "";
      const note = () => {
        const state = (${stateOf})(window.ulnaStudio);
        if (state !== last) window.noteState((last = state));
      };
      setInterval(note, 15);
      note();
    }`);
    return log;
  };

  test("work outlives the page: after the plug is pulled all but the last 5 s is there again", async () => {
    const rounds = Number(process.env.ULNA_PLUGS ?? 2);
    let worstSeconds = 0;
    for (let round = 0; round < rounds; ++round) {
      const log = await watch();
      const end = performance.now() + 300 + ((round * 977) % 7) * 500;
      for (let i = 0; performance.now() < end || i < 2; ++i) {
        const act = (round + i) % 5;
        if (act === 0) await pull("RightHand", { x: 12 - 5 * i, y: -15 }, own.page);
        if (act === 1) await own.page.keyboard.press("k");
        if (act === 2) await scrub(0.15 + (((round + i) * 7) % 10) / 14, own.page);
        if (act === 3) await own.page.locator(".canvas").press("p");
        if (act === 4) await own.page.keyboard.press("Control+z");
      }
      const context = own.page.context();
      const killed = performance.now();
      const session = await context.newCDPSession(own.page);
      await Promise.race([
        session.send("Page.crash").catch(() => {}),
        new Promise((done) => own.page.once("crash", done)),
      ]);
      await own.page.close();
      const next = await context.newPage();
      next.on("pageerror", (error) => own.problems.push(String(error)));
      await next.goto(own.url + "#keep");
      own = { ...own, page: next };
      await opened();
      await next.locator(".question").getByRole("button", { name: "Open it" }).click();
      await until(next, "window.ulnaStudio.unsaved");
      const found = await look(next, stateOf);
      const last = log.findLast(({ state }) => state === found);
      assert.ok(last, `round ${round}: what was recovered is nothing that there was`);
      // Lost is what was done after the state that was found ended.
      const ended = log[log.indexOf(last) + 1]?.time ?? killed;
      worstSeconds = Math.max(worstSeconds, (killed - ended) / 1000);
      assert.ok(killed - ended < 5000, `round ${round}: the last ${(killed - ended) / 1000} s are lost`);
      await until(next, "window.ulnaStudio.kept");
    }
    console.log(`    pulled the plug ${rounds} times: at most the last ${worstSeconds.toFixed(1)} s were lost`);
  });

  test("nothing went wrong in the pages that ended", () => assert.deepEqual(own.problems, []));
}
