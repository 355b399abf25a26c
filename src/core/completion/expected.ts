import type { Policy } from '../../model/background/verdict.ts';
import type { ContentPattern, ExpectedContent, ExpectedRequests } from '../../model/completion/expected.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { Bytes, Ms } from '../../model/units.ts';
import { messagesOf } from '../background/content/source.ts';
import { endpointOf } from '../background/endpoint.ts';
import { defined } from '../text/defined.ts';
import { ANOTHER_ORDER, DRAWN_WITHIN_MS, FEW_BYTES, MARGIN, TOO_MANY } from '../time/lags.ts';
import { isLoadedBy, marksOfDocument } from '../timeline/document-marks.ts';
import { isFailed } from '../timeline/failed.ts';
import { type Foreground, foregroundOf } from './foreground.ts';
import { isBlank } from './idleness.ts';

/**
 * The silences that a load may end after, ms: the shortest one that is longer than the silences of whole loads, with the
 * margin. In steps, so that a silence that is a little longer than the last does not change what the loads before it meant.
 */
const WINDOWS_MS = [500, 750, 1_000, 1_500, 2_000];

/**
 * What is expected with one more load that was watched for the whole window. Undefined when nothing can be expected: it was
 * not complete by silence, the page is silent in the middle of its content for too long, or it draws in a time of its own.
 *
 * @param quietWindow the whole window, ms
 */
export function learnExpected(
  before: ExpectedContent | undefined,
  visit: Visit,
  quietWindow: Ms,
): ExpectedContent | undefined {
  const { complete } = visit;
  if (complete.state !== 'complete' || complete.decidedBy === 'expected-content') return before;
  const drawnAt = visit.timeline.marks.findLast(({ name }) => name === 'content-drawn')?.at;
  // What is drawn in a time of its own (a least time of its placeholders, counted from the start) may be silent for twice as long
  // before it, when the next answer comes earlier.
  if (drawnAt !== undefined && drawnAt - complete.networkAt > DRAWN_WITHIN_MS) return undefined;
  const content = contentUntil(foregroundOf(visit.timeline, visit.verdicts), complete.networkAt);
  const enough = Math.max(before?.quietWindow ?? 0, MARGIN * longestSilence(content, visit, complete.at, quietWindow));
  const window = WINDOWS_MS.find((each) => each >= enough);
  if (window === undefined || window >= quietWindow) return undefined;
  const pattern = patternOf(content, visit.timeline, complete.decidedAt);
  const known = before?.patterns ?? [];
  const patterns = known.some((each) => isSamePattern(each, pattern)) ? known : [...known, pattern];
  if (patterns.length > TOO_MANY) return undefined;
  const isBusy = before?.busyLater === true || isBusyAfter(complete.at + window, visit);
  return { quietWindow: window, patterns, ...(isBusy && { busyLater: true }) };
}

/** Did background keep the network busy after that? */
function isBusyAfter(at: Ms, { raw }: Visit): boolean {
  return raw.state !== 'complete' || raw.at > at;
}

/**
 * Has everything come that whole loads needed, and nothing else? Not when there was a whole load that needed the same and
 * then something more, which may still come; nor when a worker is busy, whose result may be drawn.
 *
 * @param spans what counts, of the whole timeline
 * @param at a moment at which none of them is in flight
 */
export function matchesKnownLoad(
  spans: readonly Foreground[],
  at: Ms,
  timeline: Timeline,
  expected: ExpectedContent,
): boolean {
  const seen = patternOf(contentUntil(spans, at), timeline, at + expected.quietWindow);
  return (
    !timeline.marks.some((mark) => mark.name === 'other-thread-busy' && mark.at >= at) &&
    expected.patterns.some((each) => isSamePattern(each, seen)) &&
    !expected.patterns.some((each) => !isSamePattern(each, seen) && continues(each, seen))
  );
}

/** What is expected of a page that some endpoints are held back from. */
export function withoutEndpoints(
  expected: ExpectedContent | undefined,
  endpoints: readonly string[],
): ExpectedContent | undefined {
  return (
    expected && {
      ...expected,
      patterns: expected.patterns.map(({ requests }) => ({
        requests: requests.filter(({ endpoint }) => !endpoints.includes(endpoint)),
      })),
    }
  );
}

/** The silence that proved a page complete, ms. */
export function provingWindow(
  { decidedBy }: { readonly decidedBy?: 'expected-content' },
  { expected, quietWindow }: Pick<Policy, 'expected' | 'quietWindow'>,
): Ms {
  return decidedBy === undefined ? quietWindow : (expected?.quietWindow ?? quietWindow);
}

function contentUntil(spans: readonly Foreground[], at: Ms): readonly Foreground[] {
  return spans.filter(({ to }) => to <= at);
}

/** @param decidedAt when the load is, or would be, called complete */
function patternOf(content: readonly Foreground[], timeline: Timeline, decidedAt: Ms): ContentPattern {
  const byEndpoint = new Map<string, ExpectedRequests>();
  for (const { request, to, parts } of content) {
    const { key } = endpointOf(request);
    const { count, failed, bytes, parts: before } = byEndpoint.get(key) ?? { count: 0, failed: 0, bytes: 0 };
    byEndpoint.set(key, {
      endpoint: key,
      count: count + 1,
      failed: failed + (isFailed(request) ? 1 : 0),
      bytes: bytes + bytesUntil(request, to),
      ...defined({ parts: parts === undefined ? before : (before ?? 0) + parts }),
    });
  }
  const largest = timeline.marks.findLast(({ name }) => name === 'largest-contentful-paint')?.detail;
  return {
    requests: [...byEndpoint.values()].sort((a, b) => (a.endpoint < b.endpoint ? -1 : 1)),
    ...(largest !== undefined && { largest }),
    ...(!isLoadedBy(decidedAt, timeline) && { withoutLoadEvent: true }),
    ...(isBlank(marksOfDocument(timeline)) && { blank: true }),
  };
}

function bytesUntil(request: Request, to: Ms): Bytes {
  if (request.endedAt !== undefined && request.endedAt <= to) return request.contentSize;
  return messagesOf(request).reduce((sum, { at, bytes }) => (at <= to ? sum + bytes : sum), 0);
}

function isSamePattern(a: ContentPattern, b: ContentPattern): boolean {
  return (
    a.requests.length === b.requests.length &&
    a.requests.every((each, i) => {
      const other = b.requests[i];
      return (
        other !== undefined &&
        other.endpoint === each.endpoint &&
        other.count === each.count &&
        other.failed === each.failed &&
        // A stream may pause in the middle of its content.
        other.parts === each.parts &&
        isSameOrder(each.bytes, other.bytes)
      );
    }) &&
    // What holds the load event up for a whole window holds no content; what comes within one may.
    a.withoutLoadEvent === b.withoutLoadEvent &&
    a.blank === b.blank &&
    // The page is asked for its largest paint when watching is over.
    (a.largest === undefined || b.largest === undefined || withoutRandomId(a.largest) === withoutRandomId(b.largest))
  );
}

/** An element's name without an id that is made up for each load, as that of `div#id-318a3757-2359-4806-8026-3f8a2f9671ba.toolbar`. */
function withoutRandomId(element: string): string {
  return element.replace(/#[^.]*[0-9a-f]{8}[^.]*/, '');
}

function isSameOrder(a: Bytes, b: Bytes): boolean {
  return Math.abs(a - b) <= FEW_BYTES || Math.max(a, b) <= ANOTHER_ORDER * Math.min(a, b);
}

/** Does the pattern have all that was seen, and something more? A larger body, or another largest element, is nothing more. */
function continues(pattern: ContentPattern, seen: ContentPattern): boolean {
  const known = new Map(pattern.requests.map((each) => [each.endpoint, each]));
  return (
    seen.requests.every(({ endpoint, count }) => (known.get(endpoint)?.count ?? 0) >= count) &&
    (pattern.requests.length > seen.requests.length ||
      seen.requests.some(({ endpoint, count, parts = 0 }) => {
        const each = known.get(endpoint);
        return each !== undefined && (each.count > count || (each.parts ?? 0) > parts);
      }))
  );
}

/**
 * The longest stretch of a load's content in which nothing of it was in flight or came, from its parsed document to its last
 * paint. What comes after a whole quiet window is known to come so late, and waited for.
 */
function longestSilence(content: readonly Foreground[], { timeline }: Visit, completeAt: Ms, quietWindow: Ms): Ms {
  const from = timeline.marks.findLast(({ name }) => name === 'dom-content-loaded' || name === 'action-end')?.at ?? 0;
  const busy = content.flatMap(activeSpans).sort((a, b) => a.from - b.from);
  let silentSince = from;
  let longest = 0;
  for (const span of [...busy, { from: completeAt, to: completeAt }]) {
    const silence = span.from - silentSince;
    if (silence < quietWindow) longest = Math.max(longest, silence);
    silentSince = Math.max(silentSince, span.to);
  }
  return longest;
}

/** A request that counts whole is in flight until its end; of a stream, what comes after its first part comes in moments. */
function activeSpans({ request, from, to }: Foreground): readonly { readonly from: Ms; readonly to: Ms }[] {
  if (request.endedAt === to) return [{ from, to }];
  const parts = messagesOf(request)
    .map(({ at }) => at)
    .filter((at) => at > from && at <= to);
  return [{ from, to: parts[0] ?? to }, ...parts.map((at) => ({ from: at, to: at }))];
}
