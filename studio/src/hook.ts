// SPDX-License-Identifier: Apache-2.0

// window.ulnaStudio: the studio's state to look at, for tests and the curious. Nothing here changes it.
import { writeCharacter } from "./exporting.js";
import type { Studio } from "./studio.js";
import type { StageView } from "./view/stage_view.js";

export function makeHook(studio: Studio, view: StageView, startup: { engine: number; opened: number; drawn: number }) {
  const joint = (name: string | number) => (typeof name === "number" ? name : (studio.active?.skeleton.find(name) ?? -1));
  return Object.freeze({
    /** Milliseconds from navigation until each was done; after the last the page can be used. */
    startup,
    version: studio.engine.version,
    get characters() {
      return studio.characters.map(({ name, format, skeleton, meshes, clips, warnings, planar }) => ({
        name, format, planar, joints: skeleton.jointCount, meshes: meshes.length, clips: clips.length, warnings: warnings.length,
      }));
    },
    get openings() {
      return studio.openings;
    },
    get names() {
      return [...(studio.active?.skeleton.names ?? [])];
    },
    get pose() {
      return [...(studio.active?.pose ?? [])];
    },
    get size() {
      return studio.active?.size ?? 0;
    },
    get pins() {
      return [...(studio.active?.pins.keys() ?? [])].map((each) => studio.active!.skeleton.names[each]!);
    },
    get limits() {
      return studio.active?.limits ?? null;
    },
    get excess() {
      return studio.active ? studio.active.stage.excess(studio.active.pose) : 0;
    },
    get selected() {
      return studio.active?.skeleton.names[studio.selected] ?? null;
    },
    get hovered() {
      return studio.active?.skeleton.names[studio.hovered] ?? null;
    },
    get tool() {
      return studio.tool;
    },
    get time() {
      return studio.active?.time ?? 0;
    },
    get playing() {
      return studio.playback.playing;
    },
    get clip() {
      const clip = studio.active?.clip;
      return clip ? { name: clip.name, form: clip.form, duration: clip.duration, keys: clip.keyCount, frames: clip.frameCount } : null;
    },
    get report() {
      const { report } = studio;
      return report && { ...report, history: [...report.history] };
    },
    get watched() {
      return studio.watched && { step: Math.floor(studio.watched.step), steps: studio.watched.poses.length - 1, playing: studio.watched.playing };
    },
    get timings() {
      return { ...studio.timings };
    },
    get goal() {
      const { goal } = view.handles;
      return goal && { target: goal.target.toArray(), at: goal.at.toArray() };
    },
    get rings() {
      return view.handles.rings.map(({ origin, axis, zero, radius, arc }) => {
        const place = origin.clone().addScaledVector(zero, radius * Math.cos(arc.value)).addScaledVector(axis.clone().cross(zero), radius * Math.sin(arc.value));
        return { dof: arc.dof, value: arc.value, screen: onScreen(view, place.project(view.scene.camera)) };
      });
    },
    /** Images that are being decoded. */
    get waitingImages() {
      return view.textures.waiting;
    },
    get lastError() {
      return studio.messages.filter(({ kind }) => kind === "error").at(-1) ?? null;
    },
    get undoLabel() {
      return studio.history.undoLabel;
    },
    /** Where a joint is in the model. */
    place(name: string | number) {
      return studio.active ? [...studio.active.place(joint(name))] : null;
    },
    /** Where a joint is on the page, in CSS pixels; null while it is not drawn apart from its parent. */
    screen(name: string | number) {
      const figure = view.activeFigure;
      const index = joint(name);
      if (!figure || index < 0) return null;
      const box = view.scene.canvas.getBoundingClientRect();
      return { x: figure.screen[3 * index]! + box.left, y: figure.screen[3 * index + 1]! + box.top, shown: figure.shown[index] === 1 };
    },
    /** A joint's weights, by vertex. */
    weightsOf(name: string | number, mesh = 0) {
      return [...(studio.active?.meshes[mesh]?.weightsOf(joint(name)) ?? [])];
    },
    /** The bytes that an export would save, in base64. */
    exported(format: "bvh" | "glb" | "rig") {
      const written = studio.active ? writeCharacter(studio, studio.active, format) : null;
      return written?.ok ? btoa(Array.from(written.value.bytes, (byte) => String.fromCharCode(byte)).join("")) : null;
    },
  });
}

function onScreen(view: StageView, clip: { x: number; y: number }) {
  const box = view.scene.canvas.getBoundingClientRect();
  return { x: (clip.x * 0.5 + 0.5) * box.width + box.left, y: (0.5 - clip.y * 0.5) * box.height + box.top };
}

export type Hook = ReturnType<typeof makeHook>;

declare global {
  interface Window {
    ulnaStudio?: Hook;
  }
}
