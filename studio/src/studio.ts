// SPDX-License-Identifier: Apache-2.0

// The studio's state and everything that can be done to it; the page's parts call this and listen.
import type { Clip, Diagnostic, Engine, Interpolation, Method, Pose, Report, Trace, Weights } from "@ulna/engine";
import { Bus } from "./bus.js";
import { Character, makePlaneCharacter, sameNumbers, type LimitsMode } from "./character.js";
import { History } from "./history.js";

const MOST_KEYS_A_SECOND = 8;

export type Tool = "drag" | "turn" | "paint";
export type BrushMode = "add" | "subtract" | "smooth";

export interface Message {
  readonly kind: "error" | "note";
  readonly title: string;
  readonly place: string; // file:line:column, or a path inside; may be ""
  readonly what: string;
  readonly text: string; // the offending text; may be ""
  readonly advice: string;
}

/** What the last solve came to, kept beyond the solver's own report. */
export interface SolveReport {
  status: string;
  iterations: number;
  error: number; // of the dragged goal, a length
  history: Float64Array; // the largest error at the start and after every iteration, in tolerances
  milliseconds: number;
  note: string; // what the method had to leave out; may be ""
}

/** The iterations of one solve, to be watched one by one. */
export interface Watched {
  readonly character: Character;
  readonly poses: readonly Pose[];
  readonly errors: Float64Array;
  step: number;
  playing: boolean;
}

/** A change that takes many frames. */
export interface Change {
  finish(): void; // as one step of the history; nothing changed leaves none
  cancel(): void; // as if it had never begun
}

export class Studio {
  readonly bus = new Bus();
  readonly history = new History(() => this.bus.emit("history"));

  characters: Character[] = [];
  active: Character | null = null;
  selected = -1;
  hovered = -1;
  tool: Tool = "drag";

  solver = { method: "auto" as Method, iterations: 0, watch: false };
  view = {
    mesh: true,
    textures: true,
    wire: false,
    bones: true,
    limits: true,
    trail: false,
    ghost: true,
    follow: true,
    figures: false,
    weights: false,
    dualQuaternion: true,
  };
  brush = { mode: "add" as BrushMode, size: 0.04, strength: 0.5 };
  playback = { playing: false, speed: 1, loop: true };
  report: SolveReport | null = null;
  watched: Watched | null = null;
  frames = 0; // drawn so far
  openings = 0; // how often files were opened, with or without success
  messages: Message[] = [];
  /** Milliseconds of the last frame, by what they went into; and of the last file that was opened. */
  timings = { solve: 0, pose: 0, skin: 0, upload: 0, script: 0, open: 0 };

  constructor(readonly engine: Engine) {}

  // ---- characters

  add(character: Character, beside: boolean) {
    const gone = beside ? [] : this.characters;
    this.characters = beside ? [...this.characters, character] : [character];
    this.activate(character);
    this.#forget(gone);
  }

  /** Frees characters once nothing shows them any more, and takes their steps out of the history. */
  #forget(gone: readonly Character[]) {
    this.history.forget(gone);
    for (const each of gone) each.free();
  }

  activate(character: Character | null) {
    this.watched = null;
    this.active = character;
    this.selected = this.hovered = -1;
    this.playback.playing &&= character?.clip != null;
    this.bus.emit("characters", "selection", "clip", "goals", "pose", "time");
  }

  remove(character: Character) {
    this.characters = this.characters.filter((each) => each !== character);
    if (this.active === character) this.activate(this.characters.at(-1) ?? null);
    else this.bus.emit("characters");
    this.#forget([character]);
  }

  playInThePlane(kind: "chain" | "tree") {
    const character = makePlaneCharacter(this.engine, kind);
    this.tool = "drag";
    this.bus.emit("tool");
    this.add(character, false);
  }

  // ---- changes that can be undone

  /** Does something to the active character as one step of the history. */
  change(label: string, act: (character: Character) => void) {
    const character = this.active;
    if (!character) return;
    const { finish } = this.begin(label);
    act(character);
    finish();
  }

  begin(label: string): Change {
    const character = this.active;
    if (!character) return { finish() {}, cancel() {} };
    this.endTrace();
    const before = character.snapshot();
    const go = (state: typeof before) => {
      character.restore(state);
      if (this.active !== character) this.activate(character);
      this.refresh();
    };
    const finish = () => {
      const after = character.snapshot();
      if (!sameSnapshot(before, after))
        this.history.push({ label, owner: character, undo: () => go(before), redo: () => go(after) });
      this.refresh();
    };
    return { finish, cancel: () => go(before) };
  }

  refresh() {
    this.bus.emit("pose", "goals", "clip", "time", "weights");
  }

  resetPose() {
    this.change("Reset pose", (character) => {
      if (character.clip) character.sample(character.time);
      else character.pose.set(character.rest);
      character.pinsStale = true;
      character.refreshPins();
    });
  }

  resetJoint(joint: number) {
    this.change("Reset joint", (character) => {
      const from = (character.clip ? character.clip.sample(character.time) : character.rest).subarray(
        10 * joint,
        10 * joint + 10,
      );
      character.pose.set(from, 10 * joint);
      this.#poseTurned(character);
    });
  }

  /** After a pose was edited by hand: pins follow it. */
  #poseTurned(character: Character) {
    character.edited = true;
    character.pinsStale = true;
  }

  setDof(dof: number, value: number) {
    const character = this.active;
    if (!character) return;
    const near = character.stage.dofs(character.pose);
    character.stage.setDof(character.pose, dof, value, { near });
    this.#poseTurned(character);
    this.bus.emit("pose");
  }

  mirror() {
    this.change("Mirror pose", (character) => {
      const mirrored = character.skeleton.mirrored(character.pose);
      if (!mirrored.ok) return this.tell(messageOf(mirrored.error, "The pose was not mirrored"));
      character.pose.set(mirrored.value);
      this.#poseTurned(character);
    });
  }

  togglePin(joint: number) {
    this.change(this.active?.pins.has(joint) ? "Unpin" : "Pin", (character) => {
      character.refreshPins();
      if (!character.pins.delete(joint)) character.pin(joint, false);
    });
  }

  togglePinTurn(joint: number) {
    this.change("Hold orientation", (character) => {
      character.refreshPins();
      character.pin(joint, character.pins.get(joint)?.turn === null);
    });
  }

  toggleLock(joint: number) {
    this.change(this.active?.locked.has(joint) ? "Unlock" : "Lock", (character) => {
      if (!character.locked.delete(joint)) character.locked.add(joint);
    });
  }

  /** A pole for the limb whose middle is `joint`, in front of where it bends now. */
  togglePole(joint: number) {
    const limb = this.limbAround(joint);
    if (!limb) return;
    this.change("Pole", (character) => {
      if (character.poles.delete(joint)) return;
      const [start, mid, end] = [limb.start, joint, limb.end].map((each) => character.place(each));
      const middle = start!.map((value, i) => (value + end![i]!) / 2);
      let away = mid!.map((value, i) => value - middle[i]!);
      const length = Math.hypot(...away);
      const limbLength = Math.hypot(...start!.map((value, i) => value - end![i]!));
      if (length < 1e-3 * limbLength) away = character.skeleton.up === "z" ? [0, -1, 0] : [0, 0, 1];
      const scale = limbLength / Math.max(Math.hypot(...away), 1e-9);
      const target = mid!.map((value, i) => value + away[i]! * scale) as [number, number, number];
      character.poles.set(joint, { ...limb, target });
    });
  }

  limbAround(joint: number): { start: number; end: number } | null {
    const info = this.active?.skeleton.joints[joint];
    if (!info || info.parent < 0 || info.children.length === 0 || this.active!.planar) return null;
    return { start: info.parent, end: info.children[0]! };
  }

  setLimits(limits: LimitsMode) {
    this.change("Limits", (character) => {
      const error = character.setLimits(limits);
      if (error) return this.tell(messageOf(error, "The limits stay as they were"));
      if (limits !== "none" && character.clip === null) {
        character.stage.clamp(character.pose);
        character.pinsStale = true;
      }
    });
    this.bus.emit("goals", "pose");
  }

  // ---- motion

  chooseClip(index: number) {
    const character = this.active;
    if (!character) return;
    character.clipIndex = index;
    character.sample(0);
    this.bus.emit("clip", "time", "pose");
  }

  /** Shows another moment; every character goes along. */
  seek(time: number) {
    for (const character of this.characters) {
      if (!character.clip) {
        // Keys of a motion still to be made are set at times of one's own.
        if (character === this.active) character.time = time;
        continue;
      }
      const duration = character.clip.duration;
      character.sample(character === this.active ? time : duration > 0 ? time % duration : 0);
    }
    this.bus.emit("time", "pose");
  }

  advance(seconds: number) {
    const character = this.active;
    const clip = character?.clip;
    if (!character || !clip || clip.duration <= 0) return this.pause();
    let time = character.time + seconds * this.playback.speed;
    if (time > clip.duration) {
      if (!this.playback.loop) {
        this.pause();
        time = clip.duration;
      } else {
        time %= clip.duration;
      }
    }
    this.seek(time);
  }

  togglePlay() {
    if (this.playback.playing) return this.pause();
    const character = this.active;
    if (!character?.clip || character.clip.duration <= 0) return;
    if (character.time >= character.clip.duration) character.time = 0;
    this.playback.playing = true;
    this.bus.emit("time", "pose");
  }

  pause() {
    if (!this.playback.playing) return;
    this.playback.playing = false;
    this.bus.emit("time");
  }

  /** Steps by one frame, or by a thirtieth of a second. */
  stepFrame(direction: 1 | -1) {
    const clip = this.active?.clip;
    if (!clip) return;
    this.pause();
    const step = clip.frameTime > 0 ? clip.frameTime : 1 / 30;
    const frame = Math.round(this.active!.time / step) + direction;
    this.seek(Math.min(Math.max(frame * step, 0), clip.duration));
  }

  /** The clip of the active character as one whose keys can be edited: a copy, which replaces it. */
  editableClip(character: Character) {
    const clip = character.clip;
    if (!clip) {
      const made = this.engine.makeClip(character.skeleton, { name: "new motion", pose: character.rest });
      character.addClip(made);
      return made;
    }
    let copy;
    if (clip.form === "keys" && (clip !== character.original || !isDense(clip))) copy = clip.clone();
    else {
      // A key among one for every frame would be a jerk; among few it bends the motion.
      const reduced = clip.reduced({ interpolation: "catmull-rom" });
      copy = reduced.ok ? reduced.value.clip : clip.keyed();
      copy.name = clip.name;
    }
    character.clips = character.clips.map((each) => (each === clip ? copy : each));
    return copy;
  }

  /** A key of the whole pose, or of the given joint alone, at the present time. */
  setKey(joint?: number) {
    this.change("Set key", (character) => {
      const pose = character.pose.slice();
      const clip = this.editableClip(character);
      clip.keyPose(character.time, pose, joint === undefined ? undefined : [joint]);
      character.sample(character.time);
    });
  }

  eraseKeys(time: number, joint?: number) {
    this.change("Delete keys", (character) => {
      if (!character.clip) return;
      this.editableClip(character).eraseKeysAt(time, joint === undefined ? {} : { joint });
      character.sample(Math.min(character.time, character.clip.duration));
    });
  }

  setInterpolation(interpolation: Interpolation, joint?: number) {
    this.change("Interpolation", (character) => {
      if (!character.clip) return;
      this.editableClip(character).setInterpolation(interpolation, joint);
      character.sample(character.time);
    });
  }

  reduceKeys() {
    this.change("Reduce keys", (character) => {
      if (!character.clip) return;
      const reduced = character.clip.reduced({ interpolation: "catmull-rom" });
      if (!reduced.ok) return this.tell(messageOf(reduced.error, "The keys were not reduced"));
      const { clip, report } = reduced.value;
      clip.name = character.clip.name;
      character.clips = character.clips.map((each) => (each === character.clip ? clip : each));
      character.sample(character.time);
      this.note(`${report.keys} keys`, `nowhere farther than ${report.worstError.toPrecision(2)} from the motion`);
    });
  }

  // ---- weights

  /** Keeps the weights of the engine's mesh as the value that undo knows. */
  weightsPainted(character: Character, mesh: number) {
    const weights: Weights = character.meshes[mesh]!.weights();
    character.weights = character.weights.map((each, i) => (i === mesh ? weights : each));
  }

  smoothWeights() {
    this.change("Smooth weights", (character) => {
      character.meshes.forEach((mesh, i) => {
        if (!mesh.hasWeights) return;
        mesh.smoothWeights({ amount: 0.5, rounds: 1 });
        this.weightsPainted(character, i);
      });
    });
  }

  // ---- the rest

  setTool(tool: Tool) {
    this.tool = tool;
    this.view.weights = tool === "paint";
    if (tool === "paint") {
      this.view.mesh = true;
      if (this.selected < 0 && this.active) this.select(firstWeighted(this.active));
    }
    this.bus.emit("tool", "view", "weights", "selection");
  }

  select(joint: number) {
    if (joint === this.selected) return;
    this.selected = joint;
    this.bus.emit("selection");
  }

  hover(joint: number) {
    if (joint === this.hovered) return;
    this.hovered = joint;
    this.bus.emit("selection");
  }

  /** Takes over the answer of a solve that is to be watched, and plays the way to it. */
  startTrace(character: Character, trace: Trace) {
    const { poses, errors, status } = trace;
    character.pose.set(poses.at(-1)!);
    character.edited = true;
    this.watched = { character, poses, errors, step: 0, playing: true };
    this.report = { status, iterations: poses.length - 1, error: 0, history: errors, milliseconds: 0, note: "" };
    this.bus.emit("report", "pose");
  }

  /** Shows the pose after so many iterations; the last one is the answer that was taken over. */
  showIteration(step: number) {
    const { watched } = this;
    if (!watched) return;
    watched.step = Math.min(Math.max(step, 0), watched.poses.length - 1);
    watched.character.pose.set(watched.poses[Math.floor(watched.step)]!);
    if (watched.step >= watched.poses.length - 1) watched.playing = false;
    this.bus.emit("pose", "report");
  }

  advanceTrace(seconds: number) {
    const { watched } = this;
    if (!watched?.playing) return;
    const perSecond = Math.max(10, watched.poses.length / 5);
    this.showIteration(watched.step + seconds * perSecond);
  }

  endTrace() {
    if (!this.watched) return;
    this.showIteration(Infinity);
    this.watched = null;
    this.bus.emit("report");
  }

  setReport(report: Report, error: number, milliseconds: number, note: string) {
    const { status, iterations, history } = report;
    this.report = { status, iterations, error, history: history.slice(), milliseconds, note };
    this.bus.emit("report");
  }

  tell(message: Message) {
    this.messages = [...this.messages.slice(-4), message];
    this.bus.emit("messages");
  }

  note(title: string, what: string) {
    this.tell({ kind: "note", title, place: "", what, text: "", advice: "" });
  }

  dismiss(message: Message) {
    this.messages = this.messages.filter((each) => each !== message);
    this.bus.emit("messages");
  }
}

export function messageOf(error: Diagnostic, title: string): Message {
  const numbers = [error.line, error.column].filter((number) => number > 0);
  const place = [error.file, ...numbers].filter((each) => each !== "").join(":") + (error.path ? ` ${error.path}` : "");
  return { kind: "error", title, place, what: error.what, text: error.text, advice: error.advice };
}

function isDense(clip: Clip): boolean {
  return clip.duration > 0 && clip.keyTimes().length / clip.duration > MOST_KEYS_A_SECOND;
}

function firstWeighted(character: Character): number {
  const { weights } = character;
  return weights.find((each) => each.joints.length > 0)?.joints[0] ?? 0;
}

function sameSnapshot(a: ReturnType<Character["snapshot"]>, b: ReturnType<Character["snapshot"]>): boolean {
  const sameMap = <T>(x: ReadonlyMap<number, T>, y: ReadonlyMap<number, T>) =>
    x.size === y.size && [...x].every(([key, value]) => y.get(key) === value);
  const sameList = <T>(x: readonly T[], y: readonly T[]) =>
    x.length === y.length && x.every((each, i) => each === y[i]);
  return (
    sameNumbers(a.pose, b.pose) &&
    sameMap(a.pins, b.pins) &&
    sameMap(a.poles, b.poles) &&
    sameList([...a.locked].sort(), [...b.locked].sort()) &&
    sameList(a.clips, b.clips) &&
    sameList(a.meshes, b.meshes) &&
    sameList(a.weights, b.weights) &&
    a.limits === b.limits
  );
}
