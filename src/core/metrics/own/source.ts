import type { Visit } from '../../../model/network/visit.ts';
import type { Unit } from '../../../model/units.ts';

/** A place from which the user's own metrics can be read. */
export interface MetricSource {
  /** What stands before the colon: 'mark' of 'mark:app-ready'. */
  readonly kind: string;
  /** What messages call one of what it has: 'mark'. */
  readonly noun: string;
  /** The unit of its figures, where the user names no other. */
  readonly unit: Unit;
  /** As in `Metric`. */
  readonly isMoment?: true;
  readonly isPaint?: true;
  /** Everything that a visit has of it, by name; of equal names the first. */
  figures(visit: Visit): ReadonlyMap<string, number>;
}

/** A figure for each name; of equal names the first. */
export function firstOfEach<T extends { readonly name: string }>(
  entries: readonly T[] | undefined,
  figure: (entry: T) => number | undefined,
): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  for (const entry of entries ?? []) {
    const value = figure(entry);
    if (value !== undefined && !figures.has(entry.name)) figures.set(entry.name, value);
  }
  return figures;
}
