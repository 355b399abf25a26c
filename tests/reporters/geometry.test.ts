import { describe, expect, test } from 'vitest';
import { axisOf, labelRoom, placeLabels } from '../../src/reporters/html/waterfall/geometry.ts';
import { percent, place, roundSpan, ticksWithin } from '../../src/reporters/scale.ts';
import { shopWaterfall } from './example-report.ts';

describe('axis', () => {
  test('holds everything and offers a closer look at a short load', () => {
    const axis = axisOf(shopWaterfall(1));
    expect(axis.span).toBe(12_400);
    expect(axis.near).toBeGreaterThan(1243);
    expect(axis.near).toBeLessThan(2000);
  });

  test('is never empty', () => {
    expect(axisOf({ run: 1, rows: [], milestones: [], observedUntil: 0 })).toEqual({ span: 1 });
  });

  test('offers no closer look where the load is all there is', () => {
    expect(
      axisOf({ run: 1, rows: [], milestones: [{ name: 'load', label: 'load', at: 900 }], observedUntil: 1000 }),
    ).toEqual({
      span: 1000,
    });
  });

  test.each([0.5, 7, 90, 1243, 12_400, 60_000, 3_600_000])('has few round ticks up to %s', (to) => {
    const ticks = ticksWithin({ from: 0, to }, 6);
    expect(ticks[0]?.at).toBe(0);
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(ticks.every(({ at }) => at < to)).toBe(true);
  });

  test('has round ticks in a part of it', () => {
    expect(ticksWithin({ from: 412, to: 826 }, 6).map(({ at }) => at)).toEqual([500, 600, 700, 800]);
    expect(percent(place(619, { from: 412, to: 826 }))).toBe('50%');
    expect(percent(place(2000, { from: 412, to: 826 }))).toBe('100%');
  });
});

describe('a span with round ends', () => {
  test('has a tick at each step', () => {
    expect(roundSpan({ from: 612, to: 791 }, 4)).toEqual({ from: 600, to: 800, ticks: [600, 650, 700, 750, 800] });
    expect(roundSpan({ from: 0, to: 0.003 }, 5).ticks).toEqual([0, 0.001, 0.002, 0.003]);
  });

  test('has few of them, whatever was stored', () => {
    for (const to of [Number.NaN, Number.POSITIVE_INFINITY, 1e300, -1]) {
      expect(roundSpan({ from: 0, to }, 4).ticks.length).toBeLessThanOrEqual(12);
    }
  });
});

describe('labels', () => {
  test('never cover each other', () => {
    const labels = [10, 12, 40, 41, 300, 310, 330].map((at) => ({ at, width: 80 }));
    const total = 340;
    const places = placeLabels(labels, total);
    const boxes = places.map((place, i) => {
      const { at, width } = labels[i] ?? { at: 0, width: 0 };
      return { lane: place.lane, from: place.toLeft ? at - width : at, to: place.toLeft ? at : at + width };
    });
    for (const [i, a] of boxes.entries()) {
      expect(a.to).toBeLessThanOrEqual(total);
      for (const b of boxes.slice(i + 1)) expect(a.lane === b.lane && a.from < b.to && b.from < a.to).toBe(false);
    }
  });

  test('share a line where there is room', () => {
    expect(
      placeLabels(
        [
          { at: 0, width: 50 },
          { at: 100, width: 50 },
        ],
        400,
      ).map((place) => place.lane),
    ).toEqual([0, 0]);
  });

  test('keep clear of the lines of others', () => {
    const places = placeLabels(
      [
        { at: 0, width: 50 },
        { at: 40, width: 50 },
        { at: 85, width: 50 },
      ],
      400,
    );
    expect(places.map((place) => place.lane)).toEqual([0, 1, 2]);
  });
});

test('words stand on the wider side of a bar that is in sight, or nowhere', () => {
  const whole = { from: 0, to: 1000 };
  expect(labelRoom({ startedAt: 800, endsAt: 900 }, whole, 640)).toMatchObject({ before: true, at: 800 });
  expect(labelRoom({ startedAt: 0, endsAt: 100 }, whole, 640)).toMatchObject({ before: false, at: 100 });
  expect(labelRoom({ startedAt: 50, endsAt: 950 }, whole, 640)).toBeUndefined();
  expect(labelRoom({ startedAt: 2000, endsAt: 2100 }, whole, 640)).toBeUndefined();
  expect(labelRoom({ startedAt: 0, endsAt: 100 }, { from: 200, to: 1000 }, 640)).toBeUndefined();
  expect(labelRoom({ startedAt: 0, endsAt: 100 }, whole, 120)).toBeUndefined();
});
