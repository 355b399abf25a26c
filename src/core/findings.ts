import type { BackgroundEndpoint, Finding } from '../model/result.ts';
import type { Request } from '../model/timeline.ts';
import type { Policy } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';
import { count, duration } from './background/words.ts';
import { foregroundOf } from './foreground.ts';
import { originOf } from './origin.ts';
import { listed, nameOf } from './sentences.ts';
import { starvationOf } from './starvation.ts';

/**
 * What a reader should know about a run, beside its figures. `background` are the run's endpoints, `policy` is the one
 * that it was judged by.
 */
export function findingsOf(
  visit: Visit,
  background: readonly BackgroundEndpoint[],
  policy: Pick<Policy, 'quietWindow' | 'completeOn'>,
): readonly Finding[] {
  const { recording, complete } = visit;
  const findings: Finding[] = recording.incidents.map(({ code, message }) => ({ code, message, urls: [] }));
  if (complete.state === 'complete' && complete.withoutLoadEvent) {
    const fired = visit.timeline.marks.findLast((mark) => mark.name === 'load')?.at;
    const when = fired === undefined ? 'The load event never fired' : `The load event fired only at ${duration(fired)}`;
    findings.push({
      code: 'load-event-held',
      message: `${when}: background requests held it up. Page-complete was computed without it.`,
      urls: complete.withoutLoadEvent,
    });
  }
  findings.push(...starvationFindings(visit), ...liveContent(background), ...lateContent(visit, policy));
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

/** Content that streams held back is slow, and that is the page's own fault: it is told, not left out. */
function starvationFindings({ timeline, verdicts, recording }: Visit): readonly Finding[] {
  const starved = starvationOf(timeline, verdicts);
  const longest = [...starved].sort((a, b) => b.to - b.from - (a.to - a.from))[0];
  if (longest === undefined) return [];
  const page = recording.navigation.url;
  const culprits = [...new Set(longest.culprits.map(({ url }) => url))];
  const others = starved.length === 1 ? '' : `, and ${count(starved.length - 1, 'other request')} less long`;
  return [
    {
      code: 'stream-starvation',
      message:
        `${count(longest.culprits.length, 'background request')} held the connections to ${originOf(longest.request.url)}: ` +
        `${nameOf(longest.request.url, page)} could not be sent from ${duration(longest.from)} to ${duration(longest.to)}` +
        `${others}. Serve it over HTTP/2, or let the streams share one connection. Culprits: ${listed(culprits, page)}.`,
      urls: [longest.request.url, ...culprits],
    },
  ];
}

/** What keeps changing on the screen is left out of the time, but nobody shall think that it was not seen. */
function liveContent(background: readonly BackgroundEndpoint[]): readonly Finding[] {
  const live = background.filter((each) => each.excluded && each.visualImpact === 'continuous');
  return live.map(({ endpoint, kind, urls }) => ({
    code: 'live-content',
    message: `${endpoint} (${kind}) keeps changing what is seen. Its first answer counts, its updates do not.`,
    // The others differ only in what the label leaves out.
    urls: urls.slice(0, 1),
  }));
}

/** What the page fetched when it had been silent for a whole quiet window: seen only where watching went on. */
function lateContent(
  { timeline, verdicts, complete, recording }: Visit,
  { quietWindow, completeOn }: Pick<Policy, 'quietWindow' | 'completeOn'>,
): readonly Finding[] {
  // Where the page's own mark was asked for, nobody waited for silence.
  if (complete.state !== 'complete' || completeOn !== undefined) return [];
  const { networkAt } = complete;
  const starts = foregroundOf(timeline, verdicts)
    .map(({ from }) => from)
    .filter((at) => at > networkAt)
    .sort((a, b) => a - b);
  // With an allowance of requests in flight, some may start before the silence has begun.
  const broken = starts.find((at, i) => at - (starts[i - 1] ?? networkAt) >= quietWindow) ?? Number.POSITIVE_INFINITY;
  const late = timeline.requests.filter(
    (request) =>
      request.startedAt >= broken &&
      request.outcome !== 'blocked' &&
      !verdicts.has(request.id) &&
      !request.fromPreviousDocument,
  );
  const [first] = late;
  if (first === undefined) return [];
  const page = recording.navigation.url;
  return [
    {
      code: 'late-content',
      message:
        `${count(late.length, 'request')} came after page-complete, the first at ${duration(first.startedAt)} ` +
        `(${nameOf(first.url, page)}), when the page had been silent for the quiet window. If users wait for it, use a longer --quiet-window.`,
      urls: [...new Set(late.map(({ url }) => url))],
    },
  ];
}
