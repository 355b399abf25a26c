import type { HostFacts } from '../../model/result/run-facts.ts';

/** Share of the processors that others took from a load, 0 to 1; 0 where that is not known. */
export function takenShare({ busyByOthers = 0, steal = 0 }: Pick<HostFacts, 'busyByOthers' | 'steal'>): number {
  return Math.min(1, busyByOthers + steal);
}
