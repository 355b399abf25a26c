import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Picture } from '../../../src/model/recording/picture.ts';
import { encodeAnimation } from '../../../src/shell/disk/animated-png.ts';
import { decodePicture } from '../../../src/shell/disk/pictures.ts';

type Colour = readonly [number, number, number];

const RED: Colour = [200, 30, 30];
const BLUE: Colour = [20, 40, 180];
const WHITE: Colour = [255, 255, 255];

/** White, but for a box. */
function boxed(colour: Colour, left: number, top: number): Picture {
  const [width, height] = [12, 8];
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (const y of [top, top + 1]) {
    for (const x of [left, left + 1, left + 2, left + 3]) pixels.set(colour, (y * width + x) * 4);
  }
  return { width, height, pixels };
}

/** What a program that plays it shows, frame by frame. */
function played(file: Buffer) {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const named = file.subarray(at + 4, at + 8 + length);
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(named));
    chunks.push({ type: named.toString('latin1', 0, 4), data: named.subarray(4) });
    at += 12 + length;
  }
  const find = (type: string) => chunks.find((each) => each.type === type)?.data ?? Buffer.alloc(0);
  const [width, height] = [find('IHDR').readUInt32BE(0), find('IHDR').readUInt32BE(4)];
  const palette = find('PLTE');
  const screen = new Uint8Array(width * height);
  const frames = chunks.flatMap(({ type, data }, i) => {
    if (type !== 'fcTL') return [];
    const [w = 0, h = 0, left = 0, top = 0] = [4, 8, 12, 16].map((at) => data.readUInt32BE(at));
    const rows = inflateSync((chunks[i + 1]?.data ?? Buffer.alloc(4)).subarray(4));
    for (let y = 0; y < h; y += 1) {
      screen.set(rows.subarray(y * (w + 1) + 1, (y + 1) * (w + 1)), (top + y) * width + left);
    }
    const pixels = new Uint8Array(width * height * 4).fill(255);
    screen.forEach((index, at) => void pixels.set(palette.subarray(index * 3, index * 3 + 3), at * 4));
    return [{ pixels, box: [left, top, w, h], duration: data.readUInt16BE(20) / data.readUInt16BE(22) }];
  });
  const numbers = chunks
    .filter(({ type }) => type === 'fcTL' || type === 'fdAT')
    .map(({ data }) => data.readUInt32BE(0));
  return { frames, numbers, count: find('acTL').readUInt32BE(0), plays: find('acTL').readUInt32BE(4) };
}

const near = (a: Uint8Array, b: Uint8Array): boolean => a.every((value, i) => Math.abs(value - (b[i] ?? 0)) <= 8);

test('plays its frames for ever, each for its time; a frame holds only what changed', () => {
  const pictures = [boxed(WHITE, 0, 0), boxed(RED, 2, 2), boxed(BLUE, 2, 2)];
  const file = encodeAnimation(pictures.map((picture, i) => ({ picture, duration: 100 * (i + 1) })));
  const { frames, numbers, count, plays } = played(file);
  expect([count, plays]).toEqual([3, 0]);
  expect(numbers).toEqual([0, 1, 2, 3, 4, 5]);
  expect(frames.map(({ duration }) => duration)).toEqual([0.1, 0.2, 0.3]);
  expect(frames.map(({ box }) => box)).toEqual([
    [0, 0, 12, 8],
    [2, 2, 4, 2],
    [2, 2, 4, 2],
  ]);
  frames.forEach(({ pixels }, i) => void expect(near(pixels, pictures[i]?.pixels ?? pixels)).toBe(true));
});

test('is the last frame to programs that cannot play it', () => {
  const last = boxed(BLUE, 4, 4);
  const file = encodeAnimation([boxed(RED, 2, 2), last].map((picture) => ({ picture, duration: 50 })));
  expect(near(decodePicture(file).pixels, last.pixels)).toBe(true);
});

test('a frame that looks like the one before makes that one longer', () => {
  const same = boxed(RED, 2, 2);
  const file = encodeAnimation([same, same, boxed(BLUE, 2, 2)].map((picture) => ({ picture, duration: 50 })));
  expect(played(file).frames.map(({ duration }) => duration)).toEqual([0.1, 0.05]);
});
