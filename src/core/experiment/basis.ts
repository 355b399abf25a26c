import type { Basis } from '../../model/compare/comparison.ts';
import type { Shift } from './hodges-lehmann.ts';

/**
 * A metric is compared without what the machine took where the interval becomes this much narrower by it, or narrower
 * still. On a calm machine both are about as wide, and to take the one that happens to be narrower would be to look twice.
 */
export const MORE_PRECISE = 0.9;

/** On which basis a metric is decided: the more precise of the two, by the intervals of a look. */
export function decidingBasis(measured: Shift | undefined, undisturbed: Shift | undefined, z: number): Basis {
  return widthOf(undisturbed, z) < MORE_PRECISE * widthOf(measured, z) ? 'undisturbed' : 'measured';
}

function widthOf(shift: Shift | undefined, z: number): number {
  const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = shift?.interval(z) ?? {};
  return high - low;
}
