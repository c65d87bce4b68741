// SPDX-License-Identifier: Apache-2.0

// Words over the view: the joint's name, how far a goal is, the milliseconds of a frame.
import { h } from "../dom.js";
import type { Studio } from "../studio.js";
import type { Viewport } from "../view/viewport.js";
import { itemAt } from "../lists.js";
import { t } from "../language.js";

export function makeOverlay(studio: Studio, view: Viewport, host: HTMLElement) {
  const name = h("div", { class: "tag", translate: "no", hidden: true });
  const error = h("div", { class: "tag goal", hidden: true });
  const figures = h("div", { class: "hud", hidden: true });
  host.append(name, error, figures);
  const smooth = { solve: 0, pose: 0, skin: 0, upload: 0, script: 0 };
  let last = performance.now();
  let interval = 16;

  studio.bus.on("frame", () => {
    placeName();
    placeError();
    figures.hidden = !studio.view.figures;
    const now = performance.now();
    interval += (Math.min(now - last, 200) - interval) * 0.1;
    last = now;
    for (const key of Object.keys(smooth) as (keyof typeof smooth)[])
      smooth[key] += (studio.timings[key] - smooth[key]) * 0.15;
    if (!figures.hidden) {
      const line = (key: keyof typeof smooth) => `${key} ${smooth[key].toFixed(2)}`;
      figures.textContent = `${line("solve")}  ${line("pose")}  ${line("skin")}  ${line("upload")}  ${line("script")} ms   ${(1000 / interval).toFixed(0)} fps`;
    }
  });

  function placeName() {
    const figure = view.activeFigure;
    const joint = studio.hovered >= 0 ? studio.hovered : studio.selected;
    const shown = figure !== null && joint >= 0 && view.handles.goal === null;
    name.hidden = !shown;
    if (!shown) return;
    const { character, screen } = figure;
    const marks = [character.pins.has(joint) && t("pinned"), character.locked.has(joint) && t("locked")]
      .filter(Boolean)
      .join(", ");
    name.textContent = itemAt(character.skeleton.names, joint) + (marks ? ` · ${marks}` : "");
    put(name, itemAt(screen, 3 * joint), itemAt(screen, 3 * joint + 1));
  }

  function placeError() {
    const { goal } = view.handles;
    const { report } = studio;
    const far = goal !== null && report !== null && goal.target.distanceTo(goal.at) > 0.004;
    error.hidden = !far;
    if (!far) return;
    const { clientWidth: width, clientHeight: height } = view.scene.host;
    const at = goal.target.clone().project(view.scene.camera);
    const scale = view.activeFigure?.scale ?? 1;
    error.textContent = length(goal.target.distanceTo(goal.at) / scale, studio.active?.format === "gltf");
    put(error, (at.x * 0.5 + 0.5) * width, (0.5 - at.y * 0.5) * height);
  }
}

/** glTF is in metres by its standard; other files do not say. */
function length(value: number, metres: boolean): string {
  if (!metres) return value.toPrecision(3);
  return value < 0.1 ? `${(value * 1000).toFixed(0)} mm` : `${(value * 100).toFixed(0)} cm`;
}

function put(element: HTMLElement, x: number, y: number) {
  element.style.transform = `translate(${Math.round(x + 14)}px, ${Math.round(y - 26)}px)`;
}
