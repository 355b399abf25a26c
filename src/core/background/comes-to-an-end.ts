import { KINDS } from '../../model/background/kinds.ts';
import type { EndpointRule, Policy, Verdict, Verdicts } from '../../model/background/verdict.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { lastSignOfLife } from '../timeline/inflight.ts';
import { isAlive, rhythmOf } from './rhythm.ts';
import { isStream } from './series.ts';

/** Whether all background of a load ends by itself, as an icon or a prefetch does, and a poll or a stream does not. */
export function comesToAnEnd(verdicts: Verdicts): boolean {
  return [...verdicts.values()].every(({ kind }) => !KINDS[kind].goesOn);
}

/** Whether the same holds for all background that other loads have taught. */
export function rulesComeToAnEnd(learnt: readonly EndpointRule[]): boolean {
  return learnt.every(({ kind }) => kind === undefined || !KINDS[kind].goesOn);
}

/**
 * Are these requests of one endpoint known to break every silence: is one of them open, or is the next one due before a quiet
 * window is over, and was that watched for long enough? What a detector or another load has decided was. A single request is
 * one that ends, as a report or a file does, until it has been open for as long as a hung one, or has come back for as long as
 * any other suspect is watched.
 */
export function isKnownToGoOn(
  requests: readonly Request[],
  verdicts: Verdicts,
  timeline: Timeline,
  { observation, quietWindow }: Pick<Policy, 'observation' | 'quietWindow'>,
): boolean {
  const { observedUntil } = timeline;
  const isDecided = ({ id }: Request): boolean => {
    const verdict = verdicts.get(id);
    if (verdict === undefined || (verdict.decidedAt ?? 0) > observedUntil) return false;
    const { watched } = KINDS[verdict.kind];
    return watched !== 'no' && watched !== 'until-used';
  };
  const open = requests.filter(({ endedAt }) => endedAt === undefined);
  const isKnownOpen = (each: Request): boolean =>
    isStream(each) || isDecided(each) || observedUntil - lastSignOfLife(each) >= observation.silentMs;
  if (open.some(isKnownOpen)) return true;
  const [first] = requests;
  if (first === undefined || !breaksEverySilence(requests, timeline, quietWindow)) return false;
  if (requests.some(isDecided)) return true;
  return (
    observedUntil - first.startedAt >= observation.suspectMs && requests.some(({ id }) => mayGoOn(verdicts.get(id)))
  );
}

/** A cache that is filled, and what is fetched ahead, is complete one day, however many files it has. */
function mayGoOn(verdict: Verdict | undefined): boolean {
  if (verdict === undefined) return false;
  const { goesOn, watched } = KINDS[verdict.kind];
  return goesOn && watched !== 'until-used';
}

/** Do requests come back before a quiet window is over, and may the next one still come? One interval is no rhythm yet. */
export function breaksEverySilence(requests: readonly Request[], timeline: Timeline, quietWindow: Ms): boolean {
  return requests.length > 2 && rhythmOf(requests).period < quietWindow && isAlive(requests, timeline);
}
