import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { deflateSync, inflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { decodeScreenPng } from '../../../src/shell/disk/decode-png.ts';

type ColorType = 0 | 2 | 4 | 6;

/** A PNG whose rows all have one filter; -1 takes the best of each row. */
function pngOf(width: number, height: number, pixels: Uint8Array, colorType: ColorType, filterType = -1): Buffer {
  const png = new PNG({ width, height });
  png.data.set(pixels);
  return PNG.sync.write(png, { colorType, filterType });
}

/** Of one chunk with pixels, with other rows. */
function withRows(png: Buffer, change: (rows: Buffer) => Buffer): Buffer {
  const start = png.indexOf('IDAT') + 4;
  const length = png.readUInt32BE(start - 8);
  const packed = deflateSync(change(inflateSync(png.subarray(start, start + length))));
  const size = Buffer.alloc(4);
  size.writeUInt32BE(packed.length);
  return Buffer.concat([
    png.subarray(0, start - 8),
    size,
    png.subarray(start - 4, start),
    packed,
    png.subarray(start + length),
  ]);
}

/** With one more chunk before the pixels. */
function withChunk(png: Buffer, type: string): Buffer {
  const start = png.indexOf('IDAT') - 4;
  return Buffer.concat([png.subarray(0, start), Buffer.from(`\0\0\0\x01${type}x\0\0\0\0`), png.subarray(start)]);
}

const SMALL = pngOf(
  2,
  2,
  Uint8Array.from({ length: 16 }, (_, i) => i * 16),
  6,
);

describe('PNGs of screens', () => {
  it('are decoded to the same pixels as by pngjs, with each filter', () => {
    const pictures = fc
      .record({ width: fc.integer({ min: 1, max: 12 }), height: fc.integer({ min: 1, max: 12 }) })
      .chain(({ width, height }) =>
        fc.record({
          width: fc.constant(width),
          height: fc.constant(height),
          // Few values, so that rows are the same as the ones above.
          pixels: fc.oneof(
            fc.uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 }),
            fc.uint8Array({ max: 1, minLength: width * height * 4, maxLength: width * height * 4 }),
            fc.nat(255).map((value) => new Uint8Array(width * height * 4).fill(value)),
          ),
        }),
      );
    fc.assert(
      fc.property(
        pictures,
        fc.constantFrom<ColorType>(2, 6),
        fc.integer({ min: -1, max: 4 }),
        ({ width, height, pixels }, colorType, filterType) => {
          const png = pngOf(width, height, pixels, colorType, filterType);
          const decoded = decodeScreenPng(png);
          const { data } = PNG.sync.read(png);
          expect([decoded?.width, decoded?.height]).toEqual([width, height]);
          expect(Buffer.from(decoded?.pixels ?? []).equals(data)).toBe(true);
        },
      ),
    );
  });

  it('are those that Chrome makes', () => {
    const png = readFileSync(new URL('./pictures/screencast.png', import.meta.url));
    const { width, height, data } = PNG.sync.read(png);
    const decoded = decodeScreenPng(png);
    expect([decoded?.width, decoded?.height]).toEqual([width, height]);
    expect(isDeepStrictEqual(Buffer.from(decoded?.pixels ?? []), data)).toBe(true);
    // They need not be written again.
    expect(decoded?.png).toEqual(png);
  });
});

describe('what is left to a decoder of everything', () => {
  it.each([
    ['grey', pngOf(2, 2, new Uint8Array(16), 0)],
    ['grey with alpha', pngOf(2, 2, new Uint8Array(16), 4)],
    ['a file that ends too soon', SMALL.subarray(0, -12)],
    ['a file without its first bytes', SMALL.subarray(1)],
    ['another picture', Buffer.from('GIF89a')],
    ['no file', Buffer.alloc(0)],
    ['a file with something else in it', withChunk(SMALL, 'tEXt')],
    ['something behind the end', Buffer.concat([SMALL, SMALL])],
    ['too few rows', withRows(SMALL, (rows) => rows.subarray(0, -1))],
    ['rows of no width', Buffer.concat([SMALL.subarray(0, 16), Buffer.alloc(4), SMALL.subarray(20)])],
    [
      'more than is unpacked in one piece',
      Buffer.concat([SMALL.subarray(0, 16), Buffer.alloc(8, 0x7f), SMALL.subarray(24)]),
    ],
  ])('%s', (_what, png) => {
    expect(decodeScreenPng(png)).toBeUndefined();
  });

  it('pixels that cannot be unpacked are an error', () => {
    expect(() => decodeScreenPng(withRows(SMALL, (rows) => Buffer.concat([rows, rows])))).toThrow();
    expect(() => decodeScreenPng(withRows(SMALL, (rows) => rows.fill(5)))).toThrow('has the filter 5');
  });
});
