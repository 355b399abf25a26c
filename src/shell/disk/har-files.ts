import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { JsonCutter, type TextCut } from '../../core/text/json-cutter.ts';
import { fileInWords, whyUnreadable } from '../../wording/messages/file-errors.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { formatCount } from '../../wording/text/format.ts';
import { ReadFault, readPieces } from './read-pieces.ts';

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

/** The largest HAR, unpacked, bytes: mostly bodies, which are not kept. */
const MAX_BYTES = 512 * 1024 * 1024;
/** What is kept of it, bytes: requests without bodies are some kilobytes each. */
const MAX_KEPT = 96 * 1024 * 1024;
/** Objects and lists in it. A request is some twenty to a hundred. */
const MAX_OBJECTS = 2_000_000;
/** The longest text in it that is kept whole, bytes: no address or body that is judged is longer. */
const LONGEST_TEXT = 64 * 1024;

/** The text of a HAR as far as it is kept. */
export interface HarText {
  readonly text: string;
  /** Where texts of it were cut. */
  readonly cuts: readonly TextCut[];
  /** Of the whole file, unpacked and in UTF-8, SHA-256. */
  readonly hash: string;
}

/** Reads a HAR, unpacked where it is gzipped, whatever its name says. Rejects with a `QuiesceError`. */
export async function readHarText(
  found: { readonly name: string; readonly path?: string },
  stdin: AsyncIterable<Uint8Array | string>,
): Promise<HarText> {
  const { name } = found;
  const pieces = readPieces(found.path ?? stdin, { most: MAX_BYTES });
  try {
    return await kept(await inUtf8(await unpacked(pieces)));
  } catch (error) {
    const path = fileInWords(name);
    const { code } = error as NodeJS.ErrnoException;
    if (error === EMPTY) throw new QuiesceError('har-empty', { path });
    if (error === ZIP) throw new QuiesceError('har-zip', { path });
    if (code?.startsWith('Z_') !== true) throw unreadable(name, error);
    const detail = code === 'Z_BUF_ERROR' ? 'it ends too early' : `it is damaged: ${(error as Error).message}`;
    throw new QuiesceError('har-gzip-broken', { path, detail }, { cause: error });
  } finally {
    // Closes what was not read to its end.
    void pieces.return();
  }
}

const EMPTY = new Error('empty');
const ZIP = new Error('zip');

type Pieces = AsyncIterable<Uint8Array>;

/** What of a HAR in UTF-8 is kept. */
async function kept(pieces: Pieces): Promise<HarText> {
  const hash = createHash('sha256');
  const cutter = new JsonCutter(LONGEST_TEXT);
  // At once: a part of a piece would keep all of it in memory.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const texts: string[] = [];
  let [size, whole] = [0, 0];
  for await (const piece of pieces) {
    hash.update(piece);
    whole += piece.length;
    for (const part of cutter.pass(piece)) {
      texts.push(decoder.decode(part, { stream: true }));
      size += part.length;
    }
    if (whole > MAX_BYTES) throw new ReadFault({ most: MAX_BYTES });
    if (size > MAX_KEPT) throw new ReadFault({ most: MAX_KEPT });
    if (cutter.opened > MAX_OBJECTS) throw new Error(`it contains more than ${formatCount(MAX_OBJECTS, 'object')}`);
  }
  if (size === 0) throw EMPTY;
  texts.push(decoder.decode());
  return { text: texts.join(''), cuts: cutter.cuts, hash: hash.digest('hex') };
}

/** The bytes of a file that may be gzipped, unpacked. */
async function unpacked(pieces: Pieces): Promise<Pieces> {
  const { head, all } = await peeked(pieces);
  if (head.length === 0) throw EMPTY;
  // "PK": Playwright packs HARs with their bodies that way.
  if (head[0] === 0x50 && head[1] === 0x4b && (head[2] ?? 8) < 8) throw ZIP;
  if (head[0] !== 0x1f || head[1] !== 0x8b) return all;
  const gunzip = createGunzip();
  // What goes wrong on either side is thrown where the unpacked bytes are read.
  pipeline(all, gunzip).catch(() => undefined);
  return gunzip;
}

/** The same text in UTF-8, without the byte order mark that says what it is in. Source: Unicode, "Byte order mark". */
async function inUtf8(pieces: Pieces): Promise<Pieces> {
  const { head, all } = await peeked(pieces);
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return withoutFirst(3, all);
  if (first === 0xff && second === 0xfe) return recoded(all, 'utf-16le');
  return first === 0xfe && second === 0xff ? recoded(all, 'utf-16be') : all;
}

async function* recoded(pieces: Pieces, encoding: string): Pieces {
  const decoder = new TextDecoder(encoding);
  for await (const piece of pieces) yield Buffer.from(decoder.decode(piece, { stream: true }));
  yield Buffer.from(decoder.decode());
}

async function* withoutFirst(count: number, pieces: Pieces): Pieces {
  let left = count;
  for await (const piece of pieces) {
    yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

/** The first three bytes, or fewer where there are no more, and all of them. */
async function peeked(pieces: Pieces): Promise<{ readonly head: Uint8Array; readonly all: Pieces }> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  while (size < 3) {
    const next = await iterator.next();
    if (next.done === true) break;
    first.push(next.value);
    size += next.value.length;
  }
  const rest = { [Symbol.asyncIterator]: () => iterator };
  return {
    head: Buffer.concat(first).subarray(0, 3),
    all: (async function* () {
      yield* first;
      yield* rest;
    })(),
  };
}

function unreadable(name: string, error: unknown): QuiesceError {
  return new QuiesceError(
    'har-unreadable',
    { path: fileInWords(name), detail: whyUnreadable(error) },
    { cause: error },
  );
}
