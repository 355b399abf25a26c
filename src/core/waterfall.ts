import type { Policy, Verdict } from '../model/background/verdict.ts';
import type { ResourceTiming } from '../model/network/network.ts';
import type { Request } from '../model/network/timeline.ts';
import type { Visit } from '../model/network/visit.ts';
import type {
  MilestoneFact,
  MilestoneName,
  Phase,
  PhaseName,
  RowOutcome,
  WaterfallFacts,
  WaterfallRowFacts,
} from '../model/result/report.ts';
import type { Ms } from '../model/units.ts';
import { provingWindow } from './completion/expected.ts';
import { rawFacts } from './measure.ts';
import { criticalRequestsOf } from './path/critical-path.ts';
import { isBlocking } from './rendering/blocking.ts';
import { nameOfTask } from './rendering/long-frames.ts';
import { bandwidthOf } from './requests/bandwidth.ts';
import { type Initiators, initiatorsOf } from './requests/initiators.ts';
import { cutTo } from './text/cut-to.ts';
import { defined } from './text/defined.ts';
import { completedAt } from './time/completed-at.ts';

/** What a waterfall of this visit shows. */
export function waterfallOf(visit: Visit, policy: Policy, run: number): WaterfallFacts {
  const { timeline, verdicts, complete } = visit;
  const initiators = initiatorsOf(timeline);
  const longTasks = longTasksOf(visit);
  const bandwidth = bandwidthOf(timeline, completedAt(complete));
  const largestPaint = timeline.marks.findLast(({ name }) => name === 'largest-contentful-paint')?.url;
  const critical = criticalRequestsOf(visit).map(({ request }) => request.id);
  return {
    run,
    rows: timeline.requests.map((request) => ({
      ...rowOf(request, verdicts.get(request.id), initiators, timeline.observedUntil),
      ...(request.type === 'image' && request.url === largestPaint && { largestPaint: true }),
    })),
    milestones: milestonesOf(visit),
    raw: rawOf(visit, policy),
    ...(longTasks && { longTasks }),
    ...(bandwidth && { bandwidth }),
    ...(critical.length > 0 && { critical }),
    ...(complete.state === 'complete' &&
      policy.completeOn === undefined && {
        quietWindow: { from: complete.decidedAt - provingWindow(complete, policy), to: complete.decidedAt },
      }),
    observedUntil: timeline.observedUntil,
  };
}

function rawOf(visit: Visit, policy: Policy): NonNullable<WaterfallFacts['raw']> {
  const { state, at } = rawFacts(visit, policy);
  return defined({ state, at });
}

function longTasksOf({ recording: { page } }: Visit): WaterfallFacts['longTasks'] {
  return page?.longTasks?.map((task) => {
    const name = nameOfTask(task, page.longFrames);
    return { from: task.at, to: task.at + task.duration, ...(name && { name }) };
  });
}

function rowOf(
  request: Request,
  verdict: Verdict | undefined,
  initiators: Initiators,
  observedUntil: Ms,
): WaterfallRowFacts {
  const endsAt = request.endedAt ?? Math.max(observedUntil, request.startedAt);
  const outcome = outcomeOf(request);
  const { response } = request;
  const askedBy = initiators(request)?.request;
  return {
    id: request.id,
    url: request.url,
    method: request.method,
    type: request.type,
    startedAt: request.startedAt,
    endsAt,
    open: request.endedAt === undefined,
    failed: request.outcome === 'failed' || (response?.status ?? 0) >= 400,
    phases: phasesOf(request, endsAt),
    chunks: [...request.chunks, ...request.messages].map((piece) => piece.at).sort((a, b) => a - b),
    contentSize: request.contentSize,
    ...(outcome && { outcome }),
    ...(response && { status: response.status, mimeType: response.mimeType }),
    ...(response?.protocol !== undefined && { protocol: response.protocol }),
    ...(request.transferSize !== undefined && { transferSize: request.transferSize }),
    ...fromCacheOf(request),
    ...(request.priority !== undefined && { priority: request.priority }),
    ...(isBlocking(request, initiators) && { renderBlocking: true }),
    ...headersOf(request),
    ...initiatorOf(request),
    ...(askedBy && { initiatorRow: askedBy.id }),
    ...(verdict && {
      background: {
        kind: verdict.kind,
        reason: verdict.reason,
        confidence: verdict.confidence,
        ...(verdict.counts && { countsUntil: Math.min(verdict.counts.to ?? endsAt, endsAt) }),
      },
    }),
  };
}

/** How a request ended; undefined when it simply finished. */
function outcomeOf(request: Request): RowOutcome | undefined {
  if (request.fromPreviousDocument) return { code: 'previous-document' };
  const { outcome, response } = request;
  switch (outcome) {
    case 'finished':
      return undefined;
    case 'open':
      return { code: response ? 'open' : 'unanswered' };
    case 'redirected':
      return { code: outcome, ...defined({ to: response?.redirectUrl }) };
    case 'canceled':
    case 'failed':
      return { code: outcome, ...defined({ error: request.error }) };
    case 'lost':
    case 'blocked':
      return { code: outcome };
  }
}

function fromCacheOf(request: Request): Pick<WaterfallRowFacts, 'fromCache'> {
  if (request.response?.fromServiceWorker) return { fromCache: 'service-worker' };
  return defined({ fromCache: request.response?.fromCache });
}

/**
 * Headers of answers that reports show: how long a browser may keep it, how it was packed, and who answered. None of them
 * holds a secret; all others are in the HAR.
 */
const SHOWN_HEADERS: ReadonlySet<string> = new Set(
  `age cache-control cdn-cache-control cf-cache-status content-encoding content-length content-type expires last-modified
   link server server-timing timing-allow-origin vary via x-cache x-served-by`.split(/\s+/),
);
/** Longest value that is shown: a `link` header may name a hundred files. */
const LONGEST_HEADER = 300;

function headersOf({ response }: Request): Pick<WaterfallRowFacts, 'headers'> {
  const headers = (response?.headers ?? []).flatMap(({ name, value }) =>
    SHOWN_HEADERS.has(name.toLowerCase()) ? [{ name: name.toLowerCase(), value: cutTo(value, LONGEST_HEADER) }] : [],
  );
  return headers.length === 0 ? {} : { headers };
}

function initiatorOf({ initiator }: Request): { initiator?: string } {
  if (!initiator) return {};
  const where =
    initiator.url === undefined ? '' : ` ${initiator.url}${initiator.line === undefined ? '' : `:${initiator.line}`}`;
  return { initiator: `${initiator.type}${where}` };
}

/** The steps of a request in order; they cover it without gaps. */
function phasesOf(request: Request, endsAt: Ms): readonly Phase[] {
  const steps = request.timing ? stepsOf(request.timing) : [];
  const phases: Phase[] = [];
  let from = request.startedAt;
  const until = (name: PhaseName, to: Ms | undefined): void => {
    if (to === undefined || to <= from) return;
    const end = Math.min(to, endsAt);
    if (end > from) phases.push({ name, from, to: end });
    from = Math.max(from, end);
  };
  for (const [name, to] of steps) until(name, to);
  const answered = request.timing?.headersEnd ?? request.response?.at;
  until('wait', answered ?? endsAt);
  until('receive', endsAt);
  return phases;
}

/** Each step with the moment at which it was over; what lies between named steps is stalling. */
function stepsOf(timing: ResourceTiming): readonly (readonly [PhaseName, Ms | undefined])[] {
  return [
    ['queue', timing.requestedAt],
    ['stall', timing.dnsStart],
    ['dns', timing.dnsEnd],
    ['stall', timing.connectStart],
    ['connect', timing.sslStart ?? timing.connectEnd],
    ['ssl', timing.sslEnd],
    ['connect', timing.connectEnd],
    ['stall', timing.sendStart],
    ['send', timing.sendEnd],
  ];
}

const MILESTONES: ReadonlySet<string> = new Set<MilestoneName>([
  'first-contentful-paint',
  'largest-contentful-paint',
  'dom-content-loaded',
  'load',
  'complete-on',
  'action-end',
]);
const isMilestone = (name: string): name is MilestoneName => MILESTONES.has(name);

function milestonesOf({ timeline, complete }: Visit): readonly MilestoneFact[] {
  // Of several marks of a name (paint candidates, documents of a redirect) the last is the one that counts.
  const last = new Map(timeline.marks.map((mark) => [mark.name, mark.at] as const));
  const marks = [...last].flatMap(([name, at]) => (isMilestone(name) ? [{ name, at }] : []));
  return complete.state === 'complete' ? [...marks, { name: 'page-complete', at: complete.at }] : marks;
}
