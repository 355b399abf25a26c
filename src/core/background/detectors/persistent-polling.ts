import type { Observation } from '../../../model/background/verdict.ts';
import type { Request, Timeline } from '../../../model/network/timeline.ts';
import { HABIT } from '../../time/lags.ts';
import { walksAList } from '../series.ts';

/** Is one question asked so often and for so long that it is a habit, whatever its rhythm? Requests in order of start. */
export function isPersistentPolling(
  requests: readonly Request[],
  { observedUntil }: Timeline,
  { suspectMs }: Observation,
): boolean {
  const [first] = requests;
  if (first === undefined || requests.length < 2 * HABIT) return false;
  return observedUntil - first.startedAt >= suspectMs && !walksAList(requests);
}
