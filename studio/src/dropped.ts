// SPDX-License-Identifier: Apache-2.0

// What was dropped: files, and those in folders, however deep, that the studio may open.

/** A file, and where it was below what was dropped. */
export interface Dropped {
  readonly file: File;
  readonly path: string;
}

const OPENED = /\.(bvh|fbx|glb|gltf|bin|png|jpe?g|json|urdf|mjcf|xml|obj|ply|pc2)$/i;
const MOST = 2000; // of a folder that somebody may not have meant

/** To be called while the drop is being told: afterwards nothing of it can be seen any more. */
export function filesOf(transfer: DataTransfer): Promise<readonly Dropped[]> {
  const entries = [...transfer.items].map((item) => (item.kind === "file" ? item.webkitGetAsEntry() : null));
  const plain = [...transfer.files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
  if (!entries.some((entry) => entry?.isDirectory)) return Promise.resolve(plain);
  return below(entries.flatMap((entry) => entry ?? []));
}

async function below(entries: readonly FileSystemEntry[]): Promise<readonly Dropped[]> {
  const found: Dropped[] = [];
  const waiting = entries.map((entry) => ({ entry, named: true }));
  for (let next; found.length < MOST && (next = waiting.shift()); ) {
    const { entry, named } = next;
    if (isFolder(entry)) {
      waiting.push(...(await contentOf(entry)).map((each) => ({ entry: each, named: false })));
    } else if (isFile(entry) && (named || (OPENED.test(entry.name) && !entry.name.startsWith(".")))) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      found.push({ file, path: entry.fullPath.replace(/^\//, "") });
    }
  }
  return found;
}

/** All of it: browsers tell a hundred at a time. */
async function contentOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
