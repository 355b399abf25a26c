import type { Finding } from '../../model/result.ts';
import type { Request } from '../../model/timeline.ts';
import type { Policy } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { endpointOf } from '../background/endpoint.ts';
import { count, duration } from '../background/words.ts';
import { QUIET_WINDOW } from '../complete.ts';
import { listed, nameOf } from '../sentences.ts';
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
export function gapsOf(read: HarRecording, visit: Visit, policy: Policy): readonly Finding[] {
  const complete = visit.complete.state === 'complete';
  return [
    ...entriesLeftOut(read),
    ...(complete ? [] : [...openLeftOut(read, visit, policy), ...noLoadEvent(read, visit), ...noEnds(read, visit)]),
    ...(complete ? [] : earlyEnd(read, visit, policy)),
    ...noCadence(read, visit),
  ];
}

function missing(message: string, urls: readonly string[] = []): Finding {
  return { code: 'evidence-missing', message, urls: [...new Set(urls)] };
}

function entriesLeftOut({ leftOut }: HarRecording): readonly Finding[] {
  if (leftOut === 0) return [];
  const which = leftOut === 1 ? 'An entry of the file' : `${leftOut} entries of the file`;
  return [
    {
      code: 'entries-left-out',
      message: `${which} could not be read: what the page did there is not known.`,
      urls: [],
    },
  ];
}

function earlyEnd({ exact }: HarRecording, { complete, timeline }: Visit, policy: Policy): readonly Finding[] {
  if (complete.state !== 'unconfirmed') return [];
  const end = timeline.observedUntil;
  const questions = complete.waitingFor.filter((each) => each.startsWith('whether '));
  const found: Finding[] = [];
  if (complete.waitingFor.includes(QUIET_WINDOW) && complete.at !== undefined) {
    const silence = Math.max(0, end - complete.at);
    const window = `the quiet window of ${duration(policy.quietWindow)}`;
    found.push(
      missing(
        // Below a hundredth of a second nothing was seen of a silence.
        silence < 10 && !exact
          ? `The file ends with the last thing that the page needed. It does not say how long was recorded after that, and ${window} has to follow.`
          : `The file ends ${duration(silence)} after the last thing that the page needed, inside ${window}. Record for longer, or judge with a shorter --quiet-window.`,
      ),
    );
  }
  if (questions.length > 0) {
    found.push(
      missing(
        `The file ends at ${duration(end)}, too early to see ${listed(questions)}. Record for longer, or name it with --background.`,
      ),
    );
  }
  return found;
}

function noLoadEvent({ pageId, events }: HarRecording, { timeline }: Visit): readonly Finding[] {
  // A step that opens no document has none.
  if (timeline.marks.some((mark) => mark.name === 'load' || mark.name === 'step-start')) return [];
  const requests = events.filter((event) => event.kind === 'request').length;
  const message =
    pageId === ''
      ? `The file has no pages (log.pages) and so no load event: ${requests === 1 ? 'its request is' : `all its ${requests} requests are`} taken for one load.`
      : 'The file does not say when the load event fired (pageTimings.onLoad).';
  return [missing(message)];
}

/** Only what is waited for: an event stream without an end is as it should be. */
function noEnds({ endless, navigation }: HarRecording, { timeline, verdicts }: Visit): readonly Finding[] {
  const unknown = new Set(endless);
  const waited = timeline.requests.filter(
    ({ id, url, endedAt }) => endedAt === undefined && unknown.has(url) && !verdicts.has(id),
  );
  if (waited.length === 0) return [];
  const urls = waited.map(({ url }) => url);
  return [
    missing(
      `The file does not tell when ${listed(urls, navigation.url)} ended: ${waited.length === 1 ? 'it is' : 'they are'} taken for open.`,
      urls,
    ),
  ];
}

/** How soon a Comet client asks again, ms. Source: the long-poll row of docs/page-complete.md, and some room. */
const ASKED_AGAIN_WITHIN_MS = 500;

/** What was answered and asked again at once, time after time, was probably open when the file was written. */
function openLeftOut(
  { creator, navigation }: HarRecording,
  { timeline, verdicts }: Visit,
  policy: Policy,
): readonly Finding[] {
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
  return [...series.values()].flatMap((requests): readonly Finding[] => {
    const [before, last] = requests.slice(-2);
    if (last?.endedAt === undefined || before?.endedAt === undefined) return [];
    const pause = last.startedAt - before.endedAt;
    const since = timeline.observedUntil - last.endedAt;
    // What would have been open for much longer than any answer took was not asked.
    const longest = Math.max(policy.quietWindow, 2 * (last.endedAt - last.startedAt));
    if (pause < 0 || pause > ASKED_AGAIN_WITHIN_MS || since <= pause || since > longest) return [];
    return [
      missing(
        `${tool} leaves out requests that were open when it wrote the file: whether ` +
          `${nameOf(endpointOf(last).label, navigation.url)}, asked ${count(requests.length, 'time')}, was asked again after ` +
          `${duration(last.endedAt)} is not in it. If that goes on for ever, name it with --background.`,
        [last.url],
      ),
    ];
  });
}

function noCadence({ exact, navigation }: HarRecording, { timeline, verdicts }: Visit): readonly Finding[] {
  if (exact) return [];
  const long = timeline.requests.filter((request) => !verdicts.has(request.id) && arrivedUnseen(request));
  if (long.length === 0) return [];
  const urls = long.map(({ url }) => url);
  return [
    missing(
      `The file has no arrival times (_chunks) of ${listed(urls, navigation.url)}, which took longer than ` +
        `${duration(LONG_ARRIVAL_MS)} to arrive: a stream cannot be told from a slow download, so it is counted as content.`,
      urls,
    ),
  ];
}

function arrivedUnseen({ response, endedAt, chunks, messages }: Request): boolean {
  if (!response || endedAt === undefined || chunks.length > 1 || messages.length > 0) return false;
  return endedAt - response.at >= LONG_ARRIVAL_MS;
}
