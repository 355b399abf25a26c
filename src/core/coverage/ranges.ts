import type { TextRange, UseReading } from '../../model/recording/recording.ts';
import { union } from '../time/overlap.ts';

/** What was used by one reading, in order. Ranges lie within each other: the innermost decides. */
export function usedRanges(ranges: UseReading['ranges']): readonly TextRange[] {
  const sorted = ranges.toSorted((a, b) => a.from - b.from || b.to - a.to);
  const used: TextRange[] = [];
  const open: UseReading['ranges'][number][] = [];
  let at = 0;
  const until = (to: number): void => {
    if (to > at && open.at(-1)?.used) used.push({ from: at, to });
    at = Math.max(at, to);
  };
  const close = (before: number): void => {
    for (let inner = open.at(-1); inner && inner.to <= before; inner = open.at(-1)) {
      until(inner.to);
      open.pop();
    }
  };
  for (const range of sorted) {
    close(range.from);
    until(range.from);
    open.push(range);
  }
  close(Number.POSITIVE_INFINITY);
  return used;
}

/** All ranges as few as possible, in order: those that touch or overlap become one. */
export function mergedRanges(ranges: readonly TextRange[]): readonly TextRange[] {
  return union(ranges.filter(({ from, to }) => to > from));
}

/** What lies between merged ranges in a text of that length. */
export function gapsBetween(merged: readonly TextRange[], length: number): readonly TextRange[] {
  const gaps: TextRange[] = [];
  let at = 0;
  for (const { from, to } of [...merged, { from: length, to: length }]) {
    const end = Math.min(from, length);
    if (end > at) gaps.push({ from: at, to: end });
    at = Math.max(at, to);
  }
  return gaps;
}

/** Those that lie within one of the gaps, each outermost one once, in order. */
export function outermostWithin<T extends TextRange>(ranges: readonly T[], gaps: readonly TextRange[]): readonly T[] {
  const found: T[] = [];
  let gap = 0;
  let after = 0;
  for (const range of ranges.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    while ((gaps[gap]?.to ?? Number.POSITIVE_INFINITY) <= range.from) gap += 1;
    const around = gaps[gap];
    if (!around || range.from < after || range.from < around.from || range.to > around.to) continue;
    if (range.to <= range.from) continue;
    found.push(range);
    after = range.to;
  }
  return found;
}

/** Gaps cut where the pieces begin and end, which lie within them in order. */
export function cutAt(gaps: readonly TextRange[], pieces: readonly TextRange[]): readonly TextRange[] {
  const cuts = pieces.flatMap(({ from, to }) => [from, to]);
  const parts: TextRange[] = [];
  let next = 0;
  for (const { from, to } of gaps) {
    let at = from;
    for (let cut = cuts[next]; cut !== undefined && cut <= to; next += 1, cut = cuts[next]) {
      if (cut > at) parts.push({ from: at, to: cut });
      at = Math.max(at, cut);
    }
    if (to > at) parts.push({ from: at, to });
  }
  return parts;
}
