import type { Recording } from '../model/recording.ts';
import type { BackgroundEndpoint, Finding, PageCompleteResult, RunResult } from '../model/result.ts';
import type { Request } from '../model/timeline.ts';
import type { PageComplete, Policy } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';
import { backgroundEndpoints } from './background/endpoints.ts';
import { classify } from './background/index.ts';
import { breakdownOf } from './breakdown.ts';
import { ENDED, judge, judgeRaw } from './complete.ts';
import { metrics } from './metrics/index.ts';
import { nameOf } from './sentences.ts';
import { toMicroseconds } from './time.ts';
import { foldTimeline } from './timeline/fold.ts';

/** Folds and judges a finished recording. */
export function visitOf(recording: Recording, policy: Policy): Visit {
  const timeline = foldTimeline(recording.events, recording.marks, recording.observedUntil);
  return {
    recording,
    timeline,
    verdicts: classify(timeline, policy),
    complete: judge(timeline, policy, ENDED),
    raw: judgeRaw(timeline, policy, ENDED),
  };
}

/** What a run's measured part consists of. */
export type Measurement = Required<Pick<RunResult, 'pageComplete' | 'metrics' | 'background' | 'findings'>> &
  Pick<RunResult, 'breakdown'>;

/** Everything that a result says of one visit. */
export function measure(visit: Visit, policy: Policy): Measurement {
  const values: Record<string, number> = {};
  for (const metric of metrics) {
    const value = metric.read(visit);
    if (value !== undefined) values[metric.name] = metric.unit === 'ms' ? toMicroseconds(value) : value;
  }
  const breakdown = breakdownOf(visit);
  const background = backgroundEndpoints(visit, policy);
  return {
    pageComplete: pageCompleteResult(visit, policy, background),
    metrics: values,
    ...(breakdown && { breakdown }),
    background,
    findings: findingsOf(visit),
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
    raw: rawResult(visit, background),
    waitingFor: 'waitingFor' in complete ? complete.waitingFor : [],
  };
}

/** A silence that one endpoint alone would break for ever, all of them together break too. */
function rawResult({ raw }: Visit, background: readonly BackgroundEndpoint[]): PageCompleteResult['raw'] {
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
  if (policy.completeOn !== undefined) return `the page's own mark was met: ${policy.completeOn}`;
  if (complete.at > complete.networkAt) return 'the largest content was painted';
  const last = timeline.requests.find((each) => each.endedAt === complete.at && !verdicts.has(each.id));
  if (last) return `the last response it needed had come, ${nameOf(last.url, recording.navigation.url)}`;
  const mark = timeline.marks.find((each) => each.at === complete.at);
  return mark?.name === 'dom-content-loaded' ? 'its document was parsed' : 'its load event was over';
}

function findingsOf(visit: Visit): readonly Finding[] {
  const { recording, complete } = visit;
  const findings: Finding[] = recording.incidents.map(({ code, message }) => ({ code, message, urls: [] }));
  if (complete.state === 'complete' && complete.withoutLoadEvent) {
    findings.push({
      code: 'load-event-held',
      message: 'The load event never fired: background requests held it up. Page-complete was computed without it.',
      urls: complete.withoutLoadEvent,
    });
  }
  const broken = brokenRequests(visit);
  if (broken.length > 0) {
    const many = broken.length === 1 ? 'A request' : `${broken.length} requests`;
    findings.push({
      code: 'broken-request',
      message: `${many} of the page failed: times of a broken page are not times of the page.`,
      urls: [...new Set(broken.map((request) => request.url))],
    });
  }
  return findings;
}

/** What the page asked for and did not get. What it gave up itself, and background, is no fault of the page's. */
function brokenRequests({ timeline, verdicts }: Visit): readonly Request[] {
  return timeline.requests.filter(
    (request) =>
      !verdicts.has(request.id) &&
      !request.fromPreviousDocument &&
      (request.outcome === 'failed' || (request.response?.status ?? 0) >= 400),
  );
}
