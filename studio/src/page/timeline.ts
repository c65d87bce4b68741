// SPDX-License-Identifier: Apache-2.0

// The motion over time: buttons, the strip with its keys, and under it the curves of a joint.
import { h } from "../dom.js";
import type { Studio } from "../studio.js";
import { makeCurves } from "./curves.js";
import { Strip } from "./strip.js";
import { TimeScale } from "./time_scale.js";
import { makeTransport } from "./transport.js";
import { t } from "../language.js";

export function makeTimeline(studio: Studio, host: HTMLElement, reduceKeys: () => void) {
  const { bus, playback } = studio;
  const scale = new TimeScale();
  const curves = makeCurves(studio, scale);
  const strip = new Strip(studio, scale, draw);
  const eraseChosen = () => strip.eraseChosen();
  const transport = makeTransport(studio, { eraseKeys: eraseChosen, reduceKeys, toggleCurves });
  host.append(transport.element, strip.canvas, h("div", { class: "curves-box" }, curves.canvas, curves.legend));

  function toggleCurves() {
    curves.canvas.hidden = !curves.canvas.hidden;
    transport.showCurves(!curves.canvas.hidden);
    refresh();
  }

  function draw() {
    strip.draw();
    curves.draw();
  }

  function refreshTime() {
    transport.refreshTime();
    draw();
  }

  function refresh() {
    const { active } = studio;
    const clip = active?.clip ?? null;
    // Behind what was made here there is a second to spare, for keys to come.
    scale.fit(clip, clip === null || active?.original === null ? 1 : 0);
    transport.refresh();
    refreshTime();
  }

  bus.on(["clip", "characters", "history"], () => {
    strip.forgetKeys();
    // A hand that drags a key must find the scale as it was.
    if (strip.busy || curves.busy()) refreshTime();
    else refresh();
  });
  bus.on("selection", () => {
    strip.unchoose();
    transport.refreshSelection();
    draw();
  });
  bus.on("pose", transport.refreshEdited);
  let drafts = 0;
  bus.on("time", () => {
    const all = studio.active?.drafts ?? [];
    const last = all.at(-1);
    if (drafts === 0 && last)
      studio.note(
        t("The pose at {time} s is kept without a key", { time: last.time.toFixed(2) }),
        t("it is there again when you go back; K keys it"),
      );
    drafts = all.length;
  });
  let playing = playback.playing;
  bus.on("time", () => {
    if (playing !== playback.playing) refresh();
    else refreshTime();
    playing = playback.playing;
  });
  new ResizeObserver(() => refreshTime()).observe(host);
  return { toggleCurves, eraseChosen, redraw: refresh };
}
