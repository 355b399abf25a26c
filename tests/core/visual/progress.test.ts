import { describe, expect, test } from 'vitest';
import {
  isSame,
  progressOf,
  type Sketch,
  shareAt,
  sketchOf,
  speedIndexOf,
  stillSquares,
  unlikeSquares,
} from '../../../src/core/visual/progress.ts';
import type { Picture } from '../../../src/model/recording/picture.ts';
import { type Box, draw, SIZE } from './drawing.ts';

const TEXT: Box = { x: 0, y: 0, width: 120, height: 20 };
const PICTURE: Box = { x: 0, y: 20, width: 120, height: 60, color: [40, 90, 60] };
const sketch = (at: number, ...boxes: readonly Box[]): Sketch => sketchOf(at, draw(boxes));

describe('visual progress', () => {
  test('is the share of what is there at the goal that is there already', () => {
    const progress = progressOf([sketch(0), sketch(100, TEXT), sketch(300, TEXT, PICTURE)], 300);
    expect(progress).toEqual([
      { at: 0, share: 0 },
      { at: 100, share: 0.25 },
      { at: 300, share: 1 },
    ]);
    // 100 ms nothing, 200 ms a quarter.
    expect(speedIndexOf(progress)).toBe(250);
    expect([shareAt(progress, 99), shareAt(progress, 100), shareAt(progress, 9999)]).toEqual([0, 0.25, 1]);
  });

  test('takes no notice of what changes after the goal', () => {
    const banner: Box = { x: 0, y: 0, width: 120, height: 80, color: [200, 0, 0] };
    const frames = [sketch(0), sketch(100, TEXT), sketch(300, TEXT, PICTURE), sketch(900, banner)];
    expect(progressOf(frames, 500).at(-1)).toEqual({ at: 300, share: 1 });
  });

  test('falls when something covers the page for a while', () => {
    const splash: Box = { x: 0, y: 0, width: 120, height: 80, color: [255, 200, 0] };
    const frames = [sketch(0), sketch(100, TEXT), sketch(200, splash), sketch(300, TEXT, PICTURE)];
    const shares = progressOf(frames, 300).map(({ share }) => share);
    expect(shares[2]).toBeLessThan(shares[1] ?? 0);
    expect(shares.at(-1)).toBe(1);
  });

  test('is not moved by what moves by itself', () => {
    const bits = new Uint8Array(SIZE.width * SIZE.height);
    bits.fill(1, SIZE.width * 20);
    const moving = { ...SIZE, bits };
    const turned: Box = { ...PICTURE, color: [200, 20, 20] };
    const frames = [sketch(0), sketch(100, PICTURE), sketch(200, TEXT, turned), sketch(300, TEXT, PICTURE)];
    expect(progressOf(frames, 300, moving)).toEqual([
      { at: 0, share: 0 },
      { at: 200, share: 1 },
    ]);
    expect(speedIndexOf(progressOf(frames, 300, moving))).toBe(200);
  });

  test('counts a picture that gets sharper as far as it has come', () => {
    const pale: Box = { ...PICTURE, color: [147, 172, 157] };
    const share = progressOf([sketch(0), sketch(50, pale), sketch(90, PICTURE)], 90)[1]?.share;
    expect(share).toBeCloseTo(0.5, 1);
  });

  test('knows a line of text that stands a pixel off for the same', () => {
    const strokes = (shift: number) =>
      draw(Array.from({ length: 24 }, (_, i): Box => ({ x: i * 5 + shift, y: 8, width: 2, height: 6 })));
    const share = progressOf([sketch(0), sketchOf(100, strokes(1)), sketchOf(300, strokes(0))], 300)[1]?.share;
    expect(share).toBeGreaterThan(0.6);
  });

  test('is not there where nothing was drawn, nor without a film', () => {
    expect(progressOf([sketch(0), sketch(100)], 500)).toEqual([]);
    expect(progressOf([], 500)).toEqual([]);
    expect(progressOf([sketch(10, TEXT)], 5)).toEqual([]);
    expect(speedIndexOf([])).toBeUndefined();
    expect(shareAt([], 3)).toBeUndefined();
  });

  test('leaves out frames of another size', () => {
    const small: Picture = draw([TEXT], { width: 60, height: 40 });
    const frames = [sketch(0), sketchOf(50, small), sketch(100, TEXT)];
    expect(progressOf(frames, 100).map(({ at }) => at)).toEqual([0, 100]);
    expect(isSame(sketch(0), sketchOf(0, small), [0])).toBe(false);
    expect(unlikeSquares(sketch(0), sketchOf(0, small), [0, 1])).toBe(2);
  });

  test('changes none of what it is given', () => {
    const frames = [sketch(0), sketch(100, TEXT)].map((each) => Object.freeze(each));
    const before = frames.map(({ squares }) => [...squares.pixels]);
    progressOf(Object.freeze(frames), 100);
    unlikeSquares(frames[0] as Sketch, frames[1] as Sketch, stillSquares(frames[0] as Sketch));
    expect(frames.map(({ squares }) => [...squares.pixels])).toEqual(before);
  });
});
