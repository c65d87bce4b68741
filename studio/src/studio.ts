// SPDX-License-Identifier: Apache-2.0

// The studio's state: read freely, changed by its methods alone, which tell. What can be done to a character
// and undone is in commands/.
import type { Clip, Engine, Method, Report } from "@ulna/engine";
import { Bus } from "./bus.js";
import { makePlaneCharacter, type Character, type PlaneKind } from "./character.js";
import { History, type Step } from "./history.js";
import { noteOf, type Message } from "./messages.js";
import type { Problem } from "./comparing.js";
import type { Origin } from "./origin.js";
import { Playback } from "./playback.js";
import { Settings } from "./settings.js";
import { TracePlayer } from "./trace_player.js";
import { t } from "./language.js";

const MOST_MESSAGES = 5;
const MOST_CLOSED = 5; // characters that undo may bring back: each takes memory
export const SMALLEST_BRUSH = 0.005;
export const LARGEST_BRUSH = 0.2;
export const USUAL_LENS = 42;

export type Tool = "drag" | "rotate" | "paint";
/** Where a file goes that brings a motion while a character is there. */
export type Arrival = "play" | "beside" | "instead";
export type BrushMode = "add" | "subtract" | "smooth";

/** How a dragged body follows. */
export interface SolverSettings {
  readonly method: Method;
  readonly iterations: number; // 0 leaves it to the method
  readonly watch: boolean; // whether iterations are watched one by one
  readonly natural: boolean; // whether human bodies move as people do, and what they keep then
  readonly balance: boolean;
  readonly floor: boolean;
  readonly bulk: boolean;
  readonly pairs: boolean;
  readonly symmetric: boolean; // whether a dragged arm or leg takes the other one along
}

/** What is drawn. */
export interface ViewSettings {
  readonly mesh: boolean;
  readonly textures: boolean;
  readonly wire: boolean;
  readonly bones: boolean;
  readonly shadow: boolean;
  readonly limits: boolean;
  readonly trail: boolean;
  readonly ghost: boolean; // the motion before it was edited
  readonly onion: boolean; // the motion a little before and after
  readonly follow: boolean;
  readonly figures: boolean;
  readonly orthographic: boolean;
  readonly lens: number; // its focal length in millimetres, for a film 24 mm high
  readonly learning: boolean; // solvers instead of poses in the panel
  readonly weights: boolean;
  readonly dualQuaternion: boolean;
  readonly limbTwist: boolean; // twist is spread over arms and legs
  readonly source: "off" | "over" | "beside"; // the body that a clip was made for, while the clip plays
}

/** Where files go, once it was said: those of a motion alone, and those of a character that brings one. */
export interface ArrivalSettings {
  readonly motion: Arrival | "ask";
  readonly character: Arrival | "ask";
}

/** What a file holds that is exported: the pose on screen, the motion, or both. */
export type ExportContent = "pose" | "motion" | "both";

/** How work is kept. */
export interface KeepingSettings {
  readonly exports: ExportContent | "ask";
  readonly autoKey: boolean; // whether a changed pose is a key at once
}

export interface BrushSettings {
  readonly mode: BrushMode;
  readonly size: number; // of the character's
  readonly strength: number;
}

/** What the last solve came to, kept beyond the solver's own report. */
export interface SolveReport {
  readonly status: string;
  readonly iterations: number;
  readonly error: number; // of the dragged goal, a length
  readonly history: Float64Array; // the largest error at the start and after every iteration, in tolerances
  readonly milliseconds: number;
  readonly note: string; // what the method had to leave out; may be ""
}

/** Milliseconds of the last frame, by what they went into; and of the last file that was opened. */
export interface Timings {
  readonly solve: number;
  readonly pose: number;
  readonly skin: number;
  readonly upload: number;
  readonly script: number;
  readonly open: number;
}

export class Studio {
  readonly bus = new Bus();
  readonly history = new History(() => {
    this.#freeForgotten();
    this.bus.emit("history");
  });
  readonly playback = new Playback(this, this.bus);
  readonly traces = new TracePlayer(this.bus);

  readonly #solver = new Settings<SolverSettings>(
    {
      ...{ method: "auto", iterations: 0, watch: false },
      ...{ natural: true, balance: true, floor: true, bulk: true, pairs: true, symmetric: false },
    },
    () => this.bus.emit("tool"),
  );
  readonly #brush = new Settings<BrushSettings>({ mode: "add", size: 0.04, strength: 0.5 }, () =>
    this.bus.emit("tool"),
  );
  readonly #view = new Settings<ViewSettings>(
    {
      ...{
        mesh: true,
        textures: true,
        wire: false,
        bones: false,
        shadow: true,
        limits: true,
        trail: false,
        ghost: false,
        onion: false,
        follow: true,
      },
      ...{ orthographic: false, lens: USUAL_LENS, learning: false },
      ...{ figures: false, weights: false, dualQuaternion: true, limbTwist: true, source: "off" },
    },
    () => this.bus.emit("view"),
  );
  readonly #arrivals = new Settings<ArrivalSettings>({ motion: "ask", character: "ask" }, () =>
    this.bus.emit("characters"),
  );
  readonly #keeping = new Settings<KeepingSettings>({ exports: "ask", autoKey: false }, () => this.bus.emit("tool"));
  readonly #origins = new WeakMap<Clip, Origin>();
  #characters: readonly Character[] = [];
  #active: Character | null = null;
  #selected = -1;
  #hovered = -1;
  #together: ReadonlySet<number> = new Set();
  #tool: Tool = "drag";
  #report: SolveReport | null = null;
  #problem: Problem | null = null;
  #messages: readonly Message[] = [];
  #timings: Timings = { solve: 0, pose: 0, skin: 0, upload: 0, script: 0, open: 0 };
  #frames = 0;
  #openings = 0;
  #living: readonly Character[] = []; // shown, or brought back by undo
  #saved: Step | null = null; // the last step when all was saved
  readonly #recovered = new Set<Character>(); // and not saved since

  constructor(readonly engine: Engine) {}

  // ---- characters

  get characters(): readonly Character[] {
    return this.#characters;
  }
  get active(): Character | null {
    return this.#active;
  }

  /** Shows a character: instead of those that are there, or beside them. A step of the history, but for the first. */
  add(character: Character, beside: boolean, name = t("Open {name}", { name: character.name })) {
    this.showAll(beside ? [...this.#characters, character] : [character], character, name);
  }

  remove(character: Character) {
    const left = this.#characters.filter((each) => each !== character);
    const active = this.#active === character ? (left.at(-1) ?? null) : this.#active;
    this.showAll(left, active, t("Close {name}", { name: character.name }));
  }

  playInThePlane(kind: PlaneKind) {
    this.setTool("drag");
    this.add(makePlaneCharacter(this.engine, kind), false, "Plane");
  }

  /** Shows these characters and no others, as one step of the history; with no name as if it had always been so. */
  showAll(characters: readonly Character[], active: Character | null, name: string | null) {
    const before = { characters: this.#characters, active: this.#active };
    const after = { characters, active };
    const newcomers = characters.filter((each) => !this.#living.includes(each));
    for (const each of newcomers) each.listen(this.bus.emit);
    this.#living = [...this.#living, ...newcomers];
    this.#show(after);
    if (before.characters.length === 0 || name === null) return this.#freeForgotten();
    const holds = [...before.characters, ...characters];
    this.history.push({
      ...{ name, owner: null, holds },
      undo: () => this.#show(before),
      redo: () => this.#show(after),
    });
  }

  #show({ characters, active }: { characters: readonly Character[]; active: Character | null }) {
    this.#characters = characters;
    // Who stays active keeps what is selected.
    if (active === this.#active) this.bus.emit("characters");
    else this.activate(active);
  }

  /** Whether a character that is shown was changed since it was opened or saved. */
  get unsaved(): boolean {
    const changed = new Set(this.history.since(this.#saved).map(({ owner }) => owner));
    return this.#characters.some((each) => changed.has(each) || this.#recovered.has(each));
  }

  /** After all was saved as it is. */
  noteSaved() {
    this.#saved = this.history.last;
    this.#recovered.clear();
    this.bus.emit("history");
  }

  activate(character: Character | null) {
    this.bus.together(() => {
      this.traces.drop();
      this.#active = character;
      this.#selected = this.#hovered = -1;
      this.#together = new Set();
      if (!character?.clip) this.playback.pause();
      this.bus.emit("characters", "selection", "clip", "goals", "pose", "time");
    });
  }

  /** Frees characters that nothing shows any more and no step brings back; of the latter only the latest are kept. */
  #freeForgotten() {
    const shown = new Set<unknown>(this.#characters);
    const closed = () => {
      const { held } = this.history;
      return this.#living.filter((each) => !shown.has(each) && held.has(each));
    };
    while (closed().length > MOST_CLOSED && this.history.dropOldest());
    const kept = new Set<unknown>([...shown, ...closed()]);
    for (const each of this.#living) if (!kept.has(each)) each.free();
    this.#living = this.#living.filter((each) => kept.has(each));
  }

  /** After work was found again that is in no file yet. */
  noteUnsaved() {
    for (const each of this.#characters) this.#recovered.add(each);
    this.bus.emit("history");
  }

  // ---- selection

  /** The selected joint of the active character, or -1. */
  get selected(): number {
    return this.#selected;
  }
  get hovered(): number {
    return this.#hovered;
  }

  /** Further joints that move along with the selected one. */
  get together(): ReadonlySet<number> {
    return this.#together;
  }

  select(joint: number) {
    if (joint === this.#selected && this.#together.size === 0) return;
    this.#selected = joint;
    this.#together = new Set();
    this.bus.emit("selection");
  }

  /** Takes a joint to those that are selected, or away from them. */
  selectAlso(joint: number) {
    const all = new Set([...(this.#selected >= 0 ? [this.#selected] : []), ...this.#together]);
    if (!all.delete(joint)) all.add(joint);
    const [first = -1, ...others] = [...all].reverse();
    this.#selected = first;
    this.#together = new Set(others);
    this.bus.emit("selection");
  }

  /** Of joints that are selected together, the one that panels show. */
  leadBy(joint: number) {
    if (joint === this.#selected || !this.#together.has(joint)) return;
    this.#together = new Set([this.#selected, ...this.#together].filter((each) => each !== joint));
    this.#selected = joint;
    this.bus.emit("selection");
  }

  hover(joint: number) {
    if (joint === this.#hovered) return;
    this.#hovered = joint;
    this.bus.emit("selection");
  }

  // ---- settings

  get tool(): Tool {
    return this.#tool;
  }
  get solver(): SolverSettings {
    return this.#solver.values;
  }
  get view(): ViewSettings {
    return this.#view.values;
  }
  get brush(): BrushSettings {
    return this.#brush.values;
  }

  get arrivals(): ArrivalSettings {
    return this.#arrivals.values;
  }

  get keeping(): KeepingSettings {
    return this.#keeping.values;
  }

  setKeeping(changes: Partial<KeepingSettings>) {
    this.#keeping.set(changes);
  }

  setTool(tool: Tool) {
    this.bus.together(() => {
      this.#tool = tool;
      const paints = tool === "paint";
      this.setView(paints ? { weights: true, mesh: true } : { weights: false });
      if (paints && this.#selected < 0 && this.#active) this.select(firstWeighted(this.#active));
      this.bus.emit("tool", "selection");
    });
  }

  setSolver(changes: Partial<SolverSettings>) {
    this.#solver.set(changes);
    if (!this.solver.watch) this.traces.end();
  }

  setView(changes: Partial<ViewSettings>) {
    this.#view.set(changes);
  }

  setArrivals(changes: Partial<ArrivalSettings>) {
    this.#arrivals.set(changes);
  }

  setBrush(changes: Partial<BrushSettings>) {
    this.#brush.set(changes);
  }

  // ---- clips of other bodies

  /** What a clip, or the motion below its layers, was made of; null for one that was not made of another body's. */
  originOf(clip: Clip): Origin | null {
    return this.#origins.get(clip.base ?? clip) ?? null;
  }

  noteOrigin(clip: Clip, origin: Origin) {
    this.#origins.set(clip, origin);
  }

  // ---- what was measured

  get report(): SolveReport | null {
    return this.#report;
  }
  get timings(): Timings {
    return this.#timings;
  }
  /** How many frames were drawn so far. */
  get frames(): number {
    return this.#frames;
  }
  /** How often files were opened, with or without success. */
  get openings(): number {
    return this.#openings;
  }

  setReport(report: Pick<Report, "status" | "iterations" | "history">, error = 0, milliseconds = 0, note = "") {
    const { status, iterations, history } = report;
    this.#report = { status, iterations, error, history: history.slice(), milliseconds, note };
    this.bus.emit("report");
  }

  /** The last drag as a problem that methods can be compared on; null before the first, and once its body is gone. */
  get problem(): Problem | null {
    return this.#problem && this.#characters.includes(this.#problem.character) ? this.#problem : null;
  }

  noteProblem(problem: Problem) {
    this.#problem = problem;
    this.bus.emit("report");
  }

  noteFrame(timings: Omit<Timings, "open">) {
    this.#timings = { ...this.#timings, ...timings };
    ++this.#frames;
    this.bus.emit("frame");
  }

  /** After files were opened; the milliseconds of the last one. */
  noteOpening(open: number) {
    this.#timings = { ...this.#timings, open };
    ++this.#openings;
  }

  // ---- messages

  get messages(): readonly Message[] {
    return this.#messages;
  }

  tell(message: Message) {
    this.#messages = [...this.#messages.slice(1 - MOST_MESSAGES), message];
    this.bus.emit("messages");
  }

  note(title: string, what = "") {
    this.tell(noteOf(title, what));
  }

  dismiss(message: Message) {
    this.#messages = this.#messages.filter((each) => each !== message);
    this.bus.emit("messages");
  }
}

function firstWeighted({ weights }: Character): number {
  return weights.find((each) => each.joints.length > 0)?.joints[0] ?? 0;
}
