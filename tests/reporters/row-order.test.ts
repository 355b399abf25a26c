import { describe, expect, test } from 'vitest';
import { type Choice, FIRST_CHOICE } from '../../src/reporters/html/waterfall/choice.ts';
import { firstRows } from '../../src/reporters/html/waterfall/first-rows.ts';
import { axisOf } from '../../src/reporters/html/waterfall/geometry.ts';
import { linkPath } from '../../src/reporters/html/waterfall/link-path.ts';
import { orderRows } from '../../src/reporters/html/waterfall/table/row-order.ts';
import { type ShownRow, shownWaterfall } from '../../src/reporters/html/waterfall/table/rows.ts';
import { shortName } from '../../src/wording/text/text.ts';
import { shopWaterfall } from './example-report.ts';

const waterfall = shopWaterfall(1);
const rows: readonly ShownRow[] = shownWaterfall(waterfall, axisOf(waterfall)).rows.map((row) => Object.freeze(row));

const order = (more?: Partial<Choice>) => orderRows(Object.freeze([...rows]), { ...FIRST_CHOICE, few: false, ...more });
const namesOf = (ordered: ReturnType<typeof order>): readonly string[] =>
  ordered.entries.map((entry) => (entry.row === undefined ? `[${entry.group.name}]` : shortName(entry.row.url)));

describe('rows', () => {
  test('stand in the order of their starts, each with its place', () => {
    const { entries, shown, groups } = order();
    expect(shown).toBe(rows.length);
    expect(groups).toEqual([]);
    expect(entries.map(({ row }) => row?.index)).toEqual(rows.map((_, index) => index));
    expect(entries.at(-1)).toMatchObject({ level: 1, position: 49, size: 49, line: 50 });
  });

  test.each([
    ['end', (row: ShownRow) => row.endsAt],
    ['duration', (row: ShownRow) => row.endsAt - row.startedAt],
    ['size', (row: ShownRow) => row.transferSize ?? -1],
  ] as const)('can be sorted by %s, up and down', (sort, figure) => {
    const up = order({ sort }).entries.flatMap(({ row }) => row ?? []);
    expect(up.every((row, i) => i === 0 || figure(up[i - 1] ?? row) <= figure(row))).toBe(true);
    const down = order({ sort, descending: true }).entries.flatMap(({ row }) => row ?? []);
    expect(down.every((row, i) => i === 0 || figure(down[i - 1] ?? row) >= figure(row))).toBe(true);
  });

  test('of one name stay in the order of their starts, also the other way round', () => {
    for (const descending of [false, true]) {
      const thumbs = order({ sort: 'name', descending, search: 'thumb.webp' }).entries.map(
        ({ row }) => row?.index ?? 0,
      );
      expect(thumbs).toEqual(thumbs.toSorted((a, b) => a - b));
    }
  });

  test('pass every filter or are not there', () => {
    expect(order({ background: 'only' }).shown).toBe(17);
    expect(order({ background: 'hidden' }).shown).toBe(32);
    expect(namesOf(order({ failed: true }))).toEqual(['tag.js', 'old-banner.js']);
    expect(namesOf(order({ critical: true, types: new Set(['js']) }))).toEqual(['app.20c9.js']);
    expect(order({ search: 'LONG-poll' }).shown).toBe(4);
    expect(order({ failed: true, critical: true })).toEqual({ entries: [], shown: 0, groups: [] });
  });
});

describe('the first rows', () => {
  const bare = (index: number, more: Partial<ShownRow> = {}): ShownRow => {
    const { step: _, renderBlocking: _b, largestPaint: _l, background: _k, ...row } = rows[0] as ShownRow;
    return { ...row, index, failed: false, startedAt: index, endsAt: index + 1, transferSize: 1, ...more };
  };
  const background = (tells: boolean): Partial<ShownRow> => ({
    ...{ background: { kind: 'poll', because: 'a timer', confidence: 'certain', tells }, endsAt: 9_000 },
  });
  const telling: readonly Partial<ShownRow>[] = [
    ...[{ step: 1 }, { mark: 'new' as const }, { failed: true }, { renderBlocking: true as const }],
    ...[{ largestPaint: true as const }, background(true)],
    ...[3, 4, 5].flatMap((factor) => [{ endsAt: 100 * factor }, { transferSize: 100 * factor }]),
  ];
  const dull = (count: number): readonly Partial<ShownRow>[] => Array(count).fill(background(false));
  const made = (...all: readonly Partial<ShownRow>[]) => all.map((more, index) => bare(index, more));

  test('are those that explain the load, in their order', () => {
    const all = made(...dull(3), ...telling, ...dull(3));
    expect(firstRows(all)).toEqual(all.slice(3, -3));
  });

  test('are all rows where few would be left out', () => {
    const all = made(...telling, ...dull(5));
    expect(firstRows(all)).toBe(all);
  });

  test('give way to what is filtered, grouped or sorted', () => {
    const few = order({ few: true });
    expect(few.shown).toBe(firstRows(rows).length);
    expect(few.shown).toBeLessThan(rows.length);
    expect(order({ few: true, sort: 'end' }).shown).toBe(rows.length);
    expect(order({ few: true, background: 'only' })).toEqual(order({ background: 'only' }));
  });
});

describe('groups', () => {
  test('by type come in the order of types, with counts, bytes and spans', () => {
    const { groups, entries } = order({ group: 'type', sort: 'size', descending: true });
    expect(groups.map(({ name, count }) => `${name} ${count}`)).toEqual([
      'Document 1',
      'CSS 2',
      'Script 4',
      'Font 2',
      'Image 20',
      'Fetch/XHR 18',
      'Stream 1',
      'Other 1',
    ]);
    expect(groups[1]).toMatchObject({ bytes: 23_900, from: 232, folded: false });
    expect(entries[0]).toMatchObject({ level: 1, position: 1, size: 8, line: 2 });
    expect(entries[1]).toMatchObject({ level: 2, position: 1, size: 1, line: 3 });
    const images = entries.flatMap(({ row }) => (row?.group === 'img' ? [shortName(row.url)] : []));
    expect(images[0]).toBe('hero-1280.webp');
  });

  test('by host come in the order in which they were asked, however rows are sorted', () => {
    const hosts = ['shop.example', 'cdn.shop.example', 'ads.example', 'metrics.example'];
    expect(order({ group: 'host' }).groups.map(({ name }) => name)).toEqual(hosts);
    expect(order({ group: 'host', sort: 'size', descending: true }).groups.map(({ name }) => name)).toEqual(hosts);
  });

  test('by what counts are two', () => {
    expect(order({ group: 'background' }).groups.map(({ count }) => count)).toEqual([32, 17]);
    expect(order({ group: 'background', background: 'only' }).groups.map(({ key }) => key)).toEqual([
      'background background',
    ]);
  });

  test('that are folded keep their heads', () => {
    const { entries, shown } = order({ group: 'background', folded: new Set(['background needed', 'type js']) });
    expect(shown).toBe(49);
    expect(entries).toHaveLength(2 + 17);
    expect(entries[1]).toMatchObject({ level: 1, position: 2, line: 3, group: { folded: false } });
  });
});

describe('an arrow', () => {
  const look = { from: 0, to: 1000, width: 500 };

  test('goes down where the first bar still is, else along from its end', () => {
    const asker = { y: 12, startedAt: 0, endsAt: 400 };
    expect(linkPath(asker, { y: 60, startedAt: 200, endsAt: 300 }, look)).toBe('M100 12V54M96 50L100 54L104 50');
    expect(linkPath(asker, { y: 60, startedAt: 600, endsAt: 700 }, look)).toBe('M200 12V60H300M296 56L300 60L296 64');
  });

  test('goes up where the order is another', () => {
    const path = linkPath({ y: 60, startedAt: 0, endsAt: 400 }, { y: 12, startedAt: 200, endsAt: 300 }, look);
    expect(path).toBe('M100 60V18M96 22L100 18L104 22');
  });
});
