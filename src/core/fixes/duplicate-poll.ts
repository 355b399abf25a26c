import type { FixFact } from '../../model/fixes.ts';
import type { Request } from '../../model/network/timeline.ts';
import { endpointOf } from '../background/endpoint.ts';
import { fixedValuesOf } from '../background/series.ts';
import { type Fix, sizeOf } from './fix.ts';

/** Once may be chance. */
const LEAST_TIMES = 2;
/** The functions that called for a request, the nearest first: a page has one function that asks, and many that call it. */
const FRAMES = 3;

/** The same question, asked again and again by several parts of the page. Page complete waits for none of them. */
export const duplicatePoll: Fix = ({ visit: { timeline, verdicts } }) => {
  const polls = timeline.requests.filter(({ id }) => verdicts.get(id)?.kind === 'poll');
  const fixed = fixedValuesOf(timeline);
  // Two rooms that are polled, or two queries, are two questions.
  const questionOf = (request: Request): string =>
    JSON.stringify([endpointOf(request).key, fixed.get(request.id) ?? {}, request.postBody?.text ?? '']);
  return [...Map.groupBy(polls, questionOf).values()].flatMap((requests): readonly FixFact[] => {
    const [most = [], ...others] = pollersOf(requests);
    const extra = new Set([...others.flat(), ...most.filter((each, index) => isMeanwhile(each, most[index - 1]))]);
    const url = requests[0]?.url ?? '';
    if (extra.size < LEAST_TIMES) return [];
    const savesBytes = [...extra].reduce((sum, request) => sum + sizeOf({ request }), 0);
    return [
      {
        code: 'duplicate-poll',
        urls: [url],
        savesMs: 0,
        facts: { url, times: requests.length, again: extra.size, savesBytes },
      },
    ];
  });
};

/** Requests by who asks for them more than once, the one who asks most first. */
function pollersOf(requests: readonly Request[]): readonly (readonly Request[])[] {
  const askers = Map.groupBy(requests, ({ initiator }) => JSON.stringify(initiator?.stack?.slice(0, FRAMES)));
  return [...askers.values()].filter((each) => each.length >= LEAST_TIMES).sort((a, b) => b.length - a.length);
}

/** Asked while the same had been asked and not answered yet. */
const isMeanwhile = (request: Request, before: Request | undefined): boolean =>
  before !== undefined && (before.endedAt ?? Number.POSITIVE_INFINITY) > request.startedAt;
