import type { Policy } from '../model/background/verdict.ts';
import type { CompletionReason, PageComplete, WatchReason } from '../model/completion/completion.ts';
import type { KnownOfPage, Metric, Visit } from '../model/network/visit.ts';
import type { Recording } from '../model/recording/recording.ts';
import type { CriticalPathFacts, PageCompleteFacts, RawFacts, RunFacts } from '../model/result/run-facts.ts';
import type { Ms } from '../model/units.ts';
import { comesToAnEnd, rulesComeToAnEnd } from './background/comes-to-an-end.ts';
import { classify } from './background/index.ts';
import { backgroundEndpoints } from './background-facts.ts';
import { FINISHED, judgeClassified, judgeRawFinished, judgeWith } from './completion/complete.ts';
import { answerOfForeign } from './completion/estimate.ts';
import { provingWindow } from './completion/expected.ts';
import { isBlank } from './completion/idleness.ts';
import { endsAnimated } from './completion/last-change.ts';
import { asWaitedFor, largerPart } from './completion/mostly-complete.ts';
import { limitExceeded } from './conditions/limit-exceeded.ts';
import { measuredNetwork, networkFindings } from './conditions/measured.ts';
import { completeOnPhone } from './elsewhere.ts';
import { findingsOf } from './findings.ts';
import { fixesOf } from './fixes/index.ts';
import { slowestInteraction } from './metrics/interaction-to-next-paint.ts';
import { metricsWith } from './metrics/own/index.ts';
import { missingMetrics } from './metrics/own/missing.ts';
import { totalsBySite, totalsByType } from './metrics/totals.ts';
import { breakdownOf } from './path/breakdown.ts';
import { type CriticalRequest, criticalPathOf, criticalRequestsOf } from './path/critical-path.ts';
import { mainThreadSpans, stolenOnPath } from './path/stolen-time.ts';
import { blockingScripts, longestFrame } from './rendering/long-frames.ts';
import { largestPaintOf, largestShiftsOf } from './rendering/painted.ts';
import { defined } from './text/defined.ts';
import { toMicroseconds } from './time/time.ts';
import { withoutBlocked } from './timeline/blocked.ts';
import { marksOfDocument } from './timeline/document-marks.ts';
import { isFailed } from './timeline/failed.ts';
import { foldTimeline } from './timeline/fold.ts';

/** Folds and judges a finished recording. */
export function visitOf(recording: Recording, policy: Policy, known?: KnownOfPage): Visit {
  const timeline = foldTimeline(recording.events, recording.marks, recording.observedUntil);
  const classification = classify(timeline, policy);
  const { verdicts } = classification;
  const judged = judgeClassified(verdicts, timeline, policy, FINISHED);
  // The file of another tool ends when its user had enough: nothing in it is known to go on.
  const goingOn = recording.foreign ? { ...classification, verdicts: new Map() } : classification;
  const raw = judgeRawFinished(goingOn, timeline, policy);
  const complete = recording.foreign ? answerOfForeign(judged, verdicts, timeline, policy, recording.foreign) : judged;
  const larger = largerPart({ timeline, verdicts, complete }, policy);
  return { recording, timeline, ...classification, complete, raw, ...defined({ known, larger }) };
}

/** The same while the page is still watched for what may come of it: as if nothing more came. */
export function visitSoFar(recording: Recording, policy: Policy): Visit {
  const visit = visitOf(recording, policy);
  const complete = judgeWith(visit.verdicts, withoutBlocked(visit.timeline), policy, FINISHED);
  return complete.state === 'complete' ? { ...visit, complete } : visit;
}

/** Everything that is measured of one visit. */
export function measure(visit: Visit, policy: Policy): RunFacts {
  const values: Record<string, number> = {};
  const own = visit.recording.navigation.metrics;
  const metrics = metricsWith(own);
  for (const metric of metrics) {
    const value = metric.read(visit);
    if (value !== undefined) values[metric.name] = metric.unit === 'ms' ? toMicroseconds(value) : value;
  }
  const breakdown = breakdownOf(visit);
  const chain = criticalRequestsOf(visit);
  const wholePath = criticalPathOf(visit, chain);
  const undisturbed = wholePath && undisturbedMoments({ visit, values, metrics }, wholePath, chain);
  const waitedFor = asWaitedFor(visit);
  const criticalPath = visit.larger ? criticalPathOf(waitedFor) : wholePath;
  const byType = totalsByType(visit);
  const bySite = totalsBySite(visit);
  const background = backgroundEndpoints(visit, policy);
  const asked = visit.recording.navigation.network;
  const completeAt = visit.complete.state === 'complete' ? visit.complete.at : visit.timeline.observedUntil;
  const got = asked && measuredNetwork(visit.timeline, visit.verdicts, asked);
  return defined({
    pageComplete: {
      ...pageCompleteFacts(visit, policy),
      ...defined({ undisturbed: undisturbed?.pageComplete }),
    },
    metrics: values,
    undisturbed,
    onPhone: completeOnPhone(waitedFor),
    breakdown,
    ...(criticalPath && { criticalPath }),
    byType,
    bySite,
    largestContentfulPaint: largestPaintOf(visit),
    layoutShifts: largestShiftsOf(visit),
    interaction: slowestInteraction(visit),
    blockingScripts: blockingScripts(visit),
    longestFrame: longestFrame(visit),
    background,
    findings: [
      ...findingsOf(visit, background, policy),
      ...missingMetrics(visit, values),
      ...(asked ? [...networkFindings(asked, got), ...limitExceeded(visit.timeline, asked, completeAt)] : []),
      ...fixesOf(waitedFor),
    ],
    network: got,
  });
}

/** The moments of a load without the stolen time that made them later; undefined where nothing tells what was stolen. */
function undisturbedMoments(
  {
    visit,
    values,
    metrics,
  }: {
    readonly visit: Visit;
    readonly values: Readonly<Partial<Record<string, number>>>;
    readonly metrics: readonly Metric[];
  },
  criticalPath: CriticalPathFacts,
  chain: readonly CriticalRequest[],
): RunFacts['undisturbed'] {
  const { recording, complete } = visit;
  if (complete.state !== 'complete') return undefined;
  // How much of the rest the page computed before its animation began is not known.
  const path = endsAnimated(visit) ? { ...criticalPath, rest: 0 } : criticalPath;
  const spans = mainThreadSpans(path, chain, recording.frameThreads);
  const moments = metrics.flatMap(({ name, isMoment }) => {
    const at = values[name];
    // What the path was beyond page complete is not known.
    if (!isMoment || at === undefined || at > complete.at) return [];
    const stolen = stolenOnPath(spans, recording, at);
    return stolen === undefined ? [] : [[name, toMicroseconds(at - stolen)] as const];
  });
  return moments.length === 0 ? undefined : Object.fromEntries(moments);
}

function pageCompleteFacts(visit: Visit, policy: Policy): PageCompleteFacts {
  const { complete, timeline } = visit;
  return {
    ...stateOf(complete),
    ...(complete.state === 'complete' &&
      defined({
        networkAt: complete.networkAt,
        decidedAt: complete.decidedAt,
        decidedBy: policy.completeOn === undefined ? (complete.decidedBy ?? 'quiet-window') : 'mark',
        reason: completionReason(visit, complete, policy),
        withoutLoadEvent: complete.withoutLoadEvent,
      })),
    observedUntil: timeline.observedUntil,
    watchedReason: watchReason(visit, policy),
    raw: rawFacts(visit, policy),
    waitingForFacts: 'waitingFor' in complete ? complete.waitingFor : [],
  };
}

/** What network idle says of a visit. */
export function rawFacts(
  { complete, raw, recording, verdicts }: Visit,
  { completeOn, learnt = [], expected }: Pick<Policy, 'completeOn' | 'learnt' | 'expected'>,
): RawFacts {
  // Where nothing was left out that goes on, the silence that proves the one proves the other. A load that ended early may have
  // been left before what other loads saw to go on, or to come later, was asked for.
  const isLeft =
    complete.state === 'complete' &&
    complete.decidedBy === 'expected-content' &&
    (expected?.busyLater === true || !rulesComeToAnEnd(learnt));
  const isCalm =
    complete.state === 'complete' &&
    completeOn === undefined &&
    !recording.foreign &&
    !isLeft &&
    comesToAnEnd(verdicts);
  if (isCalm && raw.state === 'unconfirmed' && raw.at !== undefined) return { state: 'complete', at: raw.at };
  return { ...stateOf(raw), ...('waitingFor' in raw && { waitingForFacts: raw.waitingFor }) };
}

function stateOf(answer: PageComplete): { state: 'complete' | 'unconfirmed' | 'never'; at?: number } {
  // A finished recording is never pending; were it so, nothing would be confirmed.
  if (answer.state === 'pending') return { state: 'unconfirmed' };
  if (answer.state === 'never') return { state: 'never' };
  return defined({ state: answer.state, at: answer.at });
}

/** What happened at the very moment that page-complete names. */
function completionReason(
  { timeline, verdicts }: Visit,
  { at, networkAt }: { readonly at: Ms; readonly networkAt: Ms },
  { completeOn }: Policy,
): CompletionReason {
  if (completeOn !== undefined) return { code: 'mark', completeOn };
  if (at > networkAt) {
    const painted = timeline.marks.find((each) => each.at === at);
    if (painted?.name === 'content-drawn') return { code: 'drawn' };
    return { code: painted?.name === 'first-contentful-paint' ? 'first-paint' : 'paint' };
  }
  const last = timeline.requests.find((each) => each.endedAt === at && !verdicts.has(each.id));
  if (last) return { code: 'response', url: last.url, ...(isFailed(last) && { failed: true }) };
  const part = timeline.requests.find((each) => verdicts.get(each.id)?.counts?.to === at);
  if (part) return { code: 'stream-content', url: part.url };
  const mark = timeline.marks.find((each) => each.at === at);
  if (mark?.name === 'action-end') return { code: 'action' };
  return { code: mark?.name === 'dom-content-loaded' ? 'dom-content-loaded' : 'load' };
}

/** Why it was watched as long as it was: what the answer needed, beyond the quiet window, and whether that came. */
function watchReason({ complete, timeline, recording }: Visit, policy: Policy): WatchReason {
  const { timeout, completeOn } = policy;
  if (complete.state !== 'complete') {
    // No limit of ours ends the recording of another tool.
    const isLimit = timeline.observedUntil >= timeout && recording.foreign === undefined;
    return { code: isLimit ? 'limit' : 'recording-ends' };
  }
  if (completeOn !== undefined) return { code: 'mark' };
  if (complete.decidedBy === undefined && isBlank(marksOfDocument(timeline))) return { code: 'first-paint' };
  const questions = complete.extended?.map(({ question }) => question);
  return defined({
    code: complete.decidedBy ?? 'quiet-window',
    quietWindow: provingWindow(complete, policy),
    questions,
  });
}
