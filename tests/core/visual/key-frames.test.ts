import { describe, expect, test } from 'vitest';
import { keyFrames } from '../../../src/core/visual/key-frames.ts';
import { completeSeenAt, paintSeenAt } from '../../../src/core/visual/paint-to-frame.ts';
import { type Sketch, sketchOf } from '../../../src/core/visual/progress.ts';
import { type Box, draw } from './drawing.ts';

const sketch = (at: number, ...boxes: readonly Box[]): Sketch => sketchOf(at, draw(boxes));
/** A bar of the page, as wide as its number of hundredths says. */
const bar = (percent: number): Box => ({ x: 0, y: 0, width: Math.round((percent / 100) * 120), height: 80 });
const reel = (sketches: readonly Sketch[]) => ({ sketches, changedAt: sketches.slice(1).map(({ at }) => at) });

describe('frames that are shown', () => {
  test('are the first, those of the moments, and those that tell most', () => {
    const film = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((percent) => sketch(percent * 10, bar(percent)));
    expect(keyFrames(reel(film), [1000], 1000, 2)).toEqual([0, 1000]);
    expect(keyFrames(reel(film), [1000], 1000, 3)).toEqual([0, 500, 1000]);
    expect(keyFrames(reel(film), [120, 1000], 1000, 3)).toEqual([0, 100, 1000]);
    expect(keyFrames(reel(film), [1000], 1000, 99)).toHaveLength(11);
  });

  test('never look the same in a row, though the picture came back', () => {
    const film = [sketch(0), sketch(100, bar(50)), sketch(200), sketch(300, bar(50))];
    const times = keyFrames(reel(film), [250, 300], 300, 12);
    expect(times).toEqual([0, 100, 200, 300]);
    expect(keyFrames({ ...reel(film), changedAt: [200, 300] }, [250, 300], 300, 12)).toEqual([0, 300]);
  });

  test('leave out what moves by itself', () => {
    const moving = { width: 120, height: 80, bits: new Uint8Array(120 * 80).fill(1, 120 * 40) };
    const slide = (at: number, x: number) =>
      sketch(at, { x: 0, y: 0, width: 60, height: 20 }, { x, y: 60, width: 20, height: 10 });
    const film = [sketch(0), slide(100, 0), slide(200, 30), slide(300, 60)];
    expect(keyFrames({ ...reel(film), changedAt: [100], moving }, [300], 300, 12)).toEqual([0, 100]);
  });

  test('are of the load before they are of what comes after it', () => {
    const film = [
      sketch(0),
      sketch(100, bar(50)),
      ...Array.from({ length: 40 }, (_, i) => sketch(1000 + i * 100, bar(i % 2 === 0 ? 100 : 20))),
    ];
    const times = keyFrames(reel(film), [], 500, 12);
    expect(times.filter((at) => at <= 500)).toEqual([0, 100]);
    expect(times.length).toBeLessThanOrEqual(4);
  });

  test('leave out what nobody would notice', () => {
    const speck: Box = { x: 100, y: 70, width: 4, height: 4 };
    const film = [sketch(0), sketch(100, bar(60)), sketch(200, bar(60), speck)];
    expect(keyFrames(reel(film), [300], 300, 12)).toEqual([0, 200]);
    // Unless that is a moment that was asked for.
    expect(keyFrames(reel(film), [150, 300], 300, 12)).toEqual([0, 100, 200]);
  });

  test('are none without a film', () => {
    expect(keyFrames(reel([]), [10], 10, 12)).toEqual([]);
  });
});

describe('when a film shows it', () => {
  test('a paint is the change nearest to it', () => {
    expect(paintSeenAt(300, [0, 290, 500])).toBe(290);
    expect(paintSeenAt(300, [0, 340, 500])).toBe(340);
    // A busy machine films late; an old change is not the paint.
    expect(paintSeenAt(300, [100, 480])).toBe(480);
    expect(paintSeenAt(300, [])).toBe(350);
  });

  test('the complete page is what its last answer drew, without what a suspect brought later', () => {
    expect(completeSeenAt(1000, [], 5000)).toBe(1400);
    expect(completeSeenAt(1000, [500, 1200], 5000)).toBe(1200);
    expect(completeSeenAt(1000, [1010], 5000)).toBe(1050);
    expect(completeSeenAt(1000, [], 1020)).toBe(1020);
  });
});
