// SPDX-License-Identifier: Apache-2.0

// Projects in the browser's own storage (IndexedDB), one for each visit: what recovery reads.
import type { Project } from "./project.js";

/** One visit's work as it was last kept. */
export interface Session {
  readonly id: string;
  readonly time: number; // milliseconds since 1970
  readonly names: readonly string[]; // of the characters
  readonly unsaved: boolean; // whether it is in no file yet
  readonly project: Project;
}

const DATABASE = "ulna-studio";

export class Store {
  private constructor(private readonly database: IDBDatabase) {}

  /** Rejects where the browser keeps nothing, as in some private windows. */
  static open(): Promise<Store> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("sessions", { keyPath: "id" });
        request.result.createObjectStore("blobs"); // by session and name
      };
      request.onsuccess = () => resolve(new Store(request.result));
      request.onerror = () => reject(request.error ?? new Error("the browser's storage cannot be opened"));
      request.onblocked = () => reject(new Error("the browser's storage is in use by an older studio"));
    });
  }

  sessions(): Promise<readonly Session[]> {
    const request = this.#transaction("readonly").objectStore("sessions").getAll();
    return done(request) as Promise<Session[]>;
  }

  /** The session as it is now, with the blobs that are new and without those that are not needed: all or nothing. */
  async keep(session: Session, fresh: Iterable<readonly [string, Uint8Array]>, stale: Iterable<string>): Promise<void> {
    const transaction = this.#transaction("readwrite");
    const blobs = transaction.objectStore("blobs");
    for (const [name, bytes] of fresh) blobs.put(bytes, [session.id, name]);
    for (const name of stale) blobs.delete([session.id, name]);
    transaction.objectStore("sessions").put(session);
    return finished(transaction);
  }

  async blobs(id: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const blobs = this.#transaction("readonly").objectStore("blobs");
    const [keys, values] = [done(blobs.getAllKeys(rangeOf(id))), done(blobs.getAll(rangeOf(id)))];
    const bytes = (await values) as Uint8Array[];
    return new Map((await keys).map((key, i) => [(key as [string, string])[1], bytes[i] ?? new Uint8Array()]));
  }

  remove(id: string): Promise<void> {
    const transaction = this.#transaction("readwrite");
    transaction.objectStore("sessions").delete(id);
    transaction.objectStore("blobs").delete(rangeOf(id));
    return finished(transaction);
  }

  #transaction(mode: IDBTransactionMode) {
    // On the disk before it counts: the machine may lose its power too.
    return this.database.transaction(["sessions", "blobs"], mode, { durability: "strict" });
  }
}

const rangeOf = (id: string) => IDBKeyRange.bound([id], [id, []]);

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's storage cannot be read"));
  });
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () =>
      reject(transaction.error ?? new Error("the browser's storage cannot be written"));
  });
}
