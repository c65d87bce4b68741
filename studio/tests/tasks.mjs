// SPDX-License-Identifier: Apache-2.0

// Whether anything blocks the page: the browser's own word on tasks that take longer than 50 ms.
import assert from "node:assert/strict";
import { nextFrame, until } from "./support.mjs";

const LONGEST_TASK = 50; // milliseconds, on a machine that does nothing else
// The processor draws here, and other tests have it too: drawing alone takes longer than a task may.
const SLOW = Number(process.env.ULNA_LONG_TASKS ?? 8);

/** `longest(what, act)` fails where a task was too long while it acted. */
export async function watchTasks(page) {
  await page.evaluate(() => {
    window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      entryTypes: ["longtask"],
    });
  });
  // What is looked for can be found.
  await page.evaluate(() => {
    const end = performance.now() + 120;
    setTimeout(() => {
      while (performance.now() < end + 120);
    });
  });
  await until(page, "window.tasks.length > 0");
  return async (what, act) => {
    await page.evaluate(() => void (window.tasks.length = 0));
    await act();
    await nextFrame(page);
    const most = Math.max(0, ...(await page.evaluate(() => window.tasks)));
    console.log(`    ${what}: the longest task took ${most > 0 ? `${most.toFixed(0)} ms` : "less than 50 ms"}`);
    assert.ok(most < LONGEST_TASK * SLOW, `${what}: ${most} ms`);
  };
}
