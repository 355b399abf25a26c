import { shortName } from '../../../../wording/text/text.ts';
import { type Choice, isArranged } from '../choice.ts';
import { firstRows } from '../first-rows.ts';
import type { RowGroup, RowPlace } from './row.tsx';
import { GROUP_NAMES, type ShownRow } from './rows.ts';

/** A line of the waterfall's table: a row, or the head of a group. */
export type Entry = RowPlace & ({ readonly row: ShownRow } | { readonly row?: undefined; readonly group: RowGroup });

/** The lines of the table in order, without what is folded, and how many rows pass the filters. */
export interface Ordered {
  readonly entries: readonly Entry[];
  readonly shown: number;
  readonly groups: readonly RowGroup[];
}

/** Filters, sorts and groups rows. Never sorts the rows that it is given. */
export function orderRows(rows: readonly ShownRow[], choice: Choice): Ordered {
  const isFew = choice.few && !isArranged(choice);
  const kept = isFew ? firstRows(rows) : rows.filter((row) => passes(row, choice));
  const sorted = sortRows(kept, choice);
  if (choice.group !== 'none') return groupRows(kept, sorted, choice);
  // The table's head is its first line.
  const entries = sorted.map((row, i) => ({ row, level: 1, position: i + 1, size: sorted.length, line: i + 2 }));
  return { entries, shown: kept.length, groups: [] };
}

function passes(row: ShownRow, { types, background, failed, critical, search }: Choice): boolean {
  const wanted = search.toLowerCase();
  return (
    (types.size === 0 || types.has(row.group)) &&
    (background === 'all' || (background === 'only') === (row.background !== undefined)) &&
    (!failed || row.failed) &&
    (!critical || row.step !== undefined) &&
    (wanted === '' || row.url.toLowerCase().includes(wanted) || (row.background?.kind ?? '').includes(wanted))
  );
}

function sortRows(rows: readonly ShownRow[], { sort, descending }: Choice): readonly ShownRow[] {
  const figure = (row: ShownRow): number => {
    switch (sort) {
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
  const sign = descending ? -1 : 1;
  const compare = <T>(a: T, b: T): number => (a < b ? -sign : a > b ? sign : 0);
  if (sort !== 'name') return rows.toSorted((a, b) => compare(figure(a), figure(b)) || a.index - b.index);
  return rows
    .map((row) => ({ row, name: shortName(row.url).toLowerCase() }))
    .sort((a, b) => compare(a.name, b.name) || a.row.index - b.row.index)
    .map(({ row }) => row);
}

const typeNames: ReadonlyMap<string, string> = new Map(Object.entries(GROUP_NAMES));

/** Rows under heads; `kept` is in the order of their starts. */
function groupRows(kept: readonly ShownRow[], sorted: readonly ShownRow[], { group: by, folded }: Choice): Ordered {
  const keyOf = (row: ShownRow): string => {
    if (by === 'type') return row.group;
    if (by === 'host') return row.host;
    return row.background === undefined ? 'needed' : 'background';
  };
  const order = by === 'type' ? [...typeNames.keys()] : by === 'background' ? ['needed', 'background'] : [];
  const named = (key: string): string => {
    if (by === 'type') return typeNames.get(key) ?? key;
    if (by === 'host') return key === '' ? 'no host' : key;
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
    const group = {
      key: `${by} ${key}`,
      name: named(key),
      count: own.length,
      bytes,
      from,
      to,
      folded: folded.has(`${by} ${key}`),
    };
    groups.push(group);
    entries.push({ group, level: 1, position: nth + 1, size: filled.length, line: entries.length + 2 });
    if (group.folded) return;
    own.forEach((row, i) => {
      entries.push({ row, level: 2, position: i + 1, size: own.length, line: entries.length + 2 });
    });
  });
  return { entries, shown: kept.length, groups };
}
