import os from 'node:os';
import path from 'node:path';
import { type Content, openStore, type Store } from '../../../shell/disk/store.ts';
import { openTempFiles, type TempFiles } from '../../../shell/disk/temp-file.ts';

/** Where a job writes its files. */
export interface OutputFolder {
  /** Absolute. */
  readonly folder: string;
  /** Writes a file whole or not at all, and lists it. Rejects with a `QuiesceError` when it cannot. */
  write(name: string, content: Content): Promise<void>;
}

/** The files of a job; none where nothing is to be written, and no folder either. */
export interface JobOutput extends OutputFolder {
  /** For files that are not to stay: they are not listed. */
  readonly store: Store;
  /** Paths of what was written to stay, each once. */
  files(): readonly string[];
  /** How large it is, bytes, by its name. A report cannot say how large it will be itself: what came in pieces is left out. */
  sizes(): Readonly<Record<string, number>>;
  /** Removes everything again, where nobody else has put something there. */
  discard(): Promise<void>;
  /** Keeps what memory should not hold until it is closed. */
  openTempFiles(): TempFiles;
}

/** Opens the folder of a job's results. Rejects with `out-not-writable` or `out-in-use`; where nothing is written, nothing is made. */
export async function openOutput(folder: string, writes: boolean): Promise<JobOutput> {
  const store = writes ? await openStore(path.resolve(folder)) : emptyStore(path.resolve(folder));
  const files = new Set<string>();
  const sizes: Record<string, number> = {};
  return {
    folder: store.folder,
    store,
    async write(name, content) {
      if (!writes) return;
      files.add(await store.write(name, content));
      if (typeof content === 'string' || content instanceof Uint8Array) sizes[name] = Buffer.byteLength(content);
    },
    files: () => [...files],
    sizes: () => sizes,
    discard: async () => {
      files.clear();
      await store.discard();
    },
    openTempFiles: () => openTempFiles(writes ? store.folder : os.tmpdir()),
  };
}

/** A folder in that of a job, for one of its parts. */
export function folderOf(output: JobOutput, folder: string): JobOutput {
  const inside = (name: string): string => `${folder}/${name}`;
  const { store } = output;
  return {
    ...output,
    folder: path.join(output.folder, folder),
    write: (name, content) => output.write(inside(name), content),
    store: {
      ...store,
      folder: path.join(store.folder, folder),
      write: (name, content) => store.write(inside(name), content),
      read: (name) => store.read(inside(name)),
      remove: (name) => store.remove(inside(name)),
    },
  };
}

function emptyStore(folder: string): Store {
  return {
    folder,
    write: async (name) => path.join(folder, name),
    read: async () => undefined,
    remove: async () => undefined,
    hold: async () => undefined,
    release: async () => undefined,
    discard: async () => undefined,
  };
}
