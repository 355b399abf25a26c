import type { Ms } from '../../model/units.ts';

/** Something with the moment at which it came. */
export interface Dated<T> {
  readonly at: Ms;
  readonly what: T;
}

/** In order of the moments at which they came; of what came at one moment, in the order given. */
export function sortedByTime<T>(all: readonly T[], atOf: (each: T) => Ms): readonly Dated<T>[] {
  return all.map((what) => ({ at: atOf(what), what })).sort((a, b) => a.at - b.at);
}

/**
 * The last that fits, of what came later than `after` and not later than `until`. Looks at nothing else: of thousands of
 * requests each is compared with those before it.
 */
export function lastBetween<T>(
  inOrder: readonly Dated<T>[],
  { after = Number.NEGATIVE_INFINITY, until }: { readonly after?: Ms; readonly until: Ms },
  fits: (each: T) => boolean,
): T | undefined {
  for (let i = countUntil(inOrder, until) - 1; i >= 0; i -= 1) {
    const come = inOrder[i];
    if (come === undefined || come.at <= after) return undefined;
    if (fits(come.what)) return come.what;
  }
  return undefined;
}

/** The last that came not later than a moment, so many at most, in order. */
export function lastUntil<T>(inOrder: readonly Dated<T>[], until: Ms, most: number): readonly T[] {
  const count = countUntil(inOrder, until);
  return inOrder.slice(Math.max(0, count - most), count).map(({ what }) => what);
}

/** How many came not later than a moment. */
export function countUntil(inOrder: readonly Dated<unknown>[], until: Ms): number {
  let low = 0;
  let high = inOrder.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((inOrder[middle]?.at ?? Number.POSITIVE_INFINITY) <= until) low = middle + 1;
    else high = middle;
  }
  return low;
}
