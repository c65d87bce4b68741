// SPDX-License-Identifier: Apache-2.0

// The buttons above the timeline: play, clips, speed, keys.
import type { Interpolation } from "@ulna/engine";
import { perform } from "../commands/command.js";
import { setInterpolation, setKey } from "../commands/keys.js";
import { button, h, icon, select } from "../dom.js";
import type { Studio } from "../studio.js";
import { INTERPOLATION_WORDS } from "../words.js";
import { t } from "../language.js";

export interface TransportActions {
  readonly eraseKeys: () => void;
  readonly reduceKeys: () => void;
  readonly toggleCurves: () => void;
}

export function makeTransport(studio: Studio, actions: TransportActions) {
  const motion = motionControls(studio);
  const keys = keyControls(studio, actions);
  const spring = h("div", { class: "spring" });
  const element = h("div", { class: "transport" }, ...motion.elements, spring, ...keys.elements);
  return {
    element,
    refresh() {
      motion.refresh();
      keys.refresh();
    },
    /** What changes with every frame. */
    refreshTime() {
      motion.refreshTime();
      keys.refreshEdited();
    },
    refreshSelection: keys.refreshSelection,
    refreshEdited: keys.refreshEdited,
    showCurves: keys.showCurves,
  };
}

function motionControls(studio: Studio) {
  const { playback } = studio;
  const first = button({ icon: "first", title: t("Go to the start (Home)") }, () => playback.seek(0));
  const play = button({ icon: "play", title: t("Play (Space)"), class: "button play", id: "play" }, () =>
    playback.toggle(),
  );
  const loop = button({ icon: "loop", title: t("Loop") }, () => playback.setLoop(!playback.loop));
  const clock = h("output", { class: "clock" });
  const clips = select<string>(
    t("Clip"),
    () =>
      studio.active?.clips.length
        ? studio.active.clips.map((clip, i) => ({
            value: String(i),
            label: clip.name || t("clip {index}", { index: i + 1 }),
          }))
        : [{ value: "-1", label: t("no motion") }],
    () => String(studio.active?.clipIndex ?? -1),
    (value) => studio.active?.chooseClip(Number(value)),
  );
  clips.element.id = "clip";
  clips.element.translate = false;
  const speed = select<string>(
    t("Speed"),
    () => ["0.1", "0.25", "0.5", "1", "2"].map((value) => ({ value, label: `${value}×` })),
    () => String(playback.speed),
    (value) => playback.setSpeed(Number(value)),
  );
  return {
    elements: [first, play, loop, clock, clips.element, speed.element],
    refresh() {
      loop.classList.toggle("on", playback.loop);
      play.replaceChildren(icon(playback.playing ? "pause" : "play"));
      play.disabled = (studio.active?.clip?.duration ?? 0) <= 0;
      clips.refresh();
    },
    refreshTime() {
      const clip = studio.active?.clip;
      const time = studio.active?.time ?? 0;
      const rate = clip && clip.frameTime > 0 ? 1 / clip.frameTime : 0;
      clock.textContent = `${time.toFixed(2)} s${rate > 0 ? ` · ${Math.round(time * rate)}` : ""}`;
      const frames = rate > 0 ? `, ${t("{rate} frames per second", { rate: rate.toFixed(0) })}` : "";
      clock.title = clip ? `${clip.duration.toFixed(2)} s${frames}` : "";
    },
  };
}

function keyControls(studio: Studio, actions: TransportActions) {
  const key = button(
    { icon: "key", text: t("Key"), title: t("Set a key at this time (K)"), id: "key", class: "button only-wide" },
    () => perform(studio, setKey()),
  );
  const auto = button(
    { text: t("Auto"), title: t("Every change of the pose is a key at once"), class: "button text", id: "auto-key" },
    () => studio.setKeeping({ autoKey: !studio.keeping.autoKey }),
  );
  auto.setAttribute("aria-pressed", "false");
  studio.bus.on("tool", () => {
    auto.classList.toggle("on", studio.keeping.autoKey);
    auto.setAttribute("aria-pressed", String(studio.keeping.autoKey));
  });
  const unkey = button({ icon: "unkey", title: t("Delete the keys at this time (Delete)") }, actions.eraseKeys);
  const interpolation = select<Interpolation | "">(
    t("Interpolation between keys"),
    () => [
      { value: "" as const, label: t("interpolation") },
      ...studio.engine.interpolations.map((value) => ({ value, label: INTERPOLATION_WORDS[value] })),
    ],
    () => interpolationOf(studio),
    (value) => value && perform(studio, setInterpolation(value, studio.selected >= 0 ? studio.selected : undefined)),
  );
  const reduce = button(
    { text: t("Reduce"), title: t("Keep only the keys that the motion needs"), class: "button text" },
    actions.reduceKeys,
  );
  const curves = button(
    { icon: "curve", title: t("Curves of the selected joint (C)"), id: "curves" },
    actions.toggleCurves,
  );
  return {
    elements: [key, auto, unkey, interpolation.element, reduce, curves],
    refresh() {
      reduce.disabled = unkey.disabled = !studio.active?.clip;
      interpolation.refresh();
    },
    refreshSelection: () => interpolation.refresh(),
    refreshEdited: () =>
      void key.classList.toggle("wanted", studio.active?.edited === true && studio.active.clip !== null),
    showCurves: (on: boolean) => void curves.classList.toggle("on", on),
  };
}

function interpolationOf(studio: Studio): Interpolation | "" {
  const clip = studio.active?.clip;
  if (!clip || clip.form !== "keys") return "";
  const joint = studio.selected >= 0 ? studio.selected : 0;
  return clip.tracks(joint)[0]?.interpolation ?? "";
}
