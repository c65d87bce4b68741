// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { decodeGif } from "../gif.mjs";
import { boxOf, makeProjection } from "../oracle.mjs";
import { decodePng } from "../picture.mjs";
import { borrowStudio, closeCards, look, until } from "../support.mjs";

const NEAR = 1.6; // pixels that edges may be off: half a pixel is drawn, two are one

export function film(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser());
    page = studio.page;
  });

  const open = async (item) => {
    await page.locator(".menu", { hasText: "Export" }).locator("> button").click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const field = (label, value) =>
    page.locator(`.film input[aria-label="${label}"]`).evaluate((input, value) => {
      input.value = String(value);
      input.dispatchEvent(new Event("change"));
    }, value);
  const choose = (name) => page.locator(".film").getByRole("radio", { name, exact: true }).click();
  const turn = async (name, on) => {
    const box = page.locator(".film .toggle", { hasText: name });
    if ((await box.isVisible()) && (await box.locator("input").isChecked()) !== on) await box.click();
  };
  const sized = async (width, height) => {
    await field("Width in pixels", width);
    await field("Height in pixels", height);
  };
  const save = async () => {
    await until(page, `!document.querySelector("#film-save").disabled`);
    const coming = page.waitForEvent("download");
    await page.locator("#film-save").click();
    const download = await coming;
    const pieces = [];
    for await (const piece of await download.createReadStream()) pieces.push(piece);
    await until(page, `document.querySelector(".film").open === false`);
    return { name: download.suggestedFilename(), bytes: Buffer.concat(pieces) };
  };

  /** The box of what is not clear. */
  const drawn = ({ pixels, width }) => {
    const points = [];
    for (let i = 0; 4 * i < pixels.length; ++i)
      if (pixels[4 * i + 3] > 127) points.push({ x: (i % width) + 0.5, y: Math.floor(i / width) + 0.5 });
    return boxOf(points);
  };
  /** The boxes of the vertices in pictures: seen by the view's camera, turned about its target. */
  async function expecting() {
    // As text, which is faster by far than so many numbers.
    const { camera, placement, vertices } = JSON.parse(
      await page.evaluate(() => {
        const { ulnaStudio: studio } = window;
        const { camera } = studio;
        return JSON.stringify({ camera, placement: studio.placement(), vertices: studio.vertices() });
      }),
    );
    return (width, height, { angle = 0, wider = 1 } = {}) => {
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const [x, y, z] = camera.position.map((value, i) => value - camera.target[i]);
      const position = [x * cos + z * sin, y, z * cos - x * sin].map((value, i) => value + camera.target[i]);
      const fov = (Math.atan(Math.tan((camera.fov * Math.PI) / 360) * wider) * 360) / Math.PI;
      const project = makeProjection({ ...camera, position, fov }, placement, { x: 0, y: 0, width, height });
      return boxOf(Array.from({ length: vertices.length / 3 }, (_, i) => project(vertices.slice(3 * i, 3 * i + 3))));
    };
  }
  const assertNear = (seen, wanted, what) => {
    for (const side of ["left", "right", "top", "bottom"])
      assert.ok(Math.abs(seen[side] - wanted[side]) < NEAR, `${what}, ${side}: ${seen[side]}, not ${wanted[side]}`);
  };

  test("a picture of any size shows the body alone, where the view has it, on nothing", async () => {
    await open("Picture");
    await turn("Transparent", true);
    await turn("Shadow", false);
    await sized(1203, 401); // more than is drawn at once
    const { name, bytes } = await save();
    assert.equal(name, "ulna-character.png");
    const picture = decodePng(bytes);
    assert.deepEqual([picture.width, picture.height, picture.channels], [1203, 401, 4]);
    assertNear(drawn(picture), (await expecting())(1203, 401), "wide");
    // The view shows orange pins and white rings of joints over it; a picture does not.
    const orange = (i) => picture.pixels[i] > 180 && picture.pixels[i + 2] < 60 && picture.pixels[i + 3] > 127;
    let count = 0;
    for (let i = 0; i < picture.pixels.length; i += 4) count += orange(i) ? 1 : 0;
    assert.equal(count, 0);
  });

  test("an upright picture shows all that the view shows, or the body closely", async () => {
    const view = await page.locator(".canvas").boundingBox();
    await open("Picture");
    await sized(90, 200);
    assertNear(
      drawn(decodePng((await save()).bytes)),
      (await expecting())(90, 200, { wider: view.width / view.height / (90 / 200) }),
      "upright",
    );
    await open("Picture");
    await choose("Close-up");
    const { left, right, top, bottom } = drawn(decodePng((await save()).bytes));
    assert.ok(left > 0 && top > 0 && right < 90 && bottom < 200);
    assert.ok(Math.max((right - left) / 90, (bottom - top) / 200) > 0.9, `${right - left} by ${bottom - top}`);
  });

  test("a turntable goes once around as GIF, and the view stays as it is", async () => {
    const before = await look(page, ({ camera, pose, time }) => ({ camera, pose, time }));
    await open("Film");
    await choose("Turntable");
    await choose("GIF");
    await choose("As in the view");
    await page.selectOption('.film select[aria-label="Pictures a second"]', "10");
    await turn("Transparent", true);
    await sized(240, 120);
    await field("Seconds of a turn", 0.5);
    const { name, bytes } = await save();
    assert.equal(name, "ulna-character-turntable.gif");
    const { frames, width } = decodeGif(bytes);
    assert.equal(frames.length, 5);
    const expected = await expecting();
    for (const [i, { pixels, hundredths }] of frames.entries()) {
      assert.equal(hundredths, 10);
      assertNear(drawn({ pixels, width }), expected(240, 120, { angle: (2 * Math.PI * i) / 5 }), `picture ${i}`);
    }
    assert.deepEqual(await look(page, ({ camera, pose, time }) => ({ camera, pose, time })), before);
  });

  for (const [format, type] of [
    ["MP4", "video/mp4"],
    ["WebM", "video/webm"],
  ]) {
    test(`a clip as ${format} is read by the browser, at the right times; or the sheet says that it cannot be`, async () => {
      await page.selectOption("#clip", { label: "run" });
      await open("Film");
      await choose("Clip");
      await choose(format);
      await turn("Transparent", false);
      await page.selectOption('.film select[aria-label="Pictures a second"]', "12");
      await sized(161, 120); // made even
      await field("To, in seconds", 0.5);
      await until(page, `/pictures of|cannot/.test(document.querySelector(".film .about").textContent)`);
      const note = await page.locator(".film .about").textContent();
      if (/cannot make/.test(note) && (await page.locator("#film-save").isDisabled())) {
        assert.match(note, new RegExp(`cannot make ${format}`));
        await page.keyboard.press("Escape");
        return;
      }
      const { bytes } = await save();
      // The first picture and a later one, as the browser plays them.
      const played = await page.evaluate(
        async ([base64, type, later]) => {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const video = document.createElement("video");
          const presented = () => new Promise((done) => video.requestVideoFrameCallback(done));
          const first = presented();
          video.muted = true;
          video.src = URL.createObjectURL(new Blob([bytes], { type }));
          await first;
          const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
          const context = canvas.getContext("2d", { willReadFrequently: true });
          const pictures = [];
          const shoot = () => {
            context.drawImage(video, 0, 0);
            pictures.push([...context.getImageData(0, 0, canvas.width, canvas.height).data]);
          };
          shoot();
          const second = presented();
          video.currentTime = later;
          await second;
          shoot();
          return { width: canvas.width, height: canvas.height, duration: video.duration, pictures };
        },
        [bytes.toString("base64"), type, 0.29],
      );
      assert.deepEqual([played.width, played.height], [162, 120]);
      assert.ok(Math.abs(played.duration - 0.5) < 0.01, `${played.duration}`);
      const mean = (a, b) => a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
      const [first, later] = played.pictures;
      assert.ok(mean(first, later) > 2, `${mean(first, later)}`);
      await open("Picture"); // at the start of the clip
      await sized(162, 120);
      const still = [...decodePng((await save()).bytes).pixels];
      assert.ok(still.every((value, i) => i % 4 !== 3 || value === 255));
      assert.ok(mean(first, still) < 0.7 * mean(later, still), `${mean(first, still)} of ${mean(later, still)}`);
    });
  }

  test("a loop as WebP is read by the browser, with what is seen through", async () => {
    await open("Film");
    await choose("Turntable");
    await choose("WebP");
    await turn("Transparent", true);
    await sized(240, 120);
    await page.selectOption('.film select[aria-label="Pictures a second"]', "10");
    const { bytes } = await save();
    const { count, shown } = await page.evaluate(async (base64) => {
      const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const decoder = new ImageDecoder({ data, type: "image/webp" });
      await decoder.completed;
      await decoder.tracks.ready;
      const count = decoder.tracks.selectedTrack.frameCount;
      const shown = [];
      for (const frameIndex of [0, 2]) {
        const { image } = await decoder.decode({ frameIndex });
        const canvas = new OffscreenCanvas(240, 120);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        image.close();
        shown.push([...context.getImageData(0, 0, 240, 120).data]);
      }
      return { count, shown };
    }, bytes.toString("base64"));
    assert.equal(count, 5);
    const expected = await expecting();
    for (const [i, pixels] of shown.entries())
      assertNear(drawn({ pixels, width: 240 }), expected(240, 120, { angle: (2 * Math.PI * 2 * i) / 5 }), `${i}`);
  });

  test("a film that is cancelled leaves the characters as they were", async () => {
    await page.selectOption("#clip", { label: "idle" }); // long enough to be cancelled
    const before = await look(page, ({ pose, time }) => ({ pose, time }));
    await closeCards(page);
    await open("Film");
    await choose("Clip");
    await choose("GIF");
    await sized(64, 64);
    await page.locator("#film-save").click();
    await until(page, `document.querySelector(".film progress").value > 0`);
    await page.keyboard.press("Escape");
    await until(page, `document.querySelector(".film progress").hidden`);
    assert.deepEqual(await look(page, ({ pose, time }) => ({ pose, time })), before);
    assert.equal(await page.locator(".card", { hasText: "Saved" }).filter({ hasText: ".gif" }).count(), 0);
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
