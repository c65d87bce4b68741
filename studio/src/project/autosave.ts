// SPDX-License-Identifier: Apache-2.0

// Keeps the work in the browser's storage while it goes on, once somebody has agreed to it.
import type { Studio } from "../studio.js";
import type { Blobs } from "./blobs.js";
import { blobsOf, type Project } from "./project.js";
import type { Session, Store } from "./store.js";

const WAIT = 500; // milliseconds after a change, so that a drag is not kept frame by frame
const PAUSE = 1000; // from one time to the next, at least

export class Autosave {
  #on = false;
  #dirty = false;
  #busy = false;
  #timer = 0;
  #last = -Infinity;
  #stored = new Set<string>();

  constructor(
    private readonly studio: Studio,
    private readonly id: string,
    private readonly store: Store,
    private readonly capture: () => Project,
    private readonly blobs: Blobs,
    private readonly failed: (reason: string) => void,
  ) {
    const { bus } = studio;
    bus.on(["history", "pose", "goals", "clip", "time", "characters", "meshes", "weights"], () => this.#note());
    bus.on("clip", () => {
      // Keys that are being dragged change a clip in place.
      const clip = studio.active?.clip;
      if (clip) blobs.forgetClip(clip);
    });
  }

  get on(): boolean {
    return this.#on;
  }
  /** Whether all that is there is kept. */
  get current(): boolean {
    return this.#on && !this.#dirty && !this.#busy;
  }

  start() {
    if (this.#on) return;
    this.#on = true;
    hold(this.id);
    this.#note();
  }

  /** Keeps nothing from now on, and forgets what was kept. */
  async stop(): Promise<void> {
    this.#on = false;
    clearTimeout(this.#timer);
    this.#stored.clear();
    await this.store.remove(this.id);
  }

  #note() {
    if (!this.#on) return;
    this.#dirty = true;
    if (this.#timer || this.#busy) return;
    const wait = Math.max(WAIT, this.#last + PAUSE - performance.now());
    this.#timer = window.setTimeout(() => void this.#keep(), wait);
  }

  async #keep(): Promise<void> {
    this.#timer = 0;
    this.#busy = true;
    this.#dirty = false;
    this.#last = performance.now();
    try {
      const { characters, unsaved } = this.studio;
      const project = this.capture();
      const names = blobsOf(project);
      this.blobs.keep(names);
      const fresh = [...names].filter((name) => !this.#stored.has(name));
      const stale = [...this.#stored].filter((name) => !names.has(name));
      const session: Session = {
        ...{ id: this.id, time: Date.now(), names: characters.map(({ name }) => name) },
        ...{ unsaved, project },
      };
      await this.store.keep(
        session,
        fresh.map((name) => [name, this.blobs.bytes(name)] as const),
        stale,
      );
      this.#stored = new Set(names);
    } catch (error) {
      this.#on = false;
      this.failed(error instanceof Error ? error.message : String(error));
    } finally {
      this.#busy = false;
      this.#noteAgain();
    }
  }

  /** What was changed while it was being kept. */
  #noteAgain() {
    if (this.#dirty) this.#note();
  }
}

// Pages that are not from this machine or encrypted have none.
const locks = navigator.locks as LockManager | undefined;

/** Tells other pages of this browser, and this one's next visit, that the session lives; until the page is gone. */
function hold(id: string) {
  void locks?.request(lockOf(id), () => new Promise<void>(() => {}));
}

/** Sessions whose page is gone, and how many belong to pages that seem to live. */
export async function findLost(store: Store): Promise<{ lost: readonly Session[]; living: number }> {
  const held = new Set((await locks?.query())?.held?.map(({ name }) => name));
  const sessions = await store.sessions();
  const lost = sessions.filter(({ id }) => !held.has(lockOf(id))).sort((a, b) => b.time - a.time);
  return { lost, living: sessions.length - lost.length };
}

const lockOf = (id: string) => `ulna-session-${id}`;
