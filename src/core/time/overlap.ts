import type { Ms } from '../../model/units.ts';

/** A stretch of time. */
export interface Stretch {
  readonly from: Ms;
  readonly to: Ms;
}

/** How long two stretches overlap, ms; 0 where they do not. */
export function overlapOf(one: Stretch, other: Stretch): Ms {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
}

/** The stretch of what began at a moment and lasted for some time. */
export function stretchOf({ at, duration }: { readonly at: Ms; readonly duration: Ms }): Stretch {
  return { from: at, to: at + duration };
}

/** The same times without overlaps, in order: stretches that overlap or touch become one. */
export function union(stretches: readonly Stretch[]): readonly Stretch[] {
  const joined: Stretch[] = [];
  for (const each of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && each.from <= last.to)
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, each.to) };
    else joined.push(each);
  }
  return joined;
}
