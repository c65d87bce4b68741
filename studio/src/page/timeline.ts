// SPDX-License-Identifier: Apache-2.0

// The motion over time: play, scrub, keys that move and go, and under it the curves of a joint.
import type { Interpolation } from "@ulna/engine";
import { perform } from "../commands/command.js";
import { eraseKeys, KeyMove, reduceKeys, setInterpolation, setKey } from "../commands/keys.js";
import { button, h, icon, select } from "../dom.js";
import type { Studio } from "../studio.js";
import { colour } from "../theme.js";
import { prepareCanvas } from "./canvas.js";
import { makeCurves } from "./curves.js";
import { TimeScale } from "./time_scale.js";

const KEY_REACH = 7; // pixels

export function makeTimeline(studio: Studio, host: HTMLElement) {
  const { bus, playback } = studio;
  const scale = new TimeScale();
  const selected = () => (studio.selected >= 0 ? studio.selected : undefined);
  const strip = h("canvas", { class: "strip", tabindex: 0, "aria-label": "Timeline" });
  const play = button({ icon: "play", title: "Play (Space)", class: "button play", id: "play" }, () =>
    studio.playback.toggle(),
  );
  const first = button({ icon: "first", title: "Go to the start (Home)" }, () => studio.playback.seek(0));
  const loop = button({ icon: "loop", title: "Loop" }, () => playback.setLoop(!playback.loop));
  const clock = h("output", { class: "clock" });
  const clips = select<string>(
    "Clip",
    () =>
      studio.active?.clips.length
        ? studio.active.clips.map((clip, i) => ({ value: String(i), label: clip.name || `clip ${i + 1}` }))
        : [{ value: "-1", label: "no motion" }],
    () => String(studio.active?.clipIndex ?? -1),
    (value) => studio.active?.chooseClip(Number(value)),
  );
  clips.element.id = "clip";
  const speed = select<string>(
    "Speed",
    () => ["0.1", "0.25", "0.5", "1", "2"].map((value) => ({ value, label: `${value}×` })),
    () => String(playback.speed),
    (value) => playback.setSpeed(Number(value)),
  );
  const interpolation = select<Interpolation | "">(
    "Interpolation between keys",
    () => [
      { value: "" as const, label: "interpolation" },
      ...studio.engine.interpolations.map((value) => ({ value, label: value })),
    ],
    () => interpolationOf(studio),
    (value) => value && perform(studio, setInterpolation(value, selected())),
  );
  const key = button({ icon: "key", text: "Key", title: "Set a key at this time (K)", id: "key" }, () =>
    perform(studio, setKey()),
  );
  const unkey = button({ icon: "unkey", title: "Delete the keys at this time (Delete)" }, () => eraseChosen());
  const reduce = button(
    { text: "Reduce", title: "Keep only the keys that the motion needs", class: "button text" },
    () => perform(studio, reduceKeys),
  );
  const curves = makeCurves(studio, scale);
  const curvesOpen = button({ icon: "curve", title: "Curves of the selected joint (C)", id: "curves" }, () =>
    toggleCurves(),
  );
  host.append(
    h(
      "div",
      { class: "transport" },
      first,
      play,
      loop,
      clock,
      clips.element,
      speed.element,
      h("div", { class: "spring" }),
      key,
      unkey,
      interpolation.element,
      reduce,
      curvesOpen,
    ),
    strip,
    curves.canvas,
  );

  let chosen: number | null = null; // the time of the keys that were clicked
  let drag: KeyMove | "scrub" | null = null;
  let cached: { clip: unknown; joint: number; times: Float64Array } | null = null;

  function toggleCurves() {
    curves.canvas.hidden = !curves.canvas.hidden;
    curvesOpen.classList.toggle("on", !curves.canvas.hidden);
    refresh();
  }

  function keyTimes(): Float64Array {
    const clip = studio.active?.clip;
    if (!clip || clip.form !== "keys") return new Float64Array(0);
    const joint = studio.selected;
    if (cached?.clip !== clip || cached.joint !== joint)
      cached = { clip, joint, times: clip.keyTimes(joint >= 0 ? joint : undefined) };
    return cached.times;
  }

  function eraseChosen() {
    const times = keyTimes();
    const time = chosen ?? nearest(times, studio.active?.time ?? 0, 1e-3);
    if (time === null) return;
    chosen = null;
    perform(studio, eraseKeys(time, selected()));
  }

  function draw() {
    const character = studio.active;
    const paint = prepareCanvas(strip);
    if (!paint) return;
    const { context, width, height } = paint;
    scale.width = width;
    scale.drawTicks(paint, 18);
    context.fillStyle = colour("surface");
    const clip = character?.clip;
    if (clip) {
      context.fillStyle = colour("track");
      context.fillRect(scale.x(0), 24, scale.x(clip.duration) - scale.x(0), height - 32);
    }
    const times = keyTimes();
    for (const time of times) {
      const x = scale.x(time);
      if (x < -8 || x > width + 8) continue;
      const on = chosen !== null && Math.abs(time - chosen) < 1e-6;
      context.fillStyle = colour(on ? "goal" : "pin");
      diamond(context, x, 24 + (height - 32) / 2, times.length > width / 6 ? 3 : 5);
    }
    const x = scale.x(character?.time ?? 0);
    context.fillStyle = colour("accent");
    context.fillRect(x - 0.75, 0, 1.5, height);
    context.beginPath();
    context.moveTo(x - 5, 0);
    context.lineTo(x + 5, 0);
    context.lineTo(x, 8);
    context.fill();
  }

  function refresh() {
    const character = studio.active;
    const clip = character?.clip ?? null;
    scale.fit(clip, clip === null || character?.original === null ? 1 : 0);
    loop.classList.toggle("on", playback.loop);
    play.replaceChildren(icon(playback.playing ? "pause" : "play"));
    play.disabled = !clip || clip.duration <= 0;
    reduce.disabled = unkey.disabled = !clip;
    clips.refresh();
    interpolation.refresh();
    refreshTime();
  }

  function refreshTime() {
    const character = studio.active;
    const clip = character?.clip;
    const time = character?.time ?? 0;
    const frame = clip && clip.frameTime > 0 ? ` · ${Math.round(time / clip.frameTime)}` : "";
    clock.textContent = `${time.toFixed(2)} s${frame}`;
    clock.title = clip
      ? `${clip.duration.toFixed(2)} s${clip.frameTime > 0 ? `, ${(1 / clip.frameTime).toFixed(0)} frames a second` : ""}`
      : "";
    key.classList.toggle("wanted", character?.edited === true && clip !== null);
    draw();
    curves.draw();
  }

  listenToStrip();
  bus.on(["clip", "characters", "history"], () => {
    cached = null;
    // A hand that drags a key must find the scale as it was.
    if (drag !== null || curves.busy()) refreshTime();
    else refresh();
  });
  bus.on("selection", () => {
    chosen = null;
    interpolation.refresh();
    draw();
    curves.draw();
  });
  bus.on("pose", () => {
    key.classList.toggle("wanted", studio.active?.edited === true && studio.active.clip !== null);
  });
  bus.on("time", refreshOnFrame());
  new ResizeObserver(() => refreshTime()).observe(host);

  /** A playing clip redraws the strip, at most once a frame. */
  function refreshOnFrame() {
    let playing = playback.playing;
    return () => {
      if (playing !== playback.playing) refresh();
      else refreshTime();
      playing = playback.playing;
    };
  }

  function listenToStrip() {
    strip.addEventListener("pointerdown", (event) => {
      strip.setPointerCapture(event.pointerId);
      studio.playback.pause();
      const time = scale.time(event.offsetX);
      const hit = event.offsetY > 18 ? nearest(keyTimes(), time, KEY_REACH * scale.perPixel) : null;
      chosen = hit;
      if (hit === null) {
        drag = "scrub";
        studio.playback.seek(scale.clamp(time));
      } else {
        studio.playback.seek(hit);
        drag = new KeyMove(studio, hit, selected());
      }
      draw();
    });
    strip.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const time = scale.clamp(scale.time(event.offsetX));
      if (drag === "scrub") return studio.playback.seek(time);
      // A key of the same moment would replace the other one.
      if (Math.abs(time - drag.time) < scale.perPixel * 2 || nearest(keyTimes(), time, 1e-4) !== null) return;
      chosen = time;
      drag.moveTo(time);
    });
    const end = () => {
      const done = drag;
      drag = null;
      if (done instanceof KeyMove) done.finish();
      cached = null;
      draw();
    };
    strip.addEventListener("pointerup", end);
    strip.addEventListener("pointercancel", end);
    strip.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        scale.zoom(
          event.offsetX,
          event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY) ? 0 : event.deltaY,
          event.shiftKey ? event.deltaY : event.deltaX,
        );
        draw();
        curves.draw();
      },
      { passive: false },
    );
  }

  return { toggleCurves, eraseChosen, redraw: refresh };
}

function interpolationOf(studio: Studio): Interpolation | "" {
  const clip = studio.active?.clip;
  if (!clip || clip.form !== "keys") return "";
  const joint = studio.selected >= 0 ? studio.selected : 0;
  return clip.tracks(joint)[0]?.interpolation ?? "";
}

function nearest(times: Float64Array, time: number, reach: number): number | null {
  let best: number | null = null;
  for (const each of times)
    if (Math.abs(each - time) <= Math.min(reach, best === null ? reach : Math.abs(best - time))) best = each;
  return best;
}

function diamond(context: CanvasRenderingContext2D, x: number, y: number, size: number) {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.fill();
}
