import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../core/messages.ts';

/** A file that may hold a result. */
export interface FoundResult {
  /** As messages name it. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** What jobs write their results to. */
const RESULT = 'result.json';
/** Folders of results lie this deep at most below what is named. */
const DEEPEST = 8;
/** A folder that holds more folders than this is no folder of results. */
const MOST_FOLDERS = 50_000;
/** Folders in which no result of its own lies. */
const LEFT_OUT = /^(?:\..*|node_modules|evidence|resume)$/;
/** Larger files are no results: one run is some 20 kB. */
const LARGEST = 256 * 1024 * 1024;
/** What is said of those. */
export const TOO_LARGE = 'it is larger than 256 MB';

/**
 * The results behind what was named: files, and every `result.json` in folders, at any bearable depth. Each once, in
 * the order of naming, inside folders by name. Links to folders are not followed.
 *
 * @throws UsageError `result-unreadable` for what is not there, or neither file nor folder.
 */
export async function findResults(named: readonly string[]): Promise<readonly FoundResult[]> {
  const found = new Map<string, FoundResult>();
  for (const name of named) {
    for (const each of await behind(name)) if (!found.has(each.path)) found.set(each.path, each);
  }
  return [...found.values()];
}

async function behind(name: string): Promise<readonly FoundResult[]> {
  const whole = path.resolve(name);
  const entry = await stat(whole).catch((error) => {
    throw resultUnreadable(name, error);
  });
  if (entry.isFile()) return [{ name, path: whole }];
  // What is read from may never end: a pipe, a device.
  if (!entry.isDirectory()) {
    throw new UsageError('result-unreadable', { path: name, detail: 'it is neither a file nor a folder' });
  }
  const found: FoundResult[] = [];
  let folders = [{ name, path: whole }];
  let seen = 0;
  for (let depth = 0; depth <= DEEPEST && folders.length > 0 && seen <= MOST_FOLDERS; depth += 1) {
    const next: typeof folders = [];
    for (const folder of folders) {
      seen += 1;
      // A folder that may not be read holds nothing for us.
      const entries = await readdir(folder.path, { withFileTypes: true }).catch(() => []);
      for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))) {
        const place = { name: path.join(folder.name, entry.name), path: path.join(folder.path, entry.name) };
        if (entry.isDirectory() && !LEFT_OUT.test(entry.name)) next.push(place);
        else if (entry.isFile() && entry.name === RESULT) found.push(place);
      }
    }
    folders = next;
  }
  return found;
}

/** The text of a result. Rejects with a `UsageError`. */
export async function readResultText({ name, path: file }: FoundResult): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > LARGEST) throw new UsageError('result-unreadable', { path: name, detail: TOO_LARGE });
    return await readFile(file, 'utf8');
  } catch (error) {
    throw error instanceof UsageError ? error : resultUnreadable(name, error);
  }
}

/** Is there a file of this name? */
export async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() === true;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
};

/** The error for a file or folder that cannot be read. */
export function resultUnreadable(name: string, error: unknown): UsageError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UsageError(
    'result-unreadable',
    { path: name, detail: REASONS[code] ?? (code || message) },
    { cause: error },
  );
}
