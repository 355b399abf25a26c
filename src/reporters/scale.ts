/** Scales and ticks: what all drawings of the reports have in common. */

/** A part of an axis. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A labelled value on an axis. */
export interface Tick {
  readonly at: number;
  readonly step: number;
}

/** The next of 1, 2, 5, 10, 20 … times a power of ten: a distance of ticks that is easy to read. */
export function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
}

/** At most some round values within a span, from its first on. The label of the last needs `room` to its right, a share of the span. */
export function ticksWithin({ from, to }: Span, most: number, room = 0.03): readonly Tick[] {
  const step = roundStep((to - from) / most);
  const ticks: Tick[] = [];
  for (let i = Math.ceil(from / step); i * step < to - (to - from) * room; i++) {
    ticks.push({ at: Number((i * step).toPrecision(12)), step });
  }
  return ticks;
}

/** Ticks of a span whose ends are ticks, at most: a stored value can be anything. */
const MOST_TICKS = 12;

/** A span widened to round values in about so many steps, with a tick at each. */
export function roundSpan({ from, to }: Span, steps: number): Span & { readonly ticks: readonly number[] } {
  const step = roundStep((to - from) / steps);
  const start = Math.floor(from / step) * step;
  const end = Math.ceil(to / step) * step;
  const count = Math.min(MOST_TICKS, Math.round((end - start) / step) + 1 || 0);
  return {
    from: start,
    to: end,
    ticks: Array.from({ length: count }, (_, i) => Number((start + i * step).toFixed(6))),
  };
}

/** The span of some values without those that lie further than `reach` outside of `usual`, and at least `least` wide. */
export function spanWithoutFar(
  values: readonly number[],
  { usual, reach, least }: { readonly usual: Span; readonly reach: number; readonly least: Span },
): Span {
  const near = values.filter((value) => value >= usual.from - reach && value <= usual.to + reach);
  return { from: Math.min(least.from, ...near), to: Math.max(least.to, ...near) };
}

/** Where a value lies in a span, as a share of it; below 0 and above 1 for what lies outside. */
export function shareOf(value: number, { from, to }: Span): number {
  return (value - from) / (to - from || 1);
}

/** The same, kept within the span. */
export function place(value: number, span: Span): number {
  return Math.min(1, Math.max(0, shareOf(value, span)));
}

/** A share as a length in SVG. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(3))}%`;
}

/** Pixels, as exact as they are seen. */
export function pixels(value: number): number {
  return Number(value.toFixed(1));
}
