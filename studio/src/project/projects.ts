// SPDX-License-Identifier: Apache-2.0

// Projects of the page: saved to a file, opened from one, kept while one works, and found again.
import type { Result } from "@ulna/engine";
import type { Background } from "../background.js";
import { baseName, type ExportAnswer, type ModelFormat } from "../model_export.js";
import { download } from "../exporting.js";
import type { NamedBytes } from "../files.js";
import { errorOf, noteOf } from "../messages.js";
import type { Opened } from "../opening.js";
import type { SourceFile } from "../retarget_job.js";
import type { ExportContent, Studio } from "../studio.js";
import type { Viewport } from "../view/viewport.js";
import { Autosave, findLost } from "./autosave.js";
import { Blobs, type ReadBlob } from "./blobs.js";
import { captureProject } from "./capture.js";
import { blobsOf, PROJECT_ENDING, type CameraRecord, type Project } from "./project.js";
import { restoreProject } from "./restore.js";
import { Store, type Session } from "./store.js";
import { language, t } from "../language.js";

const HANDED_OVER = "ulna-handed-over"; // in sessionStorage, between two pages
const AGREED = "ulna-keep-work"; // in localStorage, where somebody agreed

export interface ProjectsHost {
  /** Shows that something is being done; false when it is over. */
  busy(text: string | false): void;
  /** What a file holds, read without holding up the page. */
  read(file: SourceFile): Promise<Result<Opened>>;
  askRecovery(question: { names: readonly string[]; when: string }): Promise<"open" | "discard" | null>;
}

export class Projects {
  readonly #id = crypto.randomUUID();
  readonly #blobs = new Blobs(this.#id.slice(0, 8));
  #autosave: Autosave | null = null;
  #store: Store | null = null;
  #asked = false;
  #handedOver = false;
  readonly #declined = new Set<string>(); // sessions that nobody wanted to see now

  constructor(
    private readonly studio: Studio,
    private readonly view: Viewport,
    private readonly background: Background,
    private readonly host: ProjectsHost,
  ) {}

  /** Whether the work is kept in this browser. */
  get keeping(): boolean {
    return this.#autosave?.on ?? false;
  }

  /** Saves all to a file. */
  async save(): Promise<void> {
    const { studio } = this;
    if (studio.characters.length === 0) return;
    const at = studio.history.last;
    const project = this.#capture();
    const blobs = [...blobsOf(project)].map((name) => [name, this.#blobs.bytes(name)] as const);
    this.host.busy(t("Saving the project"));
    try {
      const blob = await this.background.run("pack", { project, blobs });
      if (!blob) return;
      const name = `${studio.active ? baseName(studio.active) : "ulna"}${PROJECT_ENDING}`;
      download(blob, name);
      // What was done meanwhile is not in it.
      if (studio.history.last === at) studio.noteSaved();
      studio.note(t("Saved {name}", { name }), t("it opens again by dropping it on the page"));
    } catch (error) {
      studio.tell(errorOf(t("The project was not saved"), error instanceof Error ? error.message : String(error)));
    } finally {
      this.host.busy(false);
    }
  }

  /** The files of the active character, written on another thread; null where that failed, which is told. */
  async export(format: ModelFormat, content: ExportContent): Promise<ExportAnswer | null> {
    const { studio } = this;
    const all = this.#capture();
    const project = { ...all, characters: all.characters.filter((_, i) => i === all.active), active: 0 };
    const blobs = [...blobsOf(project)].map((name) => [name, this.#blobs.bytes(name)] as const);
    this.host.busy(t("Exporting"));
    try {
      return await this.background.run("export", { project, blobs, format, content });
    } catch (error) {
      studio.tell(errorOf(t("Nothing was exported"), error instanceof Error ? error.message : String(error)));
      return null;
    } finally {
      this.host.busy(false);
    }
  }

  /** Opens a project; says whether that was done. */
  async open(file: NamedBytes, beside: boolean): Promise<boolean> {
    const title = t("{name} could not be opened", { name: file.name });
    const refuse = (what: string) => {
      this.studio.tell(errorOf(title, what, { location: file.name }));
      return false;
    };
    this.host.busy(t("Opening {name}", { name: file.name }));
    const read = await this.background.run("unpack", file.bytes, () => {}, [file.bytes]);
    if (!read) return false;
    if (!read.ok) return refuse(read.what);
    const { project, blobs } = read.value;
    const bytes = new Map(blobs);
    try {
      await this.#show(
        project,
        (name) => bytes.get(name) ?? new Uint8Array(),
        beside,
        t("Open {name}", { name: file.name }),
      );
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error));
    }
    return true;
  }

  /** Offers work that was lost, and keeps this visit's where somebody agreed before. True where work was opened. */
  async recover(): Promise<boolean> {
    try {
      this.#store = await Store.open();
    } catch {
      return false; // a browser that keeps nothing
    }
    const taken = await this.#takeOver(this.#store);
    const { opened, living } = await this.#offerLost(this.#store, taken);
    if (agreed()) this.start();
    // A page that ended badly may seem to live for a moment more.
    if (living > 0) void this.#lookAgain(this.#store, opened);
    return opened;
  }

  async #lookAgain(store: Store, opened: boolean): Promise<void> {
    for (const seconds of [0.5, 1.5, 4]) {
      await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
      ({ opened } = await this.#offerLost(store, opened));
    }
  }

  async #offerLost(store: Store, openedBefore: boolean): Promise<{ opened: boolean; living: number }> {
    let opened = openedBefore;
    const { lost, living } = await findLost(store);
    for (const session of lost) {
      if (session.id === this.#id || this.#declined.has(session.id)) continue;
      if (session.unsaved) {
        if (opened) continue; // for another visit
        const choice = await this.host.askRecovery({ names: session.names, when: ago(Date.now() - session.time) });
        if (choice === null) this.#declined.add(session.id); // it is asked again the next time
        if (choice === null || (choice === "open" && !(await this.#reopen(store, session)))) continue;
        opened ||= choice === "open";
      }
      await store.remove(session.id);
    }
    return { opened, living };
  }

  /** Shows a session's work; true once it is kept as this visit's. */
  async #reopen(store: Store, session: Session): Promise<boolean> {
    const blobs = await store.blobs(session.id);
    try {
      // What is there by itself at the start is nothing to come back to.
      const name = this.studio.history.last === null ? null : t("Recover");
      await this.#show(session.project, (blob) => blobs.get(blob) ?? new Uint8Array(), false, name);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      this.studio.tell(errorOf(t("Your work could not be opened"), what));
      return false;
    }
    this.studio.noteUnsaved();
    this.start();
    while (this.#autosave?.on && !this.#autosave.current) await new Promise((resolve) => setTimeout(resolve, 100));
    return this.keeping;
  }

  /** Asks once, after the first change, whether the work may be kept in this browser. */
  offer() {
    const { studio } = this;
    if (this.#asked || this.keeping || !this.#store || !studio.unsaved) return;
    this.#asked = true;
    const message = {
      ...noteOf(
        t("Keep your work in this browser?"),
        t("If the page closes by accident, it is here again. Nothing leaves this machine"),
      ),
      actions: [
        {
          text: t("Keep it"),
          act: () => this.agree(),
        },
        { text: t("No"), act: () => {} },
      ],
    };
    studio.tell(message);
  }

  /** Keeps the work from now on, in later visits too. */
  agree() {
    remember(true);
    this.start();
  }

  start() {
    if (!this.#store) return;
    this.#autosave ??= new Autosave(
      this.studio,
      this.#id,
      this.#store,
      () => this.#capture(),
      this.#blobs,
      (reason) =>
        this.studio.tell(
          errorOf(t("Your work is not kept any more"), reason, { advice: t("save the project to a file instead") }),
        ),
    );
    this.#autosave.start();
    this.studio.bus.emit("tool");
  }

  async stop(): Promise<void> {
    remember(false);
    await this.#autosave?.stop();
    this.studio.bus.emit("tool");
  }

  /** Keeps all that there is for the page that comes next in this tab, which shows it without a question. */
  async handOver(): Promise<void> {
    if (!this.#store || this.studio.characters.length === 0) return;
    this.start();
    while (this.#autosave?.on && !this.#autosave.current) await new Promise((resolve) => setTimeout(resolve, 50));
    sessionStorage.setItem(HANDED_OVER, JSON.stringify({ id: this.#id, unsaved: this.studio.unsaved }));
    this.#handedOver = true;
  }

  /** Shows what the page before in this tab handed over; true where it did. */
  async #takeOver(store: Store): Promise<boolean> {
    const text = sessionStorage.getItem(HANDED_OVER);
    if (text === null) return false;
    sessionStorage.removeItem(HANDED_OVER);
    const { id, unsaved } = JSON.parse(text) as { id: string; unsaved: boolean };
    const session = (await store.sessions()).find((each) => each.id === id);
    if (!session) return false;
    const blobs = await store.blobs(id);
    try {
      await this.#show(session.project, (blob) => blobs.get(blob) ?? new Uint8Array(), false, null);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      this.studio.tell(errorOf(t("Your work could not be opened"), what));
      return false;
    }
    if (unsaved) this.studio.noteUnsaved();
    await store.remove(id);
    return true;
  }

  /** Whether closing the page would lose something. */
  get wouldLose(): boolean {
    return this.studio.unsaved && !this.#autosave?.current && !this.#handedOver;
  }

  #capture(): Project {
    const { camera, controls } = this.view.scene;
    const record: CameraRecord = { position: camera.position.toArray(), target: controls.target.toArray() };
    return captureProject(this.studio, record, this.#blobs);
  }

  async #show(project: Project, blob: ReadBlob, beside: boolean, name: string | null) {
    const { studio } = this;
    const { characters, active, origins } = await restoreProject(studio.engine, project, blob, (file) =>
      this.host.read(file),
    );
    for (const [clip, origin] of origins) studio.noteOrigin(clip, origin);
    studio.showAll(beside ? [...studio.characters, ...characters] : characters, active, name);
    if (beside) return;
    studio.setView(alike(studio.view, project.view));
    studio.setSolver(alike(studio.solver, project.solver));
    if (project.camera) this.view.lookFrom(project.camera);
  }
}

/** Of settings that came from outside those that are there, in their own types. */
function alike<T extends object>(own: T, given: Partial<Record<keyof T, unknown>> | null | undefined): Partial<T> {
  const known = Object.entries(given ?? {}).filter(
    ([key, value]) => Object.hasOwn(own, key) && typeof value === typeof own[key as keyof T],
  );
  return Object.fromEntries(known) as Partial<T>;
}

function ago(milliseconds: number): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return t("a moment ago");
  if (minutes < 60) return words.format(-minutes, "minute");
  return minutes < 1440
    ? words.format(-Math.round(minutes / 60), "hour")
    : words.format(-Math.round(minutes / 1440), "day");
}

function agreed(): boolean {
  try {
    return localStorage.getItem(AGREED) !== null;
  } catch {
    return false;
  }
}

function remember(yes: boolean) {
  try {
    if (yes) localStorage.setItem(AGREED, "1");
    else localStorage.removeItem(AGREED);
  } catch {
    // Kept for this visit alone then.
  }
}
