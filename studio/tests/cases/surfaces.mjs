// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { join } from "node:path";
import { boxOf, makeEngine, must } from "../oracle.mjs";
import { difference, drawnBox } from "../picture.mjs";
import {
  borrowStudio,
  closeCards,
  distance,
  drop,
  fileOf,
  look,
  nextFrame,
  projection,
  root,
  shoot,
} from "../support.mjs";

const DEGREE = Math.PI / 180;
const RADIUS = 0.16;
const [RINGS, SIDES] = [45, 16];
const ARM = {
  ulna: 1,
  joints: [
    { name: "upper", kind: "ball" },
    { name: "lower", parent: "upper", kind: "ball", order: "xyz", offset: [1, 0, 0] },
    { name: "end", parent: "lower", kind: "fixed", offset: [1, 0, 0] },
  ],
};

/** A tube about the arm, open at its ends: vertices, and triangles by their corners. */
function makeTube(scale = 1) {
  const vertices = [];
  const triangles = [];
  for (let ring = 0; ring < RINGS; ++ring) {
    for (let side = 0; side < SIDES; ++side) {
      const angle = (2 * Math.PI * side) / SIDES;
      vertices.push(
        [-0.1 + (2.2 * ring) / (RINGS - 1), RADIUS * Math.cos(angle), RADIUS * Math.sin(angle)].map(
          (value) => value * scale,
        ),
      );
      if (ring === 0) continue;
      const [a, b] = [ring * SIDES + side, ring * SIDES + ((side + 1) % SIDES)];
      triangles.push([a - SIDES, b - SIDES, b], [a - SIDES, b, a]);
    }
  }
  return { vertices, triangles };
}

const rows = (list) => list.map((row) => row.join(" ")).join("\n");
const writeObj = ({ vertices, triangles }) =>
  [...vertices.map((v) => `v ${v.join(" ")}`), ...triangles.map((t) => `f ${t.map((i) => i + 1).join(" ")}`), ""].join(
    "\n",
  );
const writePly = ({ vertices, triangles }) =>
  `ply\nformat ascii 1.0\nelement vertex ${vertices.length}\nproperty float x\nproperty float y\nproperty float z\n` +
  `element face ${triangles.length}\nproperty list uchar int vertex_indices\nend_header\n${rows(vertices)}\n${rows(triangles.map((t) => [3, ...t]))}\n`;

export function surfaces(browser) {
  let studio, page;
  before(async () => {
    studio = await borrowStudio(browser());
    page = studio.page;
  });

  const tube = makeTube();
  const openArm = () => drop(page, [{ name: "arm.rig.json", bytes: JSON.stringify(ARM) }]);
  const meshes = async () => (await look(page, (studio) => studio.characters[0])).meshes;
  const lastError = () => look(page, (studio) => studio.lastError);
  const vertices = async () => {
    const numbers = await look(page, (studio) => studio.vertices());
    return tube.vertices.map((_, v) => numbers.slice(3 * v, 3 * v + 3));
  };
  /** How much each vertex goes with the lower arm. */
  const shares = () =>
    look(page, (studio) =>
      ["lower", "end"].map((name) => studio.weightsOf(name)).reduce((a, b) => a.map((value, i) => value + b[i])),
    );
  const turnLower = async (axis, degrees) => {
    await page.selectOption("#joint", { label: "lower" });
    const field = page.locator(`.field input[aria-label$="lower.r${axis} in degrees"]`);
    await field.fill(String(degrees));
    await field.press("Enter");
    await field.blur();
    await nextFrame(page);
  };
  const blend = async (name) => {
    const skin = page.locator('[data-section="skin"]');
    if ((await skin.getAttribute("open")) === null) await skin.locator("summary").click();
    await page.locator(`.segment-item[data-value="${name}"]`).click();
    await nextFrame(page);
  };

  for (const [name, write] of [
    ["tube.obj", writeObj],
    ["tube.ply", writePly],
  ]) {
    test(`${name} dropped onto a skeleton becomes its skin, which bends with it; undo takes it off`, async () => {
      await openArm();
      const bare = await shoot(page);
      await drop(page, [{ name, bytes: write(tube) }]);
      assert.equal(await meshes(), 1, (await lastError())?.what);
      await closeCards(page);
      await page.keyboard.press("f");
      const [picture, project] = [await shoot(page), await projection(page)];
      const [seen, expected] = [drawnBox(picture), boxOf(tube.vertices.map(project))];
      for (const side of ["left", "right", "top", "bottom"])
        assert.ok(Math.abs(seen[side] - expected[side]) < 12, `${side}: ${seen[side]}, not ${expected[side]}`);
      await blend("linear");
      await turnLower("z", 60);
      const [bent, follows] = [await vertices(), await shares()];
      tube.vertices.forEach(([x, y, z], v) => {
        // A straight mixture of where the two bones take it; which is which, its position tells.
        const [c, s, w] = [Math.cos(60 * DEGREE), Math.sin(60 * DEGREE), follows[v]];
        const turned = [1 + c * (x - 1) - s * y, s * (x - 1) + c * y, z];
        const target = [x, y, z].map((value, i) => (1 - w) * value + w * turned[i]);
        assert.ok(distance(bent[v], target) < 1e-4, `vertex ${v} is at ${bent[v]}, not ${target}`);
        assert.ok(x > 0.6 || w < 0.1, `${w} at ${x}`);
        assert.ok(x < 1.4 || w > 0.9, `${w} at ${x}`);
      });
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+z");
      assert.equal(await meshes(), 0);
      await page.keyboard.press("Escape");
      await page.keyboard.press("f");
      assert.equal(difference(await shoot(page), bare).count, 0, "something is left of it");
      await page.keyboard.press("Control+Shift+z");
      assert.equal(await meshes(), 1);
    });
  }

  test("a surface and its skeleton can be dropped together, in any order", async () => {
    await drop(page, [
      { name: "a.obj", bytes: writeObj(tube) },
      { name: "b.rig.json", bytes: JSON.stringify(ARM) },
    ]);
    assert.deepEqual(await look(page, (studio) => studio.characters.map(({ name, meshes }) => [name, meshes])), [
      ["b.rig.json", 1],
    ]);
    await closeCards(page);
  });

  test("linear skins thin out by the cosine of the twist, dual quaternions keep the radius, and at rest both are one", async () => {
    const radius = (v) => Math.hypot(v[1], v[2]);
    const rest = {};
    for (const name of ["linear", "dual"]) {
      await blend(name);
      rest[name] = await vertices();
    }
    rest.linear.forEach((v, i) => assert.ok(Math.hypot(...v.map((value, k) => value - rest.dual[i][k])) < 1e-6));
    await turnLower("x", 150);
    const follows = await shares();
    const half = 150 * DEGREE;
    assert.ok(
      follows.some((w) => w > 0.4 && w < 0.6),
      "nothing is tied to both",
    );
    await blend("linear");
    const linear = await vertices();
    linear.forEach((v, i) => {
      const w = follows[i];
      const theory = RADIUS * Math.sqrt(w * w + (1 - w) * (1 - w) + 2 * w * (1 - w) * Math.cos(half));
      assert.ok(Math.abs(radius(v) - theory) < 1e-4, `vertex ${i} of weight ${w}: ${radius(v)}, not ${theory}`);
    });
    await blend("dual");
    (await vertices()).forEach((v, i) => assert.ok(Math.abs(radius(v) - RADIUS) < 1e-4, `vertex ${i}: ${radius(v)}`));
    assert.ok(Math.min(...linear.map(radius)) < 0.4 * RADIUS);
  });

  test("a motion file gets a body: the bundled surface is tied to it and follows", async () => {
    const engine = await makeEngine();
    const { name, bytes } = fileOf(join(root, "assets/ulna-character.glb"));
    const {
      meshes: [body],
    } = must(engine.open(bytes, name));
    const { bytes: obj } = must(engine.writeMesh(body, "obj"));
    await drop(page, [fileOf(join(root, "assets/ulna-run.bvh"))]);
    await drop(page, [{ name: "body.obj", bytes: obj }]);
    assert.equal(await meshes(), 1, (await lastError())?.what);
    await closeCards(page);
    await blend("linear");
    // A motion file has its hips at the origin, the body stands: it has to be found where the skeleton fits.
    const box = await page.locator(".strip").boundingBox();
    await page.mouse.click(box.x + 0.6 * box.width, box.y + 6);
    await nextFrame(page);
    const [numbers, pose] = await look(page, (studio) => [studio.vertices(), studio.pose]);
    const expected = body.positions;
    body.deform(Float64Array.from(pose), { positions: expected }, { blend: "linear", twist: "limb" });
    const slips = Array.from({ length: expected.length / 3 }, (_, v) =>
      distance(numbers.slice(3 * v, 3 * v + 3), [...expected.subarray(3 * v, 3 * v + 3)]),
    );
    slips.sort((a, b) => a - b);
    const [most, worst] = [slips[Math.floor(0.95 * slips.length)], slips.at(-1)];
    // The bundled weights are bone heat's but at shoulders and hips, where they are mended.
    assert.ok(most < 0.02 && worst < 0.1, `${most} and at worst ${worst} from where the bundled weights take it`);
    const exported = Buffer.from(await look(page, (studio) => studio.exported("glb")), "base64");
    const again = must(engine.open(exported, "again.glb"));
    const written = again.meshes[0].positions;
    again.meshes[0].deform(
      again.clips[0].sample(await look(page, (studio) => studio.time)),
      { positions: written },
      { blend: "linear", twist: "limb" },
    );
    written.forEach((value, i) =>
      assert.ok(Math.abs(value - numbers[i]) < 1e-3, `number ${i} of the export is ${value}, not ${numbers[i]}`),
    );
  });

  test("a surface that cannot be tied says why, and nothing changes", async () => {
    await openArm();
    const before = await look(page, (studio) => studio.characters);
    const away = { ...tube, vertices: tube.vertices.map(([x, y, z]) => [x, y, z + 50]) };
    for (const [name, bytes, why] of [
      ["large.obj", writeObj(makeTube(100)), /110 times as large/],
      ["away.obj", writeObj(away), /no joint/],
      ["points.obj", writeObj({ ...tube, triangles: [] }), /triangle|face|surface/],
      ["broken.obj", "v 0 0 zero\n", /number/],
      ["broken.ply", "ply\nformat ascii 1.0\nelement vertex 3\n", /./],
      ["empty.ply", "", /empty/],
    ]) {
      await drop(page, [{ name, bytes }]);
      const error = await lastError();
      assert.equal(error?.title, `${name} could not be opened`);
      assert.match(error.location, new RegExp(`^${name.replace(".", "\\.")}`));
      assert.match(error.what, why, name);
      await closeCards(page);
    }
    await drop(page, [{ name: "small.obj", bytes: writeObj(makeTube(0.001)) }]);
    assert.match((await lastError()).what, /the skeleton is 909 times as large/);
    await closeCards(page);
    await drop(page, [
      { name: "one.rig.json", bytes: JSON.stringify({ ulna: 1, joints: [{ name: "alone", kind: "free" }] }) },
    ]);
    await drop(page, [{ name: "tube.obj", bytes: writeObj(tube) }]);
    assert.equal(await lastError(), null, "one joint takes it all along");
    await openArm();
    assert.deepEqual(await look(page, (studio) => studio.characters), before);
    await closeCards(page);
  });

  test("nothing went wrong meanwhile", () => assert.deepEqual(studio.problems, []));
}
