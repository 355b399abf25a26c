import type { ChangeOverLoads } from '../../model/main-thread.ts';
import type { Ms } from '../../model/units.ts';

/** A change of less does not matter, ms; what takes less in both builds cannot change by more. */
export const WORTH_NAMING_MS: Ms = 5;

/** Surely more, or surely less. */
export function isProven({ low, high }: Pick<ChangeOverLoads, 'low' | 'high'>): boolean {
  return (low !== undefined && low > 0) || (high !== undefined && high < 0);
}

/** Is there a change, is it proven, and does it matter? */
export function isWorthNaming(change: ChangeOverLoads | undefined): boolean {
  return change !== undefined && isProven(change) && Math.abs(change.difference ?? 0) >= WORTH_NAMING_MS;
}
