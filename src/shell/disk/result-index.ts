import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { tooLarge } from './read-pieces.ts';
import { type FoundResult, resultFaulty, resultUnreadable } from './stored-results.ts';

/** Where a part of a file lies, in bytes. */
export interface FilePart {
  readonly from: number;
  /** Behind its last byte. */
  readonly to: number;
}

/** A stored result whose targets were not read, only found. */
export interface IndexedResult {
  /** The JSON of everything else, `targets` an empty list. */
  readonly head: string;
  /** Each target in the file; none where the result has no list of targets. */
  readonly targets: readonly FilePart[];
  /** Names the content. */
  readonly hash: string;
}

/** The list that is left where it is: of a thousand pages it is a hundred megabytes. */
const LIST = 'targets';
/** No result is nested deeper; what reads it later goes in by itself for each level. */
const DEEPEST = 1_000;
/** No part of a result is larger; texts cannot be either. */
const LARGEST_PART = 256 * 1024 * 1024;
const PIECE = 1024 * 1024;

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Space and the other blanks of JSON lie at or below it. */
const BLANK = 0x20;

/**
 * Finds the targets of a stored result without holding more than a piece of the file. It only counts brackets: whether
 * the parts are JSON is seen when they are parsed.
 *
 * @throws QuiesceError `result-unreadable` for what cannot be read
 */
export async function indexResult(found: FoundResult): Promise<IndexedResult> {
  try {
    const file = await open(found.path);
    try {
      const hash = createHash('sha256');
      const scan = new Scan(found);
      const piece = Buffer.allocUnsafe(PIECE);
      for (;;) {
        const { bytesRead } = await file.read(piece, 0, PIECE);
        if (bytesRead === 0) break;
        const bytes = piece.subarray(0, bytesRead);
        hash.update(bytes);
        scan.take(bytes);
      }
      return { head: scan.head(), targets: scan.targets, hash: hash.digest('hex') };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof QuiesceError ? error : resultUnreadable(found.name, error);
  }
}

/**
 * The text of a part.
 *
 * @throws QuiesceError `result-unreadable` for what cannot be read
 */
export async function readPart(found: FoundResult, { from, to }: FilePart): Promise<string> {
  try {
    const file = await open(found.path);
    try {
      const bytes = Buffer.allocUnsafe(to - from);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return bytes.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw resultUnreadable(found.name, error);
  }
}

/** Goes through a JSON text byte by byte; characters of several bytes have none that is looked for here. */
class Scan {
  readonly targets: FilePart[] = [];
  readonly #name: string;
  readonly #head: Buffer[] = [];
  #headLength = 0;
  #position = 0;
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** The last text directly inside the result, which before a colon is a key. */
  #text: number[] = [];
  #key = '';
  #inList = false;
  #partFrom = -1;

  constructor({ name }: FoundResult) {
    this.#name = name;
  }

  head(): string {
    return Buffer.concat(this.#head).toString('utf8');
  }

  take(bytes: Buffer): void {
    let keptFrom = this.#inList ? -1 : 0;
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = bytes[i] ?? 0;
      if (this.#inText) {
        this.#inside(byte);
        continue;
      }
      if (byte <= BLANK) continue;
      if (this.#inList && this.#depth === 2) {
        if (byte === CLOSE_LIST) {
          this.#endPart(i);
          this.#inList = false;
          keptFrom = i;
        } else if (byte === COMMA) this.#endPart(i);
        else if (this.#partFrom < 0) this.#partFrom = this.#position + i;
      }
      const was = this.#depth;
      this.#step(byte);
      if (byte === OPEN_LIST && was === 1 && this.#key === LIST) {
        this.#inList = true;
        this.#keep(bytes.subarray(keptFrom, i + 1));
        keptFrom = -1;
      }
    }
    if (keptFrom >= 0) this.#keep(bytes.subarray(keptFrom));
    this.#position += bytes.length;
  }

  /** A byte of a text. */
  #inside(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inText = false;
      return;
    }
    if (this.#depth === 1 && this.#text.length <= LIST.length) this.#text.push(byte);
  }

  /** A byte between texts. */
  #step(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.#inText = true;
        if (this.#depth === 1) this.#text = [];
        return;
      case COLON:
        if (this.#depth === 1) this.#key = String.fromCharCode(...this.#text);
        return;
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.#depth += 1;
        if (this.#depth > DEEPEST) throw resultFaulty(this.#name, 'it is nested too deeply');
        return;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        this.#depth -= 1;
        return;
    }
  }

  #endPart(i: number): void {
    if (this.#partFrom < 0) return;
    const part = { from: this.#partFrom, to: this.#position + i };
    this.#partFrom = -1;
    if (part.to - part.from > LARGEST_PART) throw this.#tooLarge();
    this.targets.push(part);
  }

  #keep(bytes: Buffer): void {
    this.#headLength += bytes.length;
    if (this.#headLength > LARGEST_PART) throw this.#tooLarge();
    this.#head.push(Buffer.from(bytes));
  }

  #tooLarge(): QuiesceError {
    return resultFaulty(this.#name, tooLarge(LARGEST_PART));
  }
}
