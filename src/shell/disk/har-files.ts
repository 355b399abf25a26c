import { constants } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { fileFaultInWords, fileInWords, whyUnreadable } from '../../wording/file-faults.ts';
import { QuiesceError } from '../../wording/messages.ts';

/** A HAR file, or the problem with what was named. */
export type FoundHar =
  | { readonly name: string /** Absolute; absent for stdin. */; readonly path?: string }
  | { readonly name: string; readonly problem: QuiesceError };

/** The name that stands for the standard input. */
export const STDIN = '-';

const HAR_NAME = /\.har(?:\.gz)?$/i;

/**
 * Finds the HAR files that the user has named: files, folders with HARs at any depth, `-`. Each file once, in the given
 * order, in folders sorted by name, run-2 before run-10.
 */
export async function findHars(named: readonly string[]): Promise<readonly FoundHar[]> {
  const found = (await Promise.all(named.map(harsAt))).flat();
  const seen = new Set<string>();
  return found.filter((each) => {
    const key = 'problem' in each ? each.problem.message : (each.path ?? STDIN);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

async function harsAt(name: string): Promise<readonly FoundHar[]> {
  if (name === STDIN) return [{ name }];
  try {
    const found = await stat(name);
    if (!found.isDirectory()) return [{ name, path: path.resolve(name) }];
    const entries = await readdir(name, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && HAR_NAME.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    if (files.length === 0) return [{ name, problem: new QuiesceError('har-folder-empty', { path: name }) }];
    return files.map((file) => ({ name: file, path: path.resolve(file) }));
  } catch (error) {
    return [{ name, problem: unreadable(name, error) }];
  }
}

/** The longest string of the engine, characters. */
const LARGEST = constants.MAX_STRING_LENGTH;

/** The text of a HAR, unpacked where it is gzipped, whatever its name says. Rejects with a `QuiesceError`. */
export async function readHarText(
  found: { readonly name: string; readonly path?: string },
  stdin: AsyncIterable<Uint8Array | string>,
): Promise<string> {
  const { name } = found;
  let bytes: Buffer;
  try {
    bytes = found.path === undefined ? await readAll(stdin) : await readFile(found.path);
  } catch (error) {
    throw unreadable(name, error);
  }
  if (bytes.length === 0) throw new QuiesceError('har-empty', { path: fileInWords(name) });
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = await unpacked(name, bytes);
  if (bytes.length === 0) throw new QuiesceError('har-empty', { path: fileInWords(name) });
  // "PK": Playwright packs HARs with their bodies that way.
  if (bytes.length > 3 && bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] ?? 0) < 8) {
    throw new QuiesceError('har-zip', { path: fileInWords(name) });
  }
  if (bytes.length > LARGEST) throw tooLarge(name);
  // Without the byte order mark.
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** By the byte order mark. Source: Unicode, "Byte order mark". */
function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

async function readAll(stream: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function unpacked(name: string, bytes: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: LARGEST });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(name);
    const detail = fileFaultInWords(
      code === 'Z_BUF_ERROR' ? { code: 'packed-cut' } : { code: 'packed-broken', detail: message },
    );
    throw new QuiesceError('har-gzip-broken', { path: fileInWords(name), detail }, { cause: error });
  }
}

function tooLarge(name: string): QuiesceError {
  const detail = fileFaultInWords({ code: 'too-large', most: LARGEST });
  return new QuiesceError('har-unreadable', { path: fileInWords(name), detail });
}

function unreadable(name: string, error: unknown): QuiesceError {
  return new QuiesceError(
    'har-unreadable',
    { path: fileInWords(name), detail: whyUnreadable(error) },
    { cause: error },
  );
}
