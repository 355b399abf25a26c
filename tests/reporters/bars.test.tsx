import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import { type BarRow, Bars, Extent } from '../../src/reporters/html/waterfall/bars.tsx';

const SECOND = { from: 0, to: 1000 };
const [WAIT, RECEIVE] = [6, 7];

function row(more: Partial<BarRow> = {}) {
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

const background = (countsUntil?: number): Pick<BarRow, 'background'> => ({
  background: {
    kind: 'sse',
    because: '',
    confidence: '',
    tells: false,
    ...(countsUntil !== undefined && { countsUntil }),
  },
});

/** What each drawing holds: class or tag, with its path. */
function partsOf(drawings: JSX.Element): readonly (readonly string[])[] {
  return [...renderToString(drawings).matchAll(/<svg[^>]*>(.*?)<\/svg>/g)].map(([, inner = '']) =>
    [...inner.matchAll(/<(\w+)([^>]*?)\/?>(?:<\/\w+>)?/g)].map(([, tag, attributes = '']) =>
      [attribute(attributes, 'class') ?? tag, attribute(attributes, 'd')].filter(Boolean).join(' '),
    ),
  );
}
const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
const drawn = (of: BarRow, span = SECOND) => partsOf(<Bars row={of} span={span} />);

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
    expect(drawn(open)[0]?.slice(0, 2)).toEqual(['p7 M10000 4h30000v12h-30000z', 'rect']);
    const html = renderToString(<Bars row={open} span={SECOND} />);
    expect(html).toContain('<rect x="40000" y="4" width="60000" height="12" fill="url(#fade7)"');
  });

  test('are cut at the edges of what is looked at, and are not there outside it', () => {
    const long = row({ startedAt: -50, endsAt: 5000, phases: [{ name: WAIT, from: -50, to: 5000 }] });
    expect(drawn(long)).toEqual([['p6 M-1000 4h102000v12h-102000z']]);
    expect(drawn(row(), { from: 400, to: 500 })).toEqual([]);
    expect(drawn(row(), { from: 0, to: 50 })).toEqual([]);
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
    expect(partsOf(<Extent from={100} to={600} span={SECOND} />)).toEqual([['path M10000 8h50000v4h-50000z']]);
    expect(partsOf(<Extent from={100} to={600} span={{ from: 700, to: 800 }} />)).toEqual([]);
  });
});

describe('what is background', () => {
  const looks = (of: BarRow) =>
    [...renderToString(<Bars row={of} span={SECOND} />).matchAll(/<svg([^>]*)>/g)].map(([, attributes = '']) =>
      attribute(attributes, 'class'),
    );

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
