import { crc32, deflateSync } from 'node:zlib';
import { pngQuantizeSync, Transformer } from '@napi-rs/image';
import { shrink } from '../../core/visual/shrink.ts';
import type { Picture } from '../../model/recording/picture.ts';
import { decodePicture } from './pictures.ts';

/** A picture of an animation, and how long it is seen, ms. */
export interface AnimationFrame {
  readonly picture: Picture;
  readonly duration: number;
}

/** Pictures that the colours are chosen from: choosing takes as long as there are pixels. */
const SAMPLES = 6;

/**
 * An animated PNG that plays again and again, in 256 colours; of each frame only what differs from the one before. Programs
 * that cannot play it show the last frame. All pictures are of one size. Source: https://www.w3.org/TR/png-3/#apng-frame-based-animation
 */
export function encodeAnimation(frames: readonly AnimationFrame[]): Buffer {
  const last = frames.at(-1)?.picture;
  if (last === undefined) throw new Error('An animation without frames.');
  const { width, height } = last;
  const colours = coloursOf(frames.map(({ picture }) => picture));
  const indexOf = nearestIn(colours);
  const shown = withoutRepeats(
    frames.map(({ picture, duration }) => ({ indices: indicesOf(picture, indexOf), duration })),
  );
  const whole = { left: 0, top: 0, width, height };
  let sequence = 0;
  const parts = shown.flatMap(({ indices, duration }, i) => {
    const box = (i > 0 && boxOfChange(shown[i - 1]?.indices, indices, width)) || whole;
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence++, 0);
    control.writeUInt32BE(box.width, 4);
    control.writeUInt32BE(box.height, 8);
    control.writeUInt32BE(box.left, 12);
    control.writeUInt32BE(box.top, 16);
    control.writeUInt16BE(Math.min(65_535, Math.round(duration)), 20);
    control.writeUInt16BE(1000, 22);
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence++);
    return [chunk('fcTL', control), chunk('fdAT', Buffer.concat([number, packed(indices, width, box)]))];
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of a palette.
  header.set([8, 3], 8);
  const animation = Buffer.alloc(8);
  animation.writeUInt32BE(shown.length, 0);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk('acTL', animation),
    chunk('IDAT', packed(indicesOf(last, indexOf), width, whole)),
    ...parts,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

/** The colours that stand for those of some of the pictures, 256 at most, as numbers of three bytes. */
function coloursOf(pictures: readonly Picture[]): readonly number[] {
  const step = Math.max(1, pictures.length / SAMPLES);
  const samples = Array.from({ length: Math.min(SAMPLES, pictures.length) }, (_, i) => Math.floor(i * step)).flatMap(
    (before) => {
      const picture = pictures.at(-1 - before);
      return picture === undefined ? [] : shrink(picture, picture.width / 2);
    },
  );
  const { width = 1, height = 1 } = samples[0] ?? {};
  const pixels = Buffer.concat(samples.map((picture) => picture.pixels));
  const sheet = Transformer.fromRgbaPixels(pixels, width, height * samples.length).pngSync();
  const reduced = decodePicture(pngQuantizeSync(sheet, { minQuality: 0, maxQuality: 90, speed: 10 }));
  const colours = new Set<number>();
  for (let i = 0; i < reduced.pixels.length; i += 4) colours.add(colourAt(reduced.pixels, i));
  return [...colours];
}

const colourAt = (pixels: Uint8Array, at: number): number =>
  ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);

/** Which colour of a palette is the nearest to another. Colours alike in six bits of each part have one: so it is asked once. */
function nearestIn(colours: readonly number[]): (colour: number) => number {
  const known = new Int16Array(1 << 18).fill(-1);
  return (colour) => {
    const key = ((colour >> 6) & 0x3f000) | ((colour >> 4) & 0xfc0) | ((colour >> 2) & 0x3f);
    if (known[key] === -1) known[key] = nearestOf(colours, colour);
    return known[key] ?? 0;
  };
}

function nearestOf(colours: readonly number[], colour: number): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  colours.forEach((each, index) => {
    const red = (each >> 16) - (colour >> 16);
    const green = ((each >> 8) & 255) - ((colour >> 8) & 255);
    const blue = (each & 255) - (colour & 255);
    const far = red * red + green * green + blue * blue;
    if (far < least) [nearest, least] = [index, far];
  });
  return nearest;
}

function indicesOf({ pixels }: Picture, indexOf: (colour: number) => number): Uint8Array {
  const indices = new Uint8Array(pixels.length / 4);
  for (let i = 0; i < indices.length; i += 1) indices[i] = indexOf(colourAt(pixels, 4 * i));
  return indices;
}

interface IndexedFrame {
  readonly indices: Uint8Array;
  readonly duration: number;
}

/** A frame that looks like the one before makes that one longer. */
function withoutRepeats(frames: readonly IndexedFrame[]): readonly IndexedFrame[] {
  const shown: IndexedFrame[] = [];
  for (const { indices, duration } of frames) {
    const before = shown.at(-1);
    if (before !== undefined && Buffer.compare(before.indices, indices) === 0) {
      shown[shown.length - 1] = { indices, duration: before.duration + duration };
    } else shown.push({ indices, duration });
  }
  return shown;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest box around everything that differs; undefined where nothing does. */
function boxOfChange(before: Uint8Array | undefined, after: Uint8Array, width: number): Box | undefined {
  let [left, right, top, bottom] = [width, -1, Number.POSITIVE_INFINITY, -1];
  after.forEach((index, i) => {
    if (index === before?.[i]) return;
    const [x, y] = [i % width, Math.floor(i / width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), y];
  });
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** The rows of a box, each after the byte that says it is not filtered. */
function packed(indices: Uint8Array, width: number, box: Box): Buffer {
  const rows = Buffer.alloc((box.width + 1) * box.height);
  for (let y = 0; y < box.height; y += 1) {
    const from = (box.top + y) * width + box.left;
    rows.set(indices.subarray(from, from + box.width), y * (box.width + 1) + 1);
  }
  return deflateSync(rows, { level: 9 });
}
