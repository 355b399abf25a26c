import type { DecodedFrame, Picture } from '../../../src/model/recording/picture.ts';

export type Color = readonly [red: number, green: number, blue: number];
export const BLACK: Color = [0, 0, 0];

/** A filled rectangle. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly color?: Color;
}

export const SIZE = { width: 120, height: 80 } as const;

/** A white picture with rectangles on it. */
export function draw(boxes: readonly Box[], size: { width: number; height: number } = SIZE): Picture {
  const pixels = new Uint8Array(size.width * size.height * 4).fill(255);
  for (const { x, y, width, height, color = BLACK } of boxes) {
    for (let row = y; row < Math.min(size.height, y + height); row += 1) {
      for (let column = x; column < Math.min(size.width, x + width); column += 1) {
        pixels.set(color, (row * size.width + column) * 4);
      }
    }
  }
  return { ...size, pixels };
}

/** A picture that no two pixels of look alike, as a photograph; the same every time. */
export function noise(size: { width: number; height: number } = SIZE): Picture {
  const pixels = new Uint8Array(size.width * size.height * 4);
  let state = 1;
  for (let i = 0; i < pixels.length; i += 1) {
    state = (state * 48271) % 2147483647;
    pixels[i] = i % 4 === 3 ? 255 : 96 + (state % 64);
  }
  return { ...size, pixels };
}

/** A part of the page that shows something else from each of its times on, at a place of its own. */
export interface Part {
  readonly place: number;
  readonly changesAt: readonly number[];
}

/** A film of parts that change: it begins blank at 0 and has a frame for each change. */
export function film(...parts: readonly Part[]): readonly DecodedFrame[] {
  const times = [...new Set([0, ...parts.flatMap(({ changesAt }) => changesAt)])].sort((a, b) => a - b);
  return times.map((at) => ({
    at,
    picture: draw(
      parts.map(({ place, changesAt }) => {
        const turn = changesAt.filter((time) => time <= at).length;
        const light = turn === 0 ? 255 : (turn * 70) % 200;
        return { x: 4 + place * 24, y: 20, width: 12, height: 12, color: [light, light, light] };
      }),
    ),
  }));
}

/** Times from `from` on, `count` of them, `pause` apart. */
export function times(from: number, pause: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => from + i * pause);
}

/** The same times a little later. */
export function later(by: number, arrivals: readonly number[]): readonly number[] {
  return arrivals.map((at) => at + by);
}

/** A rectangle of a picture, as a picture. */
export function cutOut(picture: Picture, x: number, y: number, width: number, height: number): Picture {
  const pixels = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    const from = ((y + row) * picture.width + x) * 4;
    pixels.set(picture.pixels.subarray(from, from + width * 4), row * width * 4);
  }
  return { width, height, pixels };
}
