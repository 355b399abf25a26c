import { type BackgroundKind, KINDS } from '../../model/background-kinds.ts';
import type { ContentPattern, ExpectedContent } from '../../model/expected.ts';
import type { FrameThread, MainThreadSample, WorkerThread } from '../../model/recording.ts';
import type { RunRole } from '../../model/result.ts';
import type { Mark } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import {
  type AwaitedContent,
  type Confidence,
  type ContentShape,
  type EndpointRule,
  type Observation,
  type Policy,
  type ResultShape,
  type Span,
  type Verdict,
  type VisualImpact,
} from '../../model/verdict.ts';
import { CONTENT_COUNTS } from '../background/stream-content.ts';
import { DEFAULT_POLICY } from '../default-policy.ts';
import { defined } from '../defined.ts';
import { duration, type Fields, fields, finite, list, moment, optional, positive, text } from '../har-fields.ts';
import { boxOf } from '../page-timings.ts';

const MARKS: ReadonlySet<string> = new Set<Mark['name']>([
  'navigation-start',
  'document-commit',
  'dom-content-loaded',
  'load',
  'first-paint',
  'first-contentful-paint',
  'largest-contentful-paint',
  'complete-on',
  'script-parsed',
  'main-thread-busy',
  'other-thread-busy',
  'content-visible',
  'content-drawn',
  'same-without',
  'step-start',
  'action-end',
]);

/** The milestones of a page. Times of other tools count from the date of their page, `shift` ms before its navigation. */
export function marksOf(page: Fields, shift: Ms): readonly Mark[] {
  if (Array.isArray(page._marks)) {
    return page._marks.map(fields).flatMap((mark): Mark[] => {
      const name = text(mark.name) ?? '';
      const at = moment(mark.at);
      if (!MARKS.has(name) || at === undefined) return [];
      return [
        {
          name: name as Mark['name'],
          at,
          ...optional('since', moment(mark.since)),
          ...optional('loaderId', text(mark.loaderId)),
          ...optional('detail', text(mark.detail)),
          ...optional('url', text(mark.url)),
          ...optional('box', boxOf(mark.box)),
        },
      ];
    });
  }
  const timings = fields(page.pageTimings);
  /** The first that is known; nothing of a page happens at 0, which some tools write for "not known". */
  const first = (...values: readonly unknown[]): Ms | undefined => {
    const at = values.map(duration).find((value) => value !== undefined && value - shift > 0);
    return at === undefined ? undefined : at - shift;
  };
  const marks: readonly { readonly name: Mark['name']; readonly at: Ms | undefined }[] = [
    { name: 'dom-content-loaded', at: first(timings.onContentLoad, page._domContentLoadedEventEnd) },
    { name: 'load', at: first(timings.onLoad, page._loadEventEnd) },
    {
      name: 'first-contentful-paint',
      at: first(timings._firstContentfulPaint, page._firstContentfulPaint),
    },
    {
      name: 'largest-contentful-paint',
      at: first(timings._largestContentfulPaint, page['_chromeUserTiming.LargestContentfulPaint']),
    },
  ];
  return marks.flatMap(({ name, at }) => (at === undefined ? [] : [{ name, at }]));
}

/** With which a recording was judged, when that is said. */
export function policyOf(value: unknown): Policy | undefined {
  const policy = fields(value);
  const quietWindow = duration(policy.quietWindow);
  const maxInflight = positive(policy.maxInflight);
  const timeout = duration(policy.timeout);
  if (quietWindow === undefined || maxInflight === undefined || timeout === undefined) return undefined;
  return {
    quietWindow,
    maxInflight,
    timeout,
    observation: observationOf(policy.observation),
    background: list(policy.background).filter((item) => typeof item === 'string'),
    foreground: list(policy.foreground).filter((item) => typeof item === 'string'),
    ...optional('completeOn', text(policy.completeOn)),
    ...(Array.isArray(policy.learnt) && { learnt: policy.learnt.flatMap(learntOf) }),
    ...optional('expected', expectedOf(policy.expected)),
    ...(Array.isArray(policy.awaited) && { awaited: policy.awaited.map(awaitedOf) }),
    ...(policy.thorough === true && { thorough: true }),
  };
}

function awaitedOf(value: unknown): AwaitedContent {
  const { endpoint, by } = fields(value);
  return { endpoint: text(endpoint) ?? '', by: positive(by) ?? 0 };
}

function expectedOf(value: unknown): ExpectedContent | undefined {
  const stored = fields(value);
  const quietWindow = duration(stored.quietWindow);
  if (quietWindow === undefined || !Array.isArray(stored.patterns)) return undefined;
  const patterns = stored.patterns.map(patternOf);
  return { quietWindow, patterns, ...(stored.busyLater === true && { busyLater: true }) };
}

function patternOf(value: unknown): ContentPattern {
  const stored = fields(value);
  return {
    requests: list(stored.requests).map((each) => {
      const { endpoint, count, failed, bytes, parts } = fields(each);
      return {
        endpoint: text(endpoint) ?? '',
        count: positive(count) ?? 0,
        failed: positive(failed) ?? 0,
        bytes: positive(bytes) ?? 0,
        ...optional('parts', positive(parts)),
      };
    }),
    ...optional('largest', text(stored.largest)),
    ...(stored.withoutLoadEvent === true && { withoutLoadEvent: true }),
    ...(stored.blank === true && { blank: true }),
  };
}

/** How long suspects were watched; what earlier versions did not write down never differed. */
function observationOf(value: unknown): Observation {
  const stored = fields(value);
  const usual = DEFAULT_POLICY.observation;
  return {
    suspectMs: duration(stored.suspectMs) ?? usual.suspectMs,
    silentMs: duration(stored.silentMs) ?? usual.silentMs,
    thoroughMs: duration(stored.thoroughMs) ?? usual.thoroughMs,
    thoroughSilentMs: duration(stored.thoroughSilentMs) ?? usual.thoroughSilentMs,
    thoroughWatchMs: duration(stored.thoroughWatchMs) ?? usual.thoroughWatchMs,
    longestPeriodMs: duration(stored.longestPeriodMs) ?? usual.longestPeriodMs,
  };
}

const IMPACTS: readonly VisualImpact[] = ['none', 'first-content', 'continuous', 'unknown'];

function contentShapeOf(value: unknown): readonly ContentShape[] {
  const stored = fields(value);
  const shape = text(stored.shape);
  const counts = CONTENT_COUNTS.find((each) => each === stored.counts);
  if (shape === undefined || counts === undefined) return [];
  return [
    {
      shape,
      counts,
      ...optional('about', text(stored.about)),
      ...optional('by', finite(stored.by)),
    },
  ];
}

function resultShapeOf(value: unknown): ResultShape | undefined {
  const stored = fields(value);
  const [status, bytes, by] = [finite(stored.status), finite(stored.bytes), finite(stored.by)];
  if (status === undefined || bytes === undefined || by === undefined) return undefined;
  return { status, bytes, by };
}

function learntOf(value: unknown): readonly EndpointRule[] {
  const learnt = fields(value);
  const endpoint = text(learnt.endpoint);
  const kind = kindOf(learnt.kind);
  if (endpoint === undefined || (learnt.kind !== undefined && kind === undefined)) return [];
  const fixed = Object.entries(fields(learnt.fixed)).filter(
    (pair): pair is [string, string] => text(pair[1]) !== undefined,
  );
  return [
    {
      endpoint,
      ...(fixed.length > 0 && { fixed: Object.fromEntries(fixed) }),
      ...optional('kind', kind),
      ...optional('contentParts', finite(learnt.contentParts)),
      ...(Array.isArray(learnt.content) && { content: learnt.content.flatMap(contentShapeOf) }),
      ...optional('result', resultShapeOf(learnt.result)),
      ...optional('lasted', finite(learnt.lasted)),
      ...(learnt.small === true && { small: true }),
      ...optional(
        'impact',
        IMPACTS.find((impact) => impact === learnt.impact),
      ),
      reason: { code: 'recorded', text: text(learnt.because) ?? '' },
      confidence: confidenceOf(learnt.confidence),
    },
  ];
}

const ROLES: ReadonlySet<string> = new Set<RunRole>(['timed', 'evidence', 'ablation', 'profiled', 'discarded']);

/** What the run was for, when that is said. */
export function roleOf(value: unknown): RunRole | undefined {
  return typeof value === 'string' && ROLES.has(value) ? (value as RunRole) : undefined;
}

/** How a recording was judged when it was made. */
export function verdictsOf(value: readonly unknown[]): readonly Verdict[] {
  return value.map(fields).flatMap((verdict): Verdict[] => {
    const requestId = text(verdict.requestId);
    const kind = kindOf(verdict.kind);
    if (requestId === undefined || kind === undefined) return [];
    const counts = spanOf(verdict.counts);
    return [
      defined({
        requestId,
        kind,
        reason: { code: 'recorded', text: text(verdict.because) ?? '' },
        confidence: confidenceOf(verdict.confidence),
        counts,
        ...optional('decidedAt', moment(verdict.decidedAt)),
      }),
    ];
  });
}

function spanOf(value: unknown): Span | undefined {
  const span = fields(value);
  const from = moment(span.from);
  return from === undefined ? undefined : { from, ...optional('to', moment(span.to)) };
}

function kindOf(value: unknown): BackgroundKind | undefined {
  return typeof value === 'string' && Object.hasOwn(KINDS, value) ? (value as BackgroundKind) : undefined;
}

function confidenceOf(value: unknown): Confidence {
  return value === 'certain' || value === 'likely' ? value : 'possible';
}

/** The readings of the main thread's clocks, as they were written. */
export function mainThreadOf(stored: unknown): readonly MainThreadSample[] {
  return list(stored).flatMap((each) => {
    const { at, taskTime, cpuTime } = fields(each);
    const [read, tasks] = [moment(at), duration(taskTime)];
    if (read === undefined || tasks === undefined) return [];
    return [{ at: read, taskTime: tasks, ...optional('cpuTime', duration(cpuTime)) }];
  });
}

/** The same of workers. */
export function workerThreadsOf(stored: unknown): readonly WorkerThread[] {
  return list(stored).map((each) => ({ samples: mainThreadOf(fields(each).samples) }));
}

/** The same of frames that had a process of their own. */
export function frameThreadsOf(stored: unknown): readonly FrameThread[] {
  return list(stored).flatMap((each) => {
    const { frameId, samples } = fields(each);
    const id = text(frameId);
    return id === undefined ? [] : [{ frameId: id, samples: mainThreadOf(samples) }];
  });
}
