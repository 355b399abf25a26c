import { randomUUID } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { whyUnwritable } from '../../wording/messages/file-errors.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { markedPrefix, removeLeftovers, usedIn } from './leftovers.ts';
import { makeFolder } from './make-folder.ts';

/** The content of a file, whole or in pieces. */
export type Content = string | Uint8Array | Iterable<string> | AsyncIterable<string>;

/** A folder for results. Names of files may begin with folders. */
export interface Store {
  readonly folder: string;
  /**
   * Writes a file completely or not at all, and returns its path. Rejects with the `QuiesceError` `write-failed`, or with
   * the error of whatever produces the pieces.
   */
  write(name: string, content: Content): Promise<string>;
  /** A file's text; undefined when there is none. */
  read(name: string): Promise<string | undefined>;
  /** Removes a file or a folder with its content, if there is one. */
  remove(name: string): Promise<void>;
  /**
   * Keeps other jobs out until it is released, or this process has ended. Rejects with the `QuiesceError` `out-in-use` when
   * another job holds the folder.
   */
  hold(): Promise<void>;
  release(): Promise<void>;
  /** Removes the folder with its content, and those above it that were created for it; nothing when it was there before. */
  discard(): Promise<void>;
}

/**
 * Creates the folder and checks that it is writable, and that no job holds it. Rejects with the `QuiesceError`
 * `out-not-writable` or `out-in-use`.
 */
export async function openStore(folder: string): Promise<Store> {
  let created: string | undefined;
  try {
    created = await makeFolder(folder);
    const probe = temporaryIn(folder, 'probe');
    await writeFile(probe, '');
    await rm(probe);
    await removeLeftovers(folder, TEMPORARY);
  } catch (error) {
    throw new QuiesceError('out-not-writable', { path: folder, detail: whyUnwritable(error) }, { cause: error });
  }
  const lock = temporaryIn(folder, 'lock');
  await refuseHeld(folder, lock);
  let hasFiles = false;
  return {
    folder,
    async hold() {
      try {
        await writeFile(lock, '', { flag: 'wx' });
      } catch (error) {
        throw writeFailed(lock, error);
      }
      // Of two that begin at the same moment both may be refused, but never none.
      await refuseHeld(folder, lock).catch(async (error: unknown) => {
        await rm(lock, { force: true });
        throw error;
      });
    },
    release: () => rm(lock, { force: true }),
    async write(name, content) {
      const file = await writeAtomically(folder, name, content, hasFiles);
      hasFiles = true;
      return file;
    },
    read: (name) => readIfPresent(path.join(folder, name)),
    remove: (name) => rm(path.join(folder, name), { recursive: true, force: true }),
    discard: () => (created === undefined ? Promise.resolve() : discard(folder, path.resolve(created))),
  };
}

/** Rejects with the `QuiesceError` `out-in-use` where a job of a process that runs holds the folder with another lock. */
async function refuseHeld(folder: string, own: string): Promise<void> {
  const holder = (await usedIn(folder, TEMPORARY)).find(
    ({ name }) => name.endsWith('.lock') && name !== path.basename(own),
  );
  if (holder === undefined) return;
  throw new QuiesceError('out-in-use', { path: folder, pid: holder.pid, detail: path.join(folder, holder.name) });
}

/** Removes a folder, and the empty ones above it up to the first that was created. */
async function discard(folder: string, first: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (let above = folder; above !== first && above !== path.dirname(above); ) {
    above = path.dirname(above);
    try {
      await rmdir(above);
    } catch {
      // Another process uses it by now.
      return;
    }
  }
}

/** How names of files that are not to stay begin. */
const TEMPORARY = '.quiesce-';

/** The path of a file that is not to stay, beside the results in a folder. */
export function temporaryIn(folder: string, ending: 'probe' | 'part' | 'tmp' | 'lock'): string {
  return path.join(folder, `${markedPrefix(TEMPORARY)}${randomUUID()}.${ending}`);
}

/**
 * Writes a draft and renames it: nobody reads half a file, and the old one stays when the disk is full. The folder may be a
 * stranger's, so that folders in it that are links are not followed.
 */
async function writeAtomically(folder: string, name: string, content: Content, hasFiles: boolean): Promise<string> {
  const file = path.join(folder, name);
  const draft = temporaryIn(folder, 'part');
  try {
    const parent = path.dirname(file);
    await mkdir(parent, { recursive: true });
    if ((await realpath(parent)) !== path.join(await realpath(folder), path.dirname(name))) {
      throw Object.assign(new Error('A folder in its path is a link.'), { code: 'ELOOP', syscall: 'open' });
    }
    await writeFile(draft, content);
    await rename(draft, file);
    return file;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw writeFailed(file, error, hasFiles);
  }
}

/** The `QuiesceError` for an error of the file system; any other error as it is. `hasFiles`: others were written before. */
export function writeFailed(file: string, error: unknown, hasFiles = false): unknown {
  if ((error as NodeJS.ErrnoException).syscall === undefined) return error;
  const details = { path: file, detail: whyUnwritable(error), ...(hasFiles && { hasFiles }) };
  return new QuiesceError('write-failed', details, { cause: error });
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
