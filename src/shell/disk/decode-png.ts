import { constants, inflateSync } from 'node:zlib';
import type { Picture } from '../../model/picture.ts';

/** Where a PNG says what it holds, and where its chunks begin, in bytes. */
const HEADER = { width: 16, height: 20, depth: 24, color: 25, interlace: 28, end: 33 } as const;
/** "\x89PNG\r\n\x1a\n", and that the header comes first. */
const BEGINNING = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const BYTES_PER_PIXEL = new Map([
  [2, 3],
  [6, 4],
]);
/** The largest picture whose rows are unpacked in one piece. Those of screens are smaller. */
const MOST_BYTES = 128 * 1024 * 1024;

/** How a row is written: as it is, or as the difference from its neighbours. Source: PNG specification, 9.2. */
const FILTER = { none: 0, sub: 1, up: 2, average: 3, paeth: 4 } as const;

/**
 * Decodes the PNGs that browsers make of pages: eight bits a channel, red, green, blue, with or without alpha, row by row.
 * Undefined for all others, which a decoder of everything takes four times as long for. Throws on pixels that cannot be
 * unpacked.
 */
export function decodeScreenPng(png: Buffer): Picture | undefined {
  if (png.length < HEADER.end || BEGINNING.compare(png, 0, BEGINNING.length) !== 0) return undefined;
  const [width, height] = [png.readUInt32BE(HEADER.width), png.readUInt32BE(HEADER.height)];
  const perPixel = BYTES_PER_PIXEL.get(png[HEADER.color] ?? 0);
  const packed = pixelChunks(png);
  if (perPixel === undefined || png[HEADER.depth] !== 8 || png[HEADER.interlace] !== 0 || !packed) return undefined;
  const size = (width * perPixel + 1) * height;
  if (width === 0 || height === 0 || size > MOST_BYTES) return undefined;
  const rows = inflateSync(packed, { chunkSize: Math.max(constants.Z_MIN_CHUNK, size + 1), maxOutputLength: size });
  if (rows.length !== size) return undefined;
  const pixels = unfiltered(rows, width, height, perPixel);
  // What is transparent is put on white later: other pixels.
  return { width, height, pixels, ...(perPixel === 3 && { png }) };
}

/** What the chunks with pixels hold; undefined where there are chunks with something else, or the file ends too soon. */
function pixelChunks(png: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  let at = HEADER.end;
  while (at + 12 <= png.length) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'IEND' && at + 12 === png.length) return Buffer.concat(parts);
    if (type !== 'IDAT') return undefined;
    parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return undefined;
}

/** The pixels, four bytes each. Throws on a filter that does not exist. */
function unfiltered(rows: Buffer, width: number, height: number, perPixel: number): Uint8Array {
  const line = width * 4;
  // With a row above the first one, which counts as black and transparent.
  const whole = new Uint8Array(line * (height + 1));
  const same = Buffer.alloc(width * perPixel);
  for (let y = 0; y < height; y += 1) {
    const to = line * (y + 1);
    const from = y * (same.length + 1) + 1;
    const filter = rows[from - 1];
    if (filter === FILTER.up && rows.compare(same, 0, same.length, from, from + same.length) === 0) {
      whole.copyWithin(to, to - line, to);
      // The row above the first one has no alpha to hand on.
      if (y === 0 && perPixel === 3) fillAlpha(whole, to, line);
      continue;
    }
    if (filter === FILTER.none) copyRow(rows, from, whole, to, line, perPixel);
    else if (filter === FILTER.up) addAbove(rows, from, whole, to, line, perPixel);
    else {
      for (let channel = 0; channel < perPixel; channel += 1) {
        const row = { rows, from: from + channel, perPixel, whole, to: to + channel, line };
        if (filter === FILTER.sub) addLeft(row);
        else if (filter === FILTER.average) addAverage(row);
        else if (filter === FILTER.paeth) addPaeth(row);
        else throw new Error(`A row of a PNG has the filter ${filter}, which does not exist.`);
      }
    }
    if (perPixel === 3) fillAlpha(whole, to, line);
  }
  return whole.subarray(line);
}

function fillAlpha(whole: Uint8Array, to: number, line: number): void {
  for (let at = to + 3; at < to + line; at += 4) whole[at] = 255;
}

function copyRow(rows: Buffer, from: number, whole: Uint8Array, to: number, line: number, perPixel: number): void {
  for (let at = to, i = from; at < to + line; at += 4, i += perPixel) {
    whole[at] = rows[i] ?? 0;
    whole[at + 1] = rows[i + 1] ?? 0;
    whole[at + 2] = rows[i + 2] ?? 0;
    if (perPixel === 4) whole[at + 3] = rows[i + 3] ?? 0;
  }
}

/** Nearly all rows of the PNGs of Chrome are so. */
function addAbove(rows: Buffer, from: number, whole: Uint8Array, to: number, line: number, perPixel: number): void {
  for (let at = to, above = to - line, i = from; at < to + line; at += 4, above += 4, i += perPixel) {
    whole[at] = (rows[i] ?? 0) + (whole[above] ?? 0);
    whole[at + 1] = (rows[i + 1] ?? 0) + (whole[above + 1] ?? 0);
    whole[at + 2] = (rows[i + 2] ?? 0) + (whole[above + 2] ?? 0);
    if (perPixel === 4) whole[at + 3] = (rows[i + 3] ?? 0) + (whole[above + 3] ?? 0);
  }
}

/** One channel of a row: where it is written, and where it comes to lie. */
interface Channel {
  readonly rows: Buffer;
  readonly from: number;
  readonly perPixel: number;
  readonly whole: Uint8Array;
  readonly to: number;
  readonly line: number;
}

function addLeft({ rows, from, perPixel, whole, to, line }: Channel): void {
  let left = 0;
  for (let at = to, i = from; at < to + line; at += 4, i += perPixel) {
    left = ((rows[i] ?? 0) + left) & 255;
    whole[at] = left;
  }
}

function addAverage({ rows, from, perPixel, whole, to, line }: Channel): void {
  let left = 0;
  for (let at = to, i = from; at < to + line; at += 4, i += perPixel) {
    left = ((rows[i] ?? 0) + ((left + (whole[at - line] ?? 0)) >> 1)) & 255;
    whole[at] = left;
  }
}

/** The neighbour that is nearest to left + above - corner. */
function addPaeth({ rows, from, perPixel, whole, to, line }: Channel): void {
  let left = 0;
  let corner = 0;
  for (let at = to, i = from; at < to + line; at += 4, i += perPixel) {
    const above = whole[at - line] ?? 0;
    const byLeft = Math.abs(above - corner);
    const byAbove = Math.abs(left - corner);
    const byCorner = Math.abs(left + above - 2 * corner);
    const nearest = byLeft <= byAbove && byLeft <= byCorner ? left : byAbove <= byCorner ? above : corner;
    left = ((rows[i] ?? 0) + nearest) & 255;
    whole[at] = left;
    corner = above;
  }
}
