import type { Observation } from '../../../model/background/verdict.ts';
import type { Request, Timeline } from '../../../model/network/timeline.ts';
import { walksAList } from '../series.ts';

/** Six or more requests in the observation window, and still going. */
const RELENTLESS_STARTS = 6;

/** Is one question asked so often and for so long that it is a habit, whatever its rhythm? Requests in order of start. */
export function isPersistentPolling(
  requests: readonly Request[],
  { observedUntil }: Timeline,
  { suspectMs }: Observation,
): boolean {
  const [first] = requests;
  if (first === undefined || requests.length < RELENTLESS_STARTS) return false;
  return observedUntil - first.startedAt >= suspectMs && !walksAList(requests);
}
