import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Bytes, Ms } from '../../model/units.ts';

/** What is read: the path of a file, or a stream. */
export type ByteSource = string | AsyncIterable<Uint8Array | string>;

/** How much is read, and how long the next byte may take. */
export interface ReadLimits {
  readonly most: Bytes;
  readonly patience?: Ms;
}

/** Devices never end, and a pipe to which nothing is written never begins. */
const PATIENCE_MS = 30_000;
/** How often a pipe is asked again, ms. */
const POLL_MS = 20;
const PIECE_BYTES = 1024 * 1024;

const LATE: unique symbol = Symbol('late');

/** What was to be read has no end, or does not come. */
export class ReadFault extends Error {
  /** How much was to be read at most, or how long to wait. */
  readonly limit: { readonly most: Bytes } | { readonly patience: Ms };

  constructor(limit: ReadFault['limit']) {
    super('most' in limit ? tooLarge(limit.most) : `nothing arrived within ${limit.patience / 1000} s`);
    this.limit = limit;
  }
}

/** What is wrong with a file that is larger, a clause. */
export const tooLarge = (most: Bytes): string => `it is larger than ${Math.floor(most / 2 ** 20)} MB`;

/** Reads bytes piece by piece, at most so many. Rejects with a `ReadFault`, or as the file system does. */
export async function* readPieces(source: ByteSource, limits: ReadLimits): AsyncGenerator<Uint8Array, void> {
  const { most, patience = PATIENCE_MS } = limits;
  const pieces = typeof source === 'string' ? fileInPieces(source, { most, patience }) : inTime(source, patience);
  let size = 0;
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    size += bytes.length;
    if (size > most) throw new ReadFault({ most });
    yield bytes;
  }
}

/** All of them at once. */
export async function readBytes(source: ByteSource, limits: ReadLimits): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readPieces(source, limits)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The text of a file, or of the standard input where `-` is its name. */
export async function readText(
  name: string,
  stdin: AsyncIterable<Uint8Array | string>,
  limits: ReadLimits,
): Promise<string> {
  return (await readBytes(name === '-' ? stdin : name, limits)).toString();
}

async function* fileInPieces(file: string, { most, patience }: Required<ReadLimits>): AsyncIterable<Uint8Array> {
  // Opening a pipe would wait for its writer, in a thread that cannot be ended.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await handle.stat();
    if (found.isFile() && found.size > most) throw new ReadFault({ most });
    const isPipe = found.isFIFO();
    let waited = 0;
    for (let isBegun = !isPipe; ; ) {
      // A new one each time: the pieces before may still be held.
      const buffer = Buffer.allocUnsafe(
        Math.min(PIECE_BYTES, found.isFile() ? Math.max(found.size, 4096) : PIECE_BYTES),
      );
      const read = await handle.read(buffer, 0, buffer.length).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EAGAIN') return undefined;
        throw error;
      });
      if (read !== undefined && read.bytesRead > 0) {
        isBegun = true;
        waited = 0;
        yield buffer.subarray(0, read.bytesRead);
        continue;
      }
      // A pipe without a writer reads as one that has ended.
      if (read !== undefined && isBegun) return;
      if (waited >= patience) throw new ReadFault({ patience });
      await setTimeout(POLL_MS);
      waited += POLL_MS;
    }
  } finally {
    await handle.close();
  }
}

async function* inTime<T>(stream: AsyncIterable<T>, patience: Ms): AsyncIterable<T> {
  const iterator = stream[Symbol.asyncIterator]();
  for (;;) {
    const stop = new AbortController();
    const isLate = setTimeout<typeof LATE>(patience, LATE, { signal: stop.signal }).catch((): typeof LATE => LATE);
    const next = await Promise.race([iterator.next(), isLate]).finally(() => stop.abort());
    // A stream that is waited for cannot be closed.
    if (next === LATE) throw new ReadFault({ patience });
    if (next.done === true) return;
    let isWanted = false;
    try {
      yield next.value;
      isWanted = true;
    } finally {
      if (!isWanted) await iterator.return?.();
    }
  }
}
