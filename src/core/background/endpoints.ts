import type { BackgroundEndpoint } from '../../model/result.ts';
import type { Request } from '../../model/timeline.ts';
import type { Policy, Verdict } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { ENDED, endingWith, judgeWithout } from '../complete.ts';
import { lastSignOfLife } from '../timeline/inflight.ts';
import { endpointOf } from './endpoint.ts';
import { median } from './words.ts';

/** How many of an endpoint's URLs are listed; a poll can have thousands. */
const LISTED_URLS = 10;

/** The flagged requests of a visit, gathered by kind and endpoint, each with what counting it would have cost. */
export function backgroundEndpoints(visit: Visit, policy: Policy): readonly BackgroundEndpoint[] {
  const groups = new Map<string, { label: string; verdict: Verdict; requests: Request[] }>();
  for (const request of visit.timeline.requests) {
    const verdict = visit.verdicts.get(request.id);
    if (!verdict) continue;
    const { key, label } = endpointOf(request);
    const group = groups.get(`${verdict.kind} ${key}`);
    if (group) group.requests.push(request);
    else groups.set(`${verdict.kind} ${key}`, { label, verdict, requests: [request] });
  }
  return [...groups.values()].map(({ label, verdict, requests }) => {
    const starts = requests.map((request) => request.startedAt);
    const intervals = starts.slice(1).map((at, i) => at - (starts[i] ?? at));
    return {
      kind: verdict.kind,
      endpoint: label,
      urls: [...new Set(requests.map((request) => request.url))].slice(0, LISTED_URLS),
      requests: requests.length,
      firstStartedAt: starts[0] ?? 0,
      lastActivityAt: Math.max(...requests.map(lastSignOfLife)),
      stillOpen: requests.some((request) => request.endedAt === undefined),
      ...(intervals.length > 1 && { period: median(intervals) }),
      because: verdict.because,
      confidence: verdict.confidence,
      excluded: true,
      ...costOf(requests, intervals.length > 1 ? median(intervals) : undefined, visit, policy),
      visualImpact: 'unknown',
    };
  });
}

/** What page-complete would have been with these requests counted. */
function costOf(
  requests: readonly Request[],
  period: number | undefined,
  { timeline, verdicts, complete }: Visit,
  policy: Policy,
): Pick<BackgroundEndpoint, 'cost' | 'countedState'> {
  if (complete.state !== 'complete') return {};
  const counted = new Set(requests.map((request) => request.id));
  const rest = new Set([...verdicts.keys()].filter((id) => !counted.has(id)));
  // What had not fallen quiet with these requests by the end of watching, never does.
  const otherwise = judgeWithout(rest, timeline, endingWith(timeline, policy), ENDED);
  if (otherwise.state === 'pending') return {};
  if (otherwise.state === 'complete') return { countedState: 'complete', cost: otherwise.at - complete.at };
  // A rhythm faster than the window breaks every silence that has not lasted yet.
  const breaksEverySilence = period !== undefined && period < policy.quietWindow;
  return { countedState: breaksEverySilence ? 'never' : otherwise.state };
}
