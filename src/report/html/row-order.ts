import type { shortName } from '../text.ts';
import type { Span } from './geometry.ts';
import type { ShownRow } from './island-read.ts';
import type { RowGroup, RowPlace } from './row-sketch.ts';

/** What a reader wants to see of a waterfall. Waterfalls that stand together share one. */
export interface Choice {
  /** Of `GROUPS`; none: all. */
  readonly types: Set<string>;
  background: 'all' | 'only' | 'hidden';
  /** Part of an address, or of a kind of background traffic. */
  search: string;
  failed: boolean;
  /** Only the critical path. */
  critical: boolean;
  /** The critical path drawn in. */
  chain: boolean;
  group: 'none' | 'type' | 'host' | 'background';
  /** Keys of groups. */
  readonly folded: Set<string>;
  sort: 'start' | 'end' | 'duration' | 'size' | 'name';
  descending: boolean;
  /** The closer look at the load, the whole axis, or a part of it. */
  zoom: 'load' | 'all' | Span;
}

/** A line of the waterfall's table: a row, or the head of a group. */
export type Entry = RowPlace & ({ readonly row: ShownRow } | { readonly row?: undefined; readonly group: RowGroup });

/** The lines of the table in order, without what is folded, and how many rows pass the filters. */
export interface Ordered {
  readonly entries: readonly Entry[];
  readonly shown: number;
  readonly groups: readonly RowGroup[];
}

/**
 * Filters, sorts and groups rows. Never sorts the rows that it is given. Self-contained (see `client-elements.ts`).
 * `groupNames` are the names of the types' groups, in order.
 */
export function orderRows(
  rows: readonly ShownRow[],
  choice: Choice,
  groupNames: Readonly<Record<string, string>>,
  short: typeof shortName,
): Ordered {
  const wanted = choice.search.toLowerCase();
  const passes = (row: ShownRow): boolean =>
    (choice.types.size === 0 || choice.types.has(row.group)) &&
    (choice.background === 'all' || (choice.background === 'only') === (row.background !== undefined)) &&
    (!choice.failed || row.failed) &&
    (!choice.critical || row.step !== undefined) &&
    (wanted === '' || row.url.toLowerCase().includes(wanted) || (row.background?.kind ?? '').includes(wanted));
  const kept = rows.filter(passes);

  const figure = (row: ShownRow): number => {
    switch (choice.sort) {
      case 'end':
        return row.endsAt;
      case 'duration':
        return row.endsAt - row.startedAt;
      case 'size':
        // What is not known comes after what is.
        return row.transferSize ?? -1;
      default:
        return row.startedAt;
    }
  };
  const sign = choice.descending ? -1 : 1;
  const compare = <T>(a: T, b: T): number => (a < b ? -sign : a > b ? sign : 0);
  const sorted =
    choice.sort === 'name'
      ? kept
          .map((row) => ({ row, name: short(row.url).toLowerCase() }))
          .sort((a, b) => compare(a.name, b.name) || a.row.index - b.row.index)
          .map(({ row }) => row)
      : kept.toSorted((a, b) => compare(figure(a), figure(b)) || a.index - b.index);

  // The table's head is its first line.
  if (choice.group === 'none') {
    const entries = sorted.map((row, i) => ({ row, level: 1, position: i + 1, size: sorted.length, line: i + 2 }));
    return { entries, shown: kept.length, groups: [] };
  }

  const keyOf = (row: ShownRow): string => {
    if (choice.group === 'type') return row.group;
    if (choice.group === 'host') return row.host;
    return row.background === undefined ? 'needed' : 'background';
  };
  const order =
    choice.group === 'type' ? Object.keys(groupNames) : choice.group === 'background' ? ['needed', 'background'] : [];
  const named = (key: string): string => {
    if (choice.group === 'type') return groupNames[key] ?? key;
    if (choice.group === 'host') return key === '' ? 'no host' : key;
    return key === 'needed' ? 'Counted: what the page needed' : 'Background, not counted';
  };
  const members = new Map<string, ShownRow[]>(order.map((key) => [key, []]));
  // Hosts in the order in which they were asked, however rows are sorted.
  for (const row of kept) if (!members.has(keyOf(row))) members.set(keyOf(row), []);
  for (const row of sorted) members.get(keyOf(row))?.push(row);
  const groups: RowGroup[] = [];
  const entries: Entry[] = [];
  const filled = [...members].filter(([, own]) => own.length > 0);
  filled.forEach(([key, own], nth) => {
    let from = Number.POSITIVE_INFINITY;
    let to = 0;
    let bytes = 0;
    for (const row of own) {
      from = Math.min(from, row.startedAt);
      to = Math.max(to, row.endsAt);
      bytes += row.transferSize ?? 0;
    }
    const folded = choice.folded.has(`${choice.group} ${key}`);
    const group = { key: `${choice.group} ${key}`, name: named(key), count: own.length, bytes, from, to, folded };
    groups.push(group);
    entries.push({ group, level: 1, position: nth + 1, size: filled.length, line: entries.length + 2 });
    if (folded) return;
    own.forEach((row, i) => {
      entries.push({ row, level: 2, position: i + 1, size: own.length, line: entries.length + 2 });
    });
  });
  return { entries, shown: kept.length, groups };
}
