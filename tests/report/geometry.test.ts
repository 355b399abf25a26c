import { describe, expect, test } from 'vitest';
import type { WaterfallRow } from '../../src/model/report.ts';
import {
  axisOf,
  barsOf,
  PHASES,
  placeLabels,
  roomBeside,
  splitAt,
  ticksUpTo,
  WIDTH,
} from '../../src/report/html/geometry.ts';
import { shopWaterfall } from './example-report.ts';

function row(more: Partial<WaterfallRow>): WaterfallRow {
  return {
    id: 'a',
    url: 'https://shop.example/',
    method: 'GET',
    type: 'fetch',
    startedAt: 100,
    endsAt: 300,
    open: false,
    failed: false,
    phases: [
      { name: 'wait', from: 100, to: 200 },
      { name: 'receive', from: 200, to: 300 },
    ],
    chunks: [],
    contentSize: 0,
    ...more,
  };
}

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

  test.each([0.5, 7, 90, 1243, 12_400, 60_000, 3_600_000])('has few round ticks up to %s', (end) => {
    const ticks = ticksUpTo(end, 6);
    expect(ticks[0]?.at).toBe(0);
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(ticks.every(({ at }) => at < end)).toBe(true);
  });
});

describe('bars', () => {
  test('are one path a phase', () => {
    const { paths, fade } = barsOf(row({}), { span: 1000 });
    expect(paths.map((path) => PHASES[path.phase])).toEqual(['wait', 'receive']);
    expect(paths[0]?.d).toMatch(new RegExp(`^M${WIDTH / 10} `));
    expect(fade).toBeUndefined();
  });

  test('exist for a row without phases and for one too short to see', () => {
    expect(barsOf(row({ phases: [] }), { span: 1000 }).paths).toHaveLength(1);
    const short = row({ endsAt: 100.01, phases: [{ name: 'receive', from: 100, to: 100.01 }] });
    expect(barsOf(short, { span: 60_000 }).paths).toHaveLength(1);
  });

  test('of open rows fade from the last sign of life', () => {
    const open = row({
      open: true,
      endsAt: 1000,
      chunks: [250, 400],
      phases: [{ name: 'receive', from: 100, to: 1000 }],
    });
    const { fade, paths } = barsOf(open, { span: 1000 });
    expect(fade).toEqual({ x: WIDTH * 0.4, width: WIDTH * 0.6, phase: PHASES.indexOf('receive') });
    expect(paths).toHaveLength(1);
  });

  test('keep to the axis when times lie outside it', () => {
    const { paths } = barsOf(row({ startedAt: -50, endsAt: 5000, phases: [{ name: 'wait', from: -50, to: 5000 }] }), {
      span: 1000,
    });
    expect(paths[0]?.d).toBe(`M0 4h${WIDTH}v12h-${WIDTH}z`);
  });

  test('merge ticks that share a pixel', () => {
    const chunks = Array.from({ length: 100_000 }, (_, i) => 100 + i * 0.002);
    const { ticks = '' } = barsOf(row({ chunks }), { span: 1000 });
    expect(ticks.split('M').length).toBeLessThan(300);
    expect(barsOf(row({ chunks: [250] }), { span: 1000 }).ticks).toBeUndefined();
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

test('words stand on the wider side of a bar, or nowhere', () => {
  expect(roomBeside({ startedAt: 800, endsAt: 900 }, 1000)).toMatchObject({ before: true, at: 800 });
  expect(roomBeside({ startedAt: 0, endsAt: 100 }, 1000)).toMatchObject({ before: false, at: 100 });
  expect(roomBeside({ startedAt: 50, endsAt: 950 }, 1000)).toBeUndefined();
  expect(roomBeside({ startedAt: 2000, endsAt: 2100 }, 1000)).toBeUndefined();
});

describe('a row that counts in part', () => {
  const open = row({ open: true, chunks: [150, 220, 280] });

  test('is two rows without a gap', () => {
    const { before, after } = splitAt(open, 250);
    expect(before).toMatchObject({ startedAt: 100, endsAt: 250, open: false, chunks: [150, 220] });
    expect(before?.phases).toEqual([
      { name: 'wait', from: 100, to: 200 },
      { name: 'receive', from: 200, to: 250 },
    ]);
    expect(after).toMatchObject({ startedAt: 250, endsAt: 300, open: true, chunks: [280] });
    expect(after?.phases).toEqual([{ name: 'receive', from: 250, to: 300 }]);
  });

  test('is one row where it counts whole or not at all', () => {
    expect(splitAt(open, 300)).toEqual({ before: open });
    expect(splitAt(open, 100)).toEqual({ after: open });
  });
});
