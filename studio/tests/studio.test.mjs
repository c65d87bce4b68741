// SPDX-License-Identifier: Apache-2.0

// The page in a real browser. All in one process and nearly all on one page, since starting either takes longer than
// most tests.
import { after, before, describe } from "node:test";
import { access } from "./cases/access.mjs";
import { company } from "./cases/company.mjs";
import { dragging } from "./cases/dragging.mjs";
import { drawing } from "./cases/drawing.mjs";
import { film } from "./cases/film.mjs";
import { files } from "./cases/files.mjs";
import { fitting } from "./cases/fitting.mjs";
import { foreign } from "./cases/foreign.mjs";
import { goals } from "./cases/goals.mjs";
import { handles } from "./cases/handles.mjs";
import { hands } from "./cases/hands.mjs";
import { holds } from "./cases/holds.mjs";
import { keeping } from "./cases/keeping.mjs";
import { keys } from "./cases/keys.mjs";
import { languages } from "./cases/languages.mjs";
import { large } from "./cases/large.mjs";
import { layers } from "./cases/layers.mjs";
import { learning } from "./cases/learn.mjs";
import { looks } from "./cases/looks.mjs";
import { motion } from "./cases/motion.mjs";
import { page } from "./cases/page.mjs";
import { plane } from "./cases/plane.mjs";
import { retargeting } from "./cases/retargeting.mjs";
import { skin } from "./cases/skin.mjs";
import { surfaces } from "./cases/surfaces.mjs";
import { touch } from "./cases/touch.mjs";
import { closeLent, openBrowser } from "./support.mjs";

let browser;
before(async () => {
  browser = await openBrowser();
});
after(async () => {
  await closeLent();
  await browser?.close();
});

const ALL = [
  page,
  access,
  dragging,
  handles,
  goals,
  holds,
  touch,
  company,
  plane,
  learning,
  motion,
  keys,
  layers,
  drawing,
  skin,
  hands,
  looks,
  surfaces,
  fitting,
  film,
  retargeting,
  files,
  large,
  foreign,
  keeping,
  languages,
];
for (const cases of ALL) describe(cases.name, () => cases(() => browser));
