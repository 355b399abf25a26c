import type { BackgroundKind, DetectedKind } from '../../model/background/kinds.ts';
import type { Policy, Verdict, Verdicts } from '../../model/background/verdict.ts';
import type { Question } from '../../model/completion/completion.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import { EVENT_STREAM } from '../background/detectors/sse.ts';
import { endpointOf } from '../background/endpoint.ts';
import { classify } from '../background/index.ts';
import { matchesPattern } from '../background/pattern.ts';
import { seriesOf } from '../background/series.ts';
import { DRAWN_WITHIN_MS, GOES_ON_WITHIN_MS, HABIT, LONGEST_PAUSE_MS } from '../time/lags.ts';
import { isFailed } from '../timeline/failed.ts';
import { type LikelyPending, likelyPending } from './likely-pending.ts';

/** Verdicts that a recording does not prove, and what they suppose. */
export interface AssumedVerdicts {
  readonly verdicts: Verdicts;
  readonly questions: readonly Question[];
}

/** The verdicts if the recording had gone on: with what the tool left out, and what was withheld once more. */
export function assumeContinuation(
  timeline: Timeline,
  verdicts: Verdicts,
  policy: Policy,
  mayLeaveOutOpen: boolean,
): AssumedVerdicts {
  const added = (mayLeaveOutOpen ? withheldOften(timeline, verdicts, policy) : []).map(
    ({ last, lastEndedAt, pause }): Request => {
      const { endedAt: _endedAt, response: _response, ...asked } = last;
      const startedAt = lastEndedAt + pause;
      return { ...asked, id: `${last.id} again`, startedAt, outcome: 'open', chunks: [], messages: [] };
    },
  );
  const requests = [...timeline.requests, ...added].sort((a, b) => a.startedAt - b.startedAt);
  const supposed = added.length === 0 ? verdicts : classify({ ...timeline, requests }, policy).verdicts;
  const once = [
    ...withheldOnce(timeline, supposed, policy),
    ...repeatedOnce(timeline, supposed, policy),
    ...(mayLeaveOutOpen ? heldAtTheEnd(timeline, supposed, policy) : []).map(supposedTo('long-poll')),
  ];
  const read = unreadStreams(timeline, supposed, policy).map(supposedTo('sse'));
  const all = new Map([...once, ...read, ...supposed]);
  return { verdicts: all, questions: questionsOf(timeline, verdicts, all) };
}

/**
 * Does a recording that looks complete leave out what would show that it is not, or that it was complete sooner: the next of
 * many answers that were withheld, or the pieces of a stream?
 */
export function isLeftOpen(timeline: Timeline, verdicts: Verdicts, policy: Policy, mayLeaveOutOpen: boolean): boolean {
  const isLeftOut = (): boolean =>
    withheldOften(timeline, verdicts, policy).length > 0 || heldAtTheEnd(timeline, verdicts, policy).length > 0;
  return (mayLeaveOutOpen && isLeftOut()) || unreadStreams(timeline, verdicts, policy).length > 0;
}

/** The verdict that a recording does not prove. */
const supposedTo =
  (kind: DetectedKind) =>
  ({ id }: Request): readonly [string, Verdict] => [
    id,
    { requestId: id, kind, reason: { code: 'supposed' }, confidence: 'possible' },
  ];

/**
 * Event streams that a script reads, of which the file has no piece. An answer that is written word by word is over sooner than
 * anything is watched to see whether it goes on.
 */
function unreadStreams(
  { requests }: Timeline,
  verdicts: Verdicts,
  { foreground, observation }: Policy,
): readonly Request[] {
  return requests.filter(
    ({ id, url, type, response, startedAt, endedAt, chunks, messages }) =>
      (type === 'fetch' || type === 'xhr') &&
      EVENT_STREAM.test(response?.mimeType ?? '') &&
      (endedAt ?? startedAt) - startedAt >= observation.suspectMs &&
      chunks.length < 2 &&
      messages.length === 0 &&
      !verdicts.has(id) &&
      !foreground.some((pattern) => matchesPattern(pattern, url)),
  );
}

/** An answer that says next to nothing, bytes: that there is no news. */
const NO_NEWS = 256;

/**
 * Answers that a script waited for as long as for no content, and that say next to nothing: of a long poll that was held until
 * its time was over the next one is open, and left out.
 */
function heldAtTheEnd(
  { requests }: Timeline,
  verdicts: Verdicts,
  { foreground, observation }: Policy,
): readonly Request[] {
  const counted = requests.filter(({ id }) => !verdicts.has(id));
  return counted.filter(
    (request) =>
      (request.type === 'fetch' || request.type === 'xhr') &&
      request.method === 'GET' &&
      isKnownToBeShort(request) &&
      (request.response?.at ?? 0) - request.startedAt >= observation.suspectMs &&
      !isFailed(request) &&
      !foreground.some((pattern) => matchesPattern(pattern, request.url)) &&
      // What somebody waited for leads to something.
      counted.every((each) => each === request || each.startedAt < (request.endedAt ?? Number.POSITIVE_INFINITY)),
  );
}

/** A size of 0 is mostly one that the file does not have. */
function isKnownToBeShort({ contentSize, response }: Request): boolean {
  return contentSize === 0 ? response?.status === 204 : contentSize <= NO_NEWS;
}

/** Series of answers that were withheld, time after time, and of which the last is probably not the last. */
function withheldOften(timeline: Timeline, verdicts: Verdicts, policy: Policy): readonly LikelyPending[] {
  return likelyPending(timeline, verdicts, policy).filter(
    ({ requests, shortest }) => requests >= HABIT && shortest >= 2 * LONGEST_PAUSE_MS,
  );
}

/** Whether what is background only by supposition goes on. */
function questionsOf({ requests }: Timeline, verdicts: Verdicts, supposed: Verdicts): readonly Question[] {
  const kinds = new Map<string, BackgroundKind>();
  for (const request of requests) {
    const kind = supposed.get(request.id)?.kind;
    if (kind !== undefined && !verdicts.has(request.id)) kinds.set(endpointOf(request).label, kind);
  }
  return [...kinds].map(([endpoint, kind]) => ({ code: 'goes-on', endpoint, kind }));
}

/** A long poll is known by two answers that were withheld. Here one was, and the next is open when the recording ends. */
function withheldOnce(
  { requests }: Timeline,
  verdicts: Verdicts,
  { foreground }: Policy,
): readonly (readonly [string, Verdict])[] {
  const counts = ({ id, url }: Request): boolean =>
    !verdicts.has(id) && !foreground.some((pattern) => matchesPattern(pattern, url));
  return requests
    .filter((request) => request.endedAt === undefined && counts(request))
    .flatMap((open) => {
      const { key } = endpointOf(open);
      const before = requests.findLast(
        (each) => each.startedAt < open.startedAt && endpointOf(each).key === key && counts(each),
      );
      if (before?.endedAt === undefined || before.endedAt - before.startedAt < 2 * LONGEST_PAUSE_MS) return [];
      const pause = open.startedAt - before.endedAt;
      if (pause < -1 || pause > GOES_ON_WITHIN_MS) return [];
      return [before, open].map(supposedTo('long-poll'));
    });
}

/** A poll is known by its rhythm. Here it had just begun: the same was asked once more, and answered with as much. */
function repeatedOnce(
  timeline: Timeline,
  verdicts: Verdicts,
  { foreground }: Policy,
): readonly (readonly [string, Verdict])[] {
  return seriesOf(timeline).flatMap(({ requests }) => {
    const [first, second, third] = requests;
    if (first?.endedAt === undefined || second?.endedAt === undefined || third !== undefined) return [];
    const named = foreground.some((pattern) => matchesPattern(pattern, second.url));
    if (named || verdicts.has(first.id) || verdicts.has(second.id)) return [];
    const isSame = hasSucceeded(first) && hasSucceeded(second) && first.contentSize === second.contentSize;
    if (!isSame || second.startedAt - first.endedAt < DRAWN_WITHIN_MS) return [];
    return [supposedTo('poll')(second)];
  });
}

function hasSucceeded({ response, type }: Request): boolean {
  const status = response?.status ?? 0;
  return (type === 'fetch' || type === 'xhr') && status >= 200 && status < 300;
}
