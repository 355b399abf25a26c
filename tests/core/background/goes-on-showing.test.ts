import { describe, expect, it } from 'vitest';
import { goesOnShowing } from '../../../src/core/background/goes-on-showing.ts';
import type { VisualChange } from '../../../src/model/picture.ts';
import { repainting, request } from '../../support/factories.ts';

const PERIOD = 2_500;
const HERO = new Set([1, 2, 3, 4]);
const REST = new Set([11, 12, 13, 14]);

/** Pictures, one a period, each there after half a second. */
const asked = (count: number, type: 'image' | 'fetch' = 'image') =>
  Array.from({ length: count }, (_, i) =>
    request({ id: `${i}`, type, url: `https://x.test/${i}`, startedAt: i * PERIOD, endedAt: i * PERIOD + 500 }),
  );
const change = repainting(HERO);
/** What is drawn when they come; the first fills its place. */
const drawnOf = (count: number, more: Partial<VisualChange> = {}) =>
  asked(count).map(({ endedAt = 0 }, i) => change(endedAt + 20, i === 0 ? { covered: 0 } : more));
const again = { shownUntil: 0 } as const;

describe('a place that goes on showing what has come', () => {
  it('takes its next turn without asking for anything', () => {
    const drawn = drawnOf(4);
    expect(goesOnShowing(asked(4), [...drawn, change(4 * PERIOD + 10)])).toBe(true);
    expect(goesOnShowing(asked(4), drawn)).toBe(false);
    // Too early, too late, and elsewhere.
    expect(goesOnShowing(asked(4), [...drawn, change(3.5 * PERIOD)])).toBe(false);
    expect(goesOnShowing(asked(4), [...drawn, change(5 * PERIOD)])).toBe(false);
    expect(goesOnShowing(asked(4), [...drawn, change(4 * PERIOD, { cells: REST })])).toBe(false);
  });

  it('does not take what the last one showed for another turn', () => {
    // Ever sharper pictures, each asked for when the one before it is there.
    const chain = asked(4).map((each, i) => ({ ...each, startedAt: i * 500, endedAt: i * 500 + 495 }));
    const drawn = chain.map(({ endedAt }, i) => change(endedAt + 20, i === 0 ? { covered: 0 } : {}));
    expect(goesOnShowing(chain, drawn)).toBe(false);
  });

  it('fades one picture into another', () => {
    const fade = (at: number): readonly VisualChange[] => [0, 100, 200, 300, 400].map((ms) => change(at + ms));
    expect(goesOnShowing(asked(3), [520, 3_020, 5_520, 7_510].flatMap(fade))).toBe(true);
  });

  it('may slide in so slowly that it rests only shortly before the turn after it', () => {
    const drawn = drawnOf(3);
    const slides = [change(3 * PERIOD + 10), change(3 * PERIOD + 200)];
    expect(goesOnShowing(asked(3, 'fetch'), [...drawn, ...slides, change(3.9 * PERIOD, again)])).toBe(true);
    expect(goesOnShowing(asked(3, 'fetch'), [...drawn, ...slides, change(4.2 * PERIOD, again)])).toBe(false);
  });

  it('may begin its turn with a small change, a dot that tells the number of the picture', () => {
    const drawn = drawnOf(4);
    const dot = change(4 * PERIOD + 10, { cells: new Set([1]) });
    expect(goesOnShowing(asked(4), [...drawn, dot, change(4 * PERIOD + 30)])).toBe(true);
    expect(goesOnShowing(asked(4), [...drawn, dot])).toBe(false);
  });

  it('does not move all the time', () => {
    const moves = Array.from({ length: 120 }, (_, i) => change(500 + i * 100));
    expect(goesOnShowing(asked(4), moves)).toBe(false);
  });

  it('shows text that was fetched again, but not something new: that is the result of a job', () => {
    const drawn = drawnOf(3);
    expect(goesOnShowing(asked(3, 'fetch'), [...drawn, change(3 * PERIOD)])).toBe(false);
    expect(goesOnShowing(asked(3, 'fetch'), [...drawn, change(3 * PERIOD, again)])).toBe(true);
  });

  it('is filled piece by piece, where each takes a place of its own', () => {
    const pieces = drawnOf(4).map((each, i) => ({ ...each, covered: 0, cells: new Set([i * 10 + 1, i * 10 + 2]) }));
    expect(goesOnShowing(asked(4), [...pieces, change(4 * PERIOD, { cells: new Set([31, 32]) })])).toBe(false);
  });

  it('takes turns with two pictures: the same ones again, twice', () => {
    const drawn = drawnOf(2);
    expect(goesOnShowing(asked(2), [...drawn, change(2 * PERIOD, again)])).toBe(false);
    expect(goesOnShowing(asked(2), [...drawn, change(2 * PERIOD, again), change(3 * PERIOD, again)])).toBe(true);
    expect(goesOnShowing(asked(2), [...drawn, change(2 * PERIOD), change(3 * PERIOD)])).toBe(false);
  });
});
