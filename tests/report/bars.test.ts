import { describe, expect, test } from 'vitest';
import { type BarRow, barDrawing } from '../../src/report/html/bars.ts';
import type { ShownRow } from '../../src/report/html/island-read.ts';
import { type Sketch, sketch } from '../../src/report/html/sketch.tsx';

const { bars, extent } = barDrawing(sketch);
const SECOND = { from: 0, to: 1000 };
const [WAIT, RECEIVE] = [6, 7];

function row(more: Partial<BarRow & Pick<ShownRow, 'background'>> = {}) {
  return {
    startedAt: 100,
    endsAt: 300,
    open: false,
    phases: [
      { name: WAIT, from: 100, to: 200 },
      { name: RECEIVE, from: 200, to: 300 },
    ],
    ticks: [],
    ...more,
  };
}

const background = (countsUntil?: number): Pick<ShownRow, 'background'> => ({
  background: {
    kind: 'sse',
    because: '',
    confidence: '',
    tells: false,
    ...(countsUntil !== undefined && { countsUntil }),
  },
});

/** What a drawing holds: class or tag, with its path. */
const parts = ({ children }: Sketch): readonly string[] =>
  children.map((child) =>
    typeof child === 'string' ? child : `${child.attributes.class ?? child.tag} ${child.attributes.d ?? ''}`.trim(),
  );
const drawn = (of: Parameters<typeof bars>[0], span = SECOND): readonly (readonly string[])[] =>
  bars(of, span).map(parts);

describe('bars', () => {
  test('are one path a phase', () => {
    expect(drawn(row())).toEqual([['p6 M10000 4h10000v12h-10000z', 'p7 M20000 4h10000v12h-10000z']]);
  });

  test('exist for a row without phases and for one too short to see', () => {
    expect(drawn(row({ phases: [] }))).toEqual([['p6 M10000 4h20000v12h-20000z']]);
    const short = row({ endsAt: 100.01, phases: [{ name: RECEIVE, from: 100, to: 100.01 }] });
    expect(drawn(short, { from: 0, to: 60_000 })).toEqual([['p7 M167 4h0v12h-0z']]);
  });

  test('of open rows fade from the last sign of life', () => {
    const open = row({
      open: true,
      endsAt: 1000,
      ticks: [250, 400],
      phases: [{ name: RECEIVE, from: 100, to: 1000 }],
    });
    const [drawing] = bars(open, SECOND);
    expect(drawing?.children[0]).toMatchObject({ attributes: { class: 'p7', d: 'M10000 4h30000v12h-30000z' } });
    expect(drawing?.children[1]).toMatchObject({
      tag: 'rect',
      attributes: { x: 40_000, width: 60_000, fill: 'url(#fade7)' },
    });
  });

  test('are cut at the edges of what is looked at, and are not there outside it', () => {
    const long = row({ startedAt: -50, endsAt: 5000, phases: [{ name: WAIT, from: -50, to: 5000 }] });
    expect(drawn(long)).toEqual([['p6 M-1000 4h102000v12h-102000z']]);
    expect(bars(row(), { from: 400, to: 500 })).toEqual([]);
    expect(bars(row(), { from: 0, to: 50 })).toEqual([]);
    expect(drawn(row(), { from: 150, to: 250 })).toEqual([
      ['p6 M-1000 4h51000v12h-51000z', 'p7 M50000 4h51000v12h-51000z'],
    ]);
  });

  test('merge ticks that share a pixel', () => {
    const ticks = Array.from({ length: 100_000 }, (_, i) => 100 + i * 0.002);
    const [, , path = ''] = drawn(row({ ticks }))[0] ?? [];
    expect(path).toMatch(/^t M10125 2v5/);
    expect(path.split('M').length).toBeLessThan(300);
  });

  test('of a group reach from its first start to its last end', () => {
    const drawing = extent({ from: 100, to: 600 }, SECOND);
    expect(drawing && parts(drawing)).toEqual(['path M10000 8h50000v4h-50000z']);
    expect(extent({ from: 100, to: 600 }, { from: 700, to: 800 })).toBeUndefined();
  });
});

describe('what is background', () => {
  const looks = (of: Parameters<typeof bars>[0]) => bars(of, SECOND).map(({ attributes }) => attributes.class);

  test('is hatched, up to where it counts it is not, with a line between', () => {
    const open = row({ open: true, ticks: [150, 220, 280], ...background(250) });
    expect(looks(open)).toEqual(['h', undefined]);
    const [after = [], before = []] = drawn(open);
    expect(before).toEqual([
      'p6 M10000 4h10000v12h-10000z',
      'p7 M20000 4h5000v12h-5000z',
      't M15000 2v5M22125 2v5',
      'u M25000 0v20',
    ]);
    expect(after).toContain('t M28125 2v5');
    expect(after).toContain('rect');
  });

  test('is one bar where it counts whole or not at all', () => {
    expect(looks(row(background()))).toEqual(['h']);
    expect(looks(row(background(100)))).toEqual(['h']);
    expect(looks(row(background(300)))).toEqual([undefined]);
  });
});
