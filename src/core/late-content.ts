import type { LateContent } from '../model/late-content.ts';
import type { VisualChange } from '../model/picture.ts';
import type { Request } from '../model/timeline.ts';
import type { Ms } from '../model/units.ts';
import type { AwaitedContent, Policy } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';
import { endpointOf } from './background/endpoint.ts';
import { foregroundOf } from './foreground.ts';
import { endOf } from './timeline/inflight.ts';
import { FOLLOWS_WITHIN_MS } from './visual/impact.ts';

/** What the page fetched when it had been silent for a whole quiet window: seen only where watching went on. */
export function lateRequests(
  { timeline, verdicts, complete }: Pick<Visit, 'timeline' | 'verdicts' | 'complete'>,
  { quietWindow, completeOn }: Pick<Policy, 'quietWindow' | 'completeOn'>,
): readonly Request[] {
  // Where the page's own mark was asked for, nobody waited for silence.
  if (complete.state !== 'complete' || completeOn !== undefined) return [];
  const { networkAt } = complete;
  const starts = foregroundOf(timeline, verdicts)
    .map(({ from }) => from)
    .filter((at) => at > networkAt)
    .sort((a, b) => a - b);
  // With an allowance of requests in flight, some may start before the silence has begun.
  const broken = starts.find((at, i) => at - (starts[i - 1] ?? networkAt) >= quietWindow) ?? Number.POSITIVE_INFINITY;
  return timeline.requests.filter(
    (request) =>
      request.startedAt >= broken &&
      request.outcome !== 'blocked' &&
      !verdicts.has(request.id) &&
      !request.fromPreviousDocument,
  );
}

/**
 * Content that came after a whole quiet window and changed what is seen. Undefined where there was none.
 *
 * @param changes of the picture, without what moves by itself
 */
export function lateContentOf(visit: Visit, changes: readonly VisualChange[], policy: Policy): LateContent | undefined {
  const { complete } = visit;
  if (complete.state !== 'complete') return undefined;
  const late = lateRequests(visit, policy)
    .filter((request) => Number.isFinite(endOf(request)))
    .map((request) => ({ request, share: shareAfter(endOf(request), changes) }))
    .filter(({ share }) => share > 0);
  const [first] = late;
  if (!first) return undefined;
  return {
    after: first.request.startedAt - complete.at,
    share: Math.max(...late.map(({ share }) => share)),
    urls: [...new Set(late.map(({ request }) => request.url))],
    awaited: late.map(({ request }): AwaitedContent => ({ endpoint: endpointOf(request).key, by: endOf(request) })),
  };
}

function shareAfter(at: Ms, changes: readonly VisualChange[]): number {
  const following = changes.filter((change) => change.at >= at && change.at - at <= FOLLOWS_WITHIN_MS);
  return Math.max(0, ...following.map(({ share }) => share));
}
