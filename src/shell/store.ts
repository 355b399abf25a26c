import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../core/messages.ts';

/** What is written to a file: at once, or piece by piece. */
export type Content = string | Uint8Array | Iterable<string> | AsyncIterable<string>;

/** A folder that results are written to as they come, in folders of its own where a name has one. */
export interface Store {
  readonly folder: string;
  /**
   * Writes a file whole or not at all, and gives its path; a text may come in pieces. Rejects with a `UsageError` when it
   * cannot, and with whatever goes wrong where the pieces are made.
   */
  write(name: string, content: Content): Promise<string>;
  /** A file's text; undefined when there is none. */
  read(name: string): Promise<string | undefined>;
  /** Removes a file or a folder with all that is in it; no matter when there is none. */
  remove(name: string): Promise<void>;
}

/** Makes the folder and tries that it can be written to. Rejects with `out-not-writable`. */
export async function openStore(folder: string): Promise<Store> {
  try {
    await mkdir(folder, { recursive: true });
    const probe = path.join(folder, `.quiesce-${randomUUID()}`);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw new UsageError('out-not-writable', { path: folder, detail: reason(error) }, { cause: error });
  }
  return {
    folder,
    write: (name, content) => writeWhole(path.join(folder, name), content),
    read: (name) => readWhole(path.join(folder, name)),
    remove: (name) => rm(path.join(folder, name), { recursive: true, force: true }),
  };
}

/** A reader never meets half a file, and a full disk does not cost what was there before. */
async function writeWhole(file: string, content: Content): Promise<string> {
  const draft = `${file}.${randomUUID()}.part`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(draft, content);
    await rename(draft, file);
    return file;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new UsageError('write-failed', { path: file, detail: reason(error) }, { cause: error });
  }
}

async function readWhole(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file of that name is in the way',
  EISDIR: 'a folder of that name is in the way',
};

function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return REASONS[code] ?? (code || String(error));
}
