import type { FindingFact, MissingEvidence } from '../../model/finding.ts';
import type { Request } from '../../model/timeline.ts';
import type { Policy } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { endpointOf } from '../background/endpoint.ts';
import { isQuestion } from '../waiting-for.ts';
import type { HarRecording } from './har.ts';

/** What came for this long after the headers may be a stream, ms. Source: the http-stream row of docs/page-complete.md. */
const LONG_ARRIVAL_MS = 2_000;

/** Tools that leave out what was not answered whole when the file was written. Measured on fixtures/hars. */
const LEAVES_OUT_OPEN: Readonly<Record<string, string>> = {
  WebInspector: 'DevTools',
  'chrome-har': 'chrome-har',
  Browsertime: 'browsertime',
};

/**
 * What the file does not hold and the answer would have needed, one finding each: why a page is not confirmed, and what
 * to do about it. Empty when nothing is missing.
 */
export function gapsOf(read: HarRecording, visit: Visit, policy: Policy): readonly FindingFact[] {
  const complete = visit.complete.state === 'complete';
  return [
    ...entriesLeftOut(read),
    ...(complete ? [] : [...openLeftOut(read, visit, policy), ...noLoadEvent(read, visit), ...noEnds(read, visit)]),
    ...(complete ? [] : earlyEnd(read, visit, policy)),
    ...noCadence(read, visit),
  ];
}

function missing(facts: MissingEvidence, urls: readonly string[] = []): FindingFact {
  return { code: 'evidence-missing', urls, facts };
}

function entriesLeftOut({ leftOut }: HarRecording): readonly FindingFact[] {
  if (leftOut === 0) return [];
  return [{ code: 'entries-left-out', urls: [], facts: { entries: leftOut } }];
}

function earlyEnd({ exact }: HarRecording, { complete, timeline }: Visit, policy: Policy): readonly FindingFact[] {
  if (complete.state !== 'unconfirmed') return [];
  const end = timeline.observedUntil;
  const questions = complete.waitingFor.filter(isQuestion);
  const found: FindingFact[] = [];
  if (complete.waitingFor.some(({ code }) => code === 'quiet-window') && complete.at !== undefined) {
    const silence = Math.max(0, end - complete.at);
    // Below a hundredth of a second nothing was seen of a silence.
    const known = silence < 10 && !exact ? {} : { silence };
    found.push(missing({ missing: 'silence', ...known, quietWindow: policy.quietWindow }));
  }
  if (questions.length > 0) found.push(missing({ missing: 'answers', endsAt: end, questions }));
  return found;
}

function noLoadEvent({ pageId, events }: HarRecording, { timeline }: Visit): readonly FindingFact[] {
  // A step that opens no document has none.
  if (timeline.marks.some((mark) => mark.name === 'load' || mark.name === 'step-start')) return [];
  const requests = events.filter((event) => event.kind === 'request').length;
  return [missing({ missing: 'load-event', ...(pageId === '' && { requests }) })];
}

/** Only what is waited for: an event stream without an end is as it should be. */
function noEnds({ endless }: HarRecording, { timeline, verdicts }: Visit): readonly FindingFact[] {
  const unknown = new Set(endless);
  const waited = timeline.requests.filter(
    ({ id, url, endedAt }) => endedAt === undefined && unknown.has(url) && !verdicts.has(id),
  );
  if (waited.length === 0) return [];
  const urls = waited.map(({ url }) => url);
  return [missing({ missing: 'ends', urls }, [...new Set(urls)])];
}

/** How soon a Comet client asks again, ms. Source: the long-poll row of docs/page-complete.md, and some room. */
const ASKED_AGAIN_WITHIN_MS = 500;

/** What was answered and asked again at once, time after time, was probably open when the file was written. */
function openLeftOut({ creator }: HarRecording, { timeline, verdicts }: Visit, policy: Policy): readonly FindingFact[] {
  const tool = Object.hasOwn(LEAVES_OUT_OPEN, creator) ? LEAVES_OUT_OPEN[creator] : undefined;
  if (tool === undefined) return [];
  const series = new Map<string, Request[]>();
  for (const request of timeline.requests) {
    if (verdicts.has(request.id)) continue;
    const { key } = endpointOf(request);
    const known = series.get(key);
    if (known) known.push(request);
    else series.set(key, [request]);
  }
  return [...series.values()].flatMap((requests): readonly FindingFact[] => {
    const [before, last] = requests.slice(-2);
    if (last?.endedAt === undefined || before?.endedAt === undefined) return [];
    const pause = last.startedAt - before.endedAt;
    const since = timeline.observedUntil - last.endedAt;
    // What would have been open for much longer than any answer took was not asked.
    const longest = Math.max(policy.quietWindow, 2 * (last.endedAt - last.startedAt));
    if (pause < 0 || pause > ASKED_AGAIN_WITHIN_MS || since <= pause || since > longest) return [];
    return [
      missing(
        {
          missing: 'open-requests',
          tool,
          endpoint: endpointOf(last).label,
          requests: requests.length,
          lastEndedAt: last.endedAt,
        },
        [last.url],
      ),
    ];
  });
}

function noCadence({ exact }: HarRecording, { timeline, verdicts }: Visit): readonly FindingFact[] {
  if (exact) return [];
  const long = timeline.requests.filter((request) => !verdicts.has(request.id) && arrivedUnseen(request));
  if (long.length === 0) return [];
  const urls = long.map(({ url }) => url);
  return [missing({ missing: 'arrival-times', urls, longerThan: LONG_ARRIVAL_MS }, [...new Set(urls)])];
}

function arrivedUnseen({ response, endedAt, chunks, messages }: Request): boolean {
  if (!response || endedAt === undefined || chunks.length > 1 || messages.length > 0) return false;
  return endedAt - response.at >= LONG_ARRIVAL_MS;
}
