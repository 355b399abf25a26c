import { lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { PerBuild } from '../../model/compare/build.ts';
import { whyUnreadable } from '../../wording/messages/file-errors.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { isFolder } from './is-file.ts';
import { readBytes } from './read-pieces.ts';

/** A file that may hold a result. */
export interface FoundResult {
  /** As messages name it. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** The file to which jobs write their result. */
export const RESULT_FILE = 'result.json';
/** Beside the result.json of a comparison's shard: what joining needs and no report shows. */
export const SHARD_FILE = 'shard.json';
/** Both builds of a comparison, loading side by side in one animated picture. */
export const RACE_FILE = 'race.png';
/** Logs of the servers of a comparison, and of what was run before them. */
export const SERVER_LOGS: PerBuild<string> = { base: 'base-server.log', candidate: 'candidate-server.log' };
export const SETUP_LOG = 'setup.log';
export const LOG_FILES: readonly string[] = [...Object.values(SERVER_LOGS), SETUP_LOG];
/** How deep folders are searched. */
const MAX_DEPTH = 8;
/** How many folders are searched: with more it is no folder of results. */
const MAX_FOLDERS = 50_000;
/** Folders that are not searched. */
const IGNORED = /^(?:\..*|node_modules|evidence|resume)$/;
/** The largest result that is read, bytes. One run takes some 20 kB. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Finds the results that were named: files, and every `result.json` in folders. Each once, in the given order, in folders
 * sorted by name. Links to folders are not followed.
 *
 * @throws QuiesceError `result-unreadable` for what is not there, or neither file nor folder.
 */
export async function findResults(named: readonly string[]): Promise<readonly FoundResult[]> {
  const found = new Map<string, FoundResult>();
  for (const name of named) {
    for (const each of await resultsAt(name)) if (!found.has(each.path)) found.set(each.path, each);
  }
  return [...found.values()];
}

async function resultsAt(name: string): Promise<readonly FoundResult[]> {
  const whole = path.resolve(name);
  const entry = await stat(whole).catch((error) => {
    throw resultUnreadable(name, error);
  });
  if (entry.isFile()) return [{ name, path: whole }];
  // A pipe or a device may never end.
  if (!entry.isDirectory()) throw resultFaulty(name, 'it is neither a file nor a folder');
  const found: FoundResult[] = [];
  let folders = [{ name, path: whole }];
  let seen = 0;
  for (let depth = 0; depth <= MAX_DEPTH && folders.length > 0 && seen <= MAX_FOLDERS; depth += 1) {
    const next: typeof folders = [];
    for (const folder of folders) {
      seen += 1;
      // A folder that cannot be read counts as empty.
      const entries = await readdir(folder.path, { withFileTypes: true }).catch(() => []);
      for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))) {
        const place = { name: path.join(folder.name, entry.name), path: path.join(folder.path, entry.name) };
        if (entry.isDirectory() && !IGNORED.test(entry.name)) next.push(place);
        else if (entry.isFile() && entry.name === RESULT_FILE) found.push(place);
      }
    }
    folders = next;
  }
  return found;
}

/** The text of a result. Rejects with a `QuiesceError`. */
export async function readResultText({ name, path: file }: FoundResult): Promise<string> {
  try {
    return (await readBytes(file, { most: MAX_BYTES })).toString();
  } catch (error) {
    throw resultUnreadable(name, error);
  }
}

/**
 * The file of a stored result that is named by it, or by its folder.
 *
 * @throws QuiesceError `result-unreadable` where the file in the folder is a link: it may lead anywhere.
 */
export async function resultFileOf(name: string): Promise<string> {
  if (!(await isFolder(name))) return name;
  const file = path.join(name, RESULT_FILE);
  const isLink = (await lstat(file).catch(() => undefined))?.isSymbolicLink() === true;
  if (isLink) throw resultFaulty(file, 'it is a symbolic link');
  return file;
}

/** The error for a file or folder that cannot be read. */
export function resultUnreadable(name: string, error: unknown): QuiesceError {
  return new QuiesceError('result-unreadable', { path: name, detail: whyUnreadable(error) }, { cause: error });
}

/** The error for a file that is of no use. `detail`: why, a clause. */
export function resultFaulty(name: string, detail: string): QuiesceError {
  return new QuiesceError('result-unreadable', { path: name, detail });
}
