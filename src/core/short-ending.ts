import type { Policy } from '../model/background/verdict.ts';
import type { PageComplete } from '../model/completion/completion.ts';
import type { ExpectedContent } from '../model/completion/expected.ts';
import type { Visit } from '../model/network/visit.ts';
import type { Recording } from '../model/recording/recording.ts';
import type { Ms } from '../model/units.ts';
import { visitOf } from './measure.ts';
import { ONE_MOMENT_MS } from './time/lags.ts';

/**
 * Would a load have given another answer, had it ended when what was expected of it had come?
 *
 * @param whole the load, watched for the whole window
 */
export function shortEndingMisses(whole: Visit, policy: Policy, expected: ExpectedContent): boolean {
  const short = endedShort(whole.recording, { ...policy, expected });
  if (short === undefined || whole.complete.state !== 'complete') return false;
  return Math.round(short.at) !== Math.round(whole.complete.at);
}

/**
 * The answer of the load cut off where a short ending ends it: after the silence, or when what looks like background has been
 * watched for long enough. Undefined where it is watched for the whole window.
 */
export function endedShort(
  recording: Recording,
  policy: Policy,
): Pick<Extract<PageComplete, { state: 'complete' }>, 'at' | 'decidedAt'> | undefined {
  const { complete } = visitOf(recording, policy);
  if (complete.state !== 'complete' || complete.decidedBy === undefined) return undefined;
  for (let until = complete.decidedAt; until < recording.observedUntil; until += ONE_MOMENT_MS) {
    const cut = visitOf(cutAt(recording, until), policy).complete;
    if (cut.state === 'complete') return cut.decidedBy === undefined ? undefined : cut;
  }
  return undefined;
}

/** A recording as if watching had ended then. */
export function cutAt(recording: Recording, until: Ms): Recording {
  return {
    ...recording,
    events: recording.events.filter(({ at }) => at <= until),
    marks: recording.marks.filter(({ at }) => at <= until),
    observedUntil: until,
  };
}
