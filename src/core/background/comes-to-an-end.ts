import { KINDS } from '../../model/background-kinds.ts';
import type { EndpointRule, Verdicts } from '../../model/verdict.ts';

/** Whether all background of a load ends by itself, as an icon or a prefetch does, and a poll or a stream does not. */
export function comesToAnEnd(verdicts: Verdicts): boolean {
  return [...verdicts.values()].every(({ kind }) => !KINDS[kind].goesOn);
}

/** Whether the same holds for all background that other loads have taught. */
export function rulesComeToAnEnd(learnt: readonly EndpointRule[]): boolean {
  return learnt.every(({ kind }) => kind === undefined || !KINDS[kind].goesOn);
}
