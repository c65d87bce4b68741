// SPDX-License-Identifier: Apache-2.0

// The page in a real browser. All in one process, since starting a browser takes longer than most tests.
import { after, before, describe } from "node:test";
import { dragging } from "./cases/dragging.mjs";
import { files } from "./cases/files.mjs";
import { holds } from "./cases/holds.mjs";
import { keys } from "./cases/keys.mjs";
import { motion } from "./cases/motion.mjs";
import { page } from "./cases/page.mjs";
import { plane } from "./cases/plane.mjs";
import { skin } from "./cases/skin.mjs";
import { openBrowser } from "./support.mjs";

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

for (const cases of [dragging, holds, plane, motion, keys, skin, files, page]) describe(cases.name, () => cases(() => browser));
