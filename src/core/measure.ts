import type { Recording } from '../model/recording.ts';
import type { BackgroundEndpoint, PageCompleteResult, RunResult } from '../model/result.ts';
import type { PageComplete, Policy } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';
import { backgroundEndpoints } from './background/endpoints.ts';
import { classify } from './background/index.ts';
import { count, duration } from './background/words.ts';
import { breakdownOf } from './breakdown.ts';
import { ENDED, judgeClassified, judgeRaw } from './complete.ts';
import { measuredNetwork, networkFindings } from './conditions/measured.ts';
import { criticalPathOf } from './critical-path.ts';
import { findingsOf } from './findings.ts';
import { totalsByType } from './metrics/by-type.ts';
import { metrics } from './metrics/index.ts';
import { nameOf, OWN_MARK } from './sentences.ts';
import { toMicroseconds } from './time.ts';
import { foldTimeline } from './timeline/fold.ts';

/** Folds and judges a finished recording. */
export function visitOf(recording: Recording, policy: Policy): Visit {
  const timeline = foldTimeline(recording.events, recording.marks, recording.observedUntil);
  const classification = classify(timeline, policy);
  return {
    recording,
    timeline,
    ...classification,
    complete: judgeClassified(classification.verdicts, timeline, policy, ENDED),
    raw: judgeRaw(timeline, policy, ENDED),
  };
}

/** What a run's measured part consists of. */
export type Measurement = Required<Pick<RunResult, 'pageComplete' | 'metrics' | 'background' | 'findings'>> &
  Pick<RunResult, 'breakdown' | 'criticalPath' | 'byType' | 'network'>;

/** Everything that a result says of one visit. */
export function measure(visit: Visit, policy: Policy): Measurement {
  const values: Record<string, number> = {};
  for (const metric of metrics) {
    const value = metric.read(visit);
    if (value !== undefined) values[metric.name] = metric.unit === 'ms' ? toMicroseconds(value) : value;
  }
  const breakdown = breakdownOf(visit);
  const criticalPath = criticalPathOf(visit);
  const byType = totalsByType(visit);
  const background = backgroundEndpoints(visit, policy);
  const asked = visit.recording.navigation.network;
  const got = asked && measuredNetwork(visit.timeline, visit.verdicts, asked);
  return {
    pageComplete: pageCompleteResult(visit, policy, background),
    metrics: values,
    ...(breakdown && { breakdown }),
    ...(criticalPath && { criticalPath }),
    ...(byType && { byType }),
    background,
    findings: [...findingsOf(visit, background, policy), ...(asked ? networkFindings(asked, got) : [])],
    ...(got && { network: got }),
  };
}

function pageCompleteResult(
  visit: Visit,
  policy: Policy,
  background: readonly BackgroundEndpoint[],
): PageCompleteResult {
  const { complete, timeline } = visit;
  return {
    ...stateOf(complete),
    ...(complete.state === 'complete' && {
      networkAt: complete.networkAt,
      decidedAt: complete.decidedAt,
      because: whatSetIt(visit, policy),
      ...(complete.withoutLoadEvent && { withoutLoadEvent: complete.withoutLoadEvent }),
    }),
    observedUntil: timeline.observedUntil,
    watchedBecause: watchedBecause(visit, policy),
    raw: rawResult(visit, background),
    waitingFor: 'waitingFor' in complete ? complete.waitingFor : [],
  };
}

/**
 * What plain quiescence says of a visit. A silence that one of the flagged endpoints alone would break for ever, all of
 * them together break too.
 */
export function rawResult({ raw }: Visit, background: readonly BackgroundEndpoint[]): PageCompleteResult['raw'] {
  const endless = background.filter((each) => each.countedState === 'never').map((each) => each.endpoint);
  if (raw.state === 'unconfirmed' && endless.length > 0) return { state: 'never', waitingFor: endless };
  return { ...stateOf(raw), ...('waitingFor' in raw && { waitingFor: raw.waitingFor }) };
}

function stateOf(answer: PageComplete): { state: 'complete' | 'unconfirmed' | 'never'; at?: number } {
  // A finished recording is never pending; were it so, nothing would be confirmed.
  if (answer.state === 'pending') return { state: 'unconfirmed' };
  if (answer.state === 'never') return { state: 'never' };
  return { state: answer.state, ...(answer.at !== undefined && { at: answer.at }) };
}

/** What happened at the very moment that page-complete names, as a clause. */
function whatSetIt({ recording, timeline, verdicts, complete }: Visit, policy: Policy): string {
  if (complete.state !== 'complete') return '';
  if (policy.completeOn !== undefined) return `${OWN_MARK}: ${policy.completeOn}`;
  if (complete.at > complete.networkAt) return 'the largest content was painted';
  const last = timeline.requests.find((each) => each.endedAt === complete.at && !verdicts.has(each.id));
  if (last) return `the last response it needed had come, ${nameOf(last.url, recording.navigation.url)}`;
  const part = timeline.requests.find((each) => verdicts.get(each.id)?.counts?.to === complete.at);
  if (part) return `the content that a stream brought had come, ${nameOf(part.url, recording.navigation.url)}`;
  const mark = timeline.marks.find((each) => each.at === complete.at);
  if (mark?.name === 'action-end') return 'what the script did in it was over';
  return mark?.name === 'dom-content-loaded' ? 'its document was parsed' : 'its load event was over';
}

/** Why it was watched as long as it was: what the answer needed, beyond the quiet window, and whether that came. */
function watchedBecause({ complete, timeline, recording }: Visit, policy: Policy): string {
  const { observedUntil } = timeline;
  if (complete.state !== 'complete') {
    return observedUntil >= policy.timeout ? 'the limit was reached' : 'the recording ends there';
  }
  if (policy.completeOn !== undefined) return OWN_MARK;
  const window = `the quiet window of ${duration(policy.quietWindow)}`;
  if (complete.extended === undefined) return window;
  const [first, ...others] = complete.extended;
  if (first === undefined) return window;
  const more = others.length === 0 ? '' : ` and ${count(others.length, 'other question')}`;
  return `${window}, and it had to be seen ${nameOf(first.why, recording.navigation.url)}${more}`;
}
