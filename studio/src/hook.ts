// SPDX-License-Identifier: Apache-2.0

// window.ulnaStudio: the studio's state to look at, for tests and the curious. Nothing here changes it.
import { writeCharacter } from "./model_export.js";
import type { ExportContent, Studio } from "./studio.js";
import type { Viewport } from "./view/viewport.js";
import { itemAt } from "./lists.js";
import type { Projects } from "./project/projects.js";

export function makeHook(
  studio: Studio,
  view: Viewport,
  startup: { engine: number; opened: number; drawn: number },
  projects: Projects,
) {
  // Of the active character unless another is named by its index.
  const character = (index?: number) => (index === undefined ? studio.active : (studio.characters[index] ?? null));
  const joint = (name: string | number, of?: number) =>
    typeof name === "number" ? name : (character(of)?.skeleton.find(name) ?? -1);
  const figureOf = (index?: number) => view.figures.find((figure) => figure.character === character(index)) ?? null;
  return Object.freeze({
    /** Milliseconds from navigation until each was done; after the last the page can be used. */
    startup,
    version: studio.engine.version,
    get characters() {
      return studio.characters.map(({ name, format, skeleton, meshes, clips, warnings, planar }) => ({
        name,
        format,
        planar,
        joints: skeleton.jointCount,
        meshes: meshes.length,
        clips: clips.length,
        warnings: warnings.length,
      }));
    },
    get active() {
      return studio.active ? studio.characters.indexOf(studio.active) : -1;
    },
    get openings() {
      return studio.openings;
    },
    get names() {
      return [...(studio.active?.skeleton.names ?? [])];
    },
    get parents() {
      return [...(studio.active?.skeleton.parents ?? [])];
    },
    get pose() {
      return [...(studio.active?.pose ?? [])];
    },
    get size() {
      return studio.active?.size ?? 0;
    },
    get pins() {
      const { active } = studio;
      return active ? [...active.pins.keys()].map((each) => itemAt(active.skeleton.names, each)) : [];
    },
    get locked() {
      const { active } = studio;
      return active ? [...active.locked].map((each) => itemAt(active.skeleton.names, each)) : [];
    },
    get poles() {
      const figure = view.activeFigure;
      if (!figure) return [];
      return [...figure.character.poles].map(([mid, { target }]) => ({
        joint: itemAt(figure.character.skeleton.names, mid),
        target: [...target],
        screen: onScreen(view, figure.worldFromModel(target).project(view.scene.camera)),
      }));
    },
    get gaze() {
      const figure = view.activeFigure;
      const target = figure?.character.gaze;
      if (!figure || !target) return null;
      const screen = onScreen(view, figure.worldFromModel(target).project(view.scene.camera));
      return { target: [...target], screen };
    },
    /** How a joint is oriented in the model, x y z w. */
    orientation(name: string) {
      const named = studio.active;
      const at = 4 * joint(name);
      return named ? [...named.skeleton.orientations(named.pose).subarray(at, at + 4)] : null;
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
    /** Joints that are selected besides. */
    get together() {
      return [...studio.together].map((each) => studio.active?.skeleton.names[each] ?? "");
    },
    get hovered() {
      return studio.active?.skeleton.names[studio.hovered] ?? null;
    },
    /** The joints of the active character that have dots. */
    get drawn() {
      const figure = view.activeFigure;
      const names = figure?.character.skeleton.names ?? [];
      const { bones } = studio.view;
      return names.filter((_, i) => figure?.drawn(i, bones));
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
      const own = studio.active?.original === null; // made here, and not in the file
      return clip
        ? {
            name: clip.name,
            form: clip.form,
            duration: clip.duration,
            keys: clip.keyCount,
            frames: clip.frameCount,
            frameTime: clip.frameTime,
            layers: clip.layers.map(({ name, weight, muted, in: before, out: behind, keys, pins }) => ({
              ...{ name, weight, muted, in: before, out: behind, pins: pins.length },
              keys: keys.map(({ time }) => time),
            })),
            own,
          }
        : null;
    },
    /** What the clip shown was made of, where it was another body's; and where that body is drawn. */
    get origin() {
      const { active } = studio;
      const origin = active?.clip ? studio.originOf(active.clip) : null;
      if (!origin) return null;
      const { file, settings, report } = origin;
      return { file: file.name, settings, report, shown: [...(view.activeFigure?.source.positions ?? [])] };
    },
    get report() {
      const { report } = studio;
      return report && { ...report, history: [...report.history] };
    },
    get watched() {
      return (
        studio.traces.watched && {
          step: Math.floor(studio.traces.watched.step),
          steps: studio.traces.watched.poses.length - 1,
          playing: studio.traces.watched.playing,
        }
      );
    },
    get timings() {
      return { ...studio.timings };
    },
    /** How many frames were drawn so far. */
    get frames() {
      return studio.frames;
    },
    /** Where one looks from and at, in the scene; the opening of a camera with perspective, in degrees. */
    get camera() {
      const { camera, controls, perspective } = view.scene;
      return {
        position: camera.position.toArray(),
        target: controls.target.toArray(),
        fov: camera === perspective ? perspective.fov : null,
      };
    },
    get goal() {
      const { goal } = view.handles;
      return goal && { target: goal.target.toArray(), at: goal.at.toArray() };
    },
    get rings() {
      return view.handles.rings.map(({ origin, axis, zero, radius, arc }) => {
        const position = origin
          .clone()
          .addScaledVector(zero, radius * Math.cos(arc.value))
          .addScaledVector(axis.clone().cross(zero), radius * Math.sin(arc.value));
        return { dof: arc.dof, value: arc.value, screen: onScreen(view, position.project(view.scene.camera)) };
      });
    },
    /** Images that are being decoded. */
    get waitingImages() {
      return view.textures.waiting;
    },
    get lastError() {
      return studio.messages.filter(({ kind }) => kind === "error").at(-1) ?? null;
    },
    /** Whether something that is shown was not saved; and poses that were edited and not keyed, by their times. */
    get unsaved() {
      return studio.unsaved;
    },
    /** Whether all that is there is in the browser's storage. */
    get kept() {
      return projects.keeping && !projects.wouldLose;
    },
    get drafts() {
      return (studio.active?.drafts ?? []).map(({ time }) => time);
    },
    get edited() {
      return studio.active?.edited ?? false;
    },
    get undoLabel() {
      return studio.history.undoName;
    },
    /** Where a joint is in the model. */
    position(name: string | number, of?: number) {
      const named = character(of);
      return named ? [...named.position(joint(name, of))] : null;
    },
    /** Where a joint is on the page, in CSS pixels; not shown while it is not drawn apart from its parent. */
    screen(name: string | number, of?: number) {
      const figure = figureOf(of);
      const index = joint(name, of);
      if (!figure || index < 0) return null;
      const box = view.scene.canvas.getBoundingClientRect();
      return {
        x: itemAt(figure.screen, 3 * index) + box.left,
        y: itemAt(figure.screen, 3 * index + 1) + box.top,
        shown: figure.shown[index] === 1,
      };
    },
    poseOf(of: number) {
      return [...(character(of)?.pose ?? [])];
    },
    /** The matrix that puts a character into the scene, by columns. */
    placement(of?: number) {
      return figureOf(of)?.group.matrixWorld.toArray() ?? null;
    },
    /** Vertices as they are drawn, in the model. */
    vertices(mesh = 0, of?: number) {
      return [...(figureOf(of)?.skins[mesh]?.object.geometry.getAttribute("position").array ?? [])];
    },
    /** How many meshes of the active character are drawn. */
    get skins() {
      return figureOf()?.skins.length ?? 0;
    },
    /** The active clip's pose at a time. */
    clipPose(time: number) {
      return [...(studio.active?.clip?.sample(time) ?? [])];
    },
    /** The poses of all frames of the active clip. */
    clipPoses() {
      const { active } = studio;
      const clip = active?.clip;
      if (!clip) return [];
      const count = Math.round(clip.duration / active.frameTime) + 1;
      return Array.from({ length: count }, (_, frame) => [...clip.sample(frame * active.frameTime)]);
    },
    /** When the active clip has keys, of one joint or of all. */
    keyTimes(name?: string) {
      const clip = studio.active?.clip;
      return clip?.form === "keys" ? [...clip.keyTimes(name === undefined ? undefined : joint(name))] : [];
    },
    /** A joint's weights, by vertex. */
    weightsOf(name: string | number, mesh = 0) {
      return [...(studio.active?.meshes[mesh]?.weightsOf(joint(name)) ?? [])];
    },
    /** The bytes that an export would save, in base64. */
    exported(format: "bvh" | "glb" | "rig", content: ExportContent = "motion") {
      const written = studio.active ? writeCharacter(studio.active, format, content) : null;
      return written?.ok ? btoa(Array.from(written.value.bytes, (byte) => String.fromCharCode(byte)).join("")) : null;
    },
  });
}

function onScreen(view: Viewport, clip: { x: number; y: number }) {
  const box = view.scene.canvas.getBoundingClientRect();
  return { x: (clip.x * 0.5 + 0.5) * box.width + box.left, y: (0.5 - clip.y * 0.5) * box.height + box.top };
}

export type Hook = ReturnType<typeof makeHook>;

declare global {
  interface Window {
    ulnaStudio?: Hook;
  }
}
