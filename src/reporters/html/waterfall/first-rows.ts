import type { ShownRow } from './table/rows.ts';

/** So many of the longest and of the largest requests that count are seen at first. */
const SHOWN_OF_EACH = 3;
/** It takes so many left out rows to be worth a button. */
const FEWEST_LEFT = 6;

/**
 * The rows that explain the load: what blocked it or is its critical path, its slowest and largest requests, what failed or
 * differs, and each kind of background traffic once. All rows where these are nearly all.
 */
export function firstRows(rows: readonly ShownRow[]): readonly ShownRow[] {
  const counted = rows.filter(({ background }) => background === undefined);
  const most = (of: (row: ShownRow) => number): readonly ShownRow[] =>
    counted.toSorted((a, b) => of(b) - of(a)).slice(0, SHOWN_OF_EACH);
  const outstanding = new Set([
    ...most(({ startedAt, endsAt }) => endsAt - startedAt),
    ...most(({ transferSize = 0 }) => transferSize),
  ]);
  const first = rows.filter(
    (row) =>
      row.step !== undefined ||
      row.mark !== undefined ||
      row.failed ||
      row.renderBlocking === true ||
      row.largestPaint === true ||
      row.background?.tells === true ||
      outstanding.has(row),
  );
  return rows.length - first.length < FEWEST_LEFT ? rows : first;
}
