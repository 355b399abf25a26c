import type { AwaitedContent, Policy } from '../../model/background/verdict.ts';
import type { LateContent } from '../../model/completion/late-content.ts';
import type { Request } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { VisualChange } from '../../model/recording/picture.ts';
import type { TargetResult } from '../../model/result/result.ts';
import { endpointOf } from '../background/endpoint.ts';
import { endOf } from '../timeline/inflight.ts';
import { fillsEmpty } from '../visual/changes.ts';
import { follows } from '../visual/impact.ts';
import { foregroundOf } from './foreground.ts';
import { changesByContent } from './last-change.ts';

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

/** Late content that is not in a page's times. */
export function uncountedLateContent({
  evidence,
  policy,
}: Pick<TargetResult, 'evidence' | 'policy'>): LateContent | undefined {
  return policy?.awaited === undefined ? evidence?.lateContent : undefined;
}

/**
 * Content that came after a whole quiet window and changed what is seen: what was asked for, or else what the page drew by
 * itself (a splash screen with a time of its own, a chart that takes long to compute). Undefined where there was none.
 *
 * @param changes of the picture, without what moves by itself
 */
export function lateContentOf(visit: Visit, changes: readonly VisualChange[], policy: Policy): LateContent | undefined {
  const { complete } = visit;
  if (complete.state !== 'complete' || policy.completeOn !== undefined) return undefined;
  const after = Math.max(complete.at, complete.networkAt + policy.quietWindow);
  const own = changesByContent(visit, changes).filter(({ at }) => at > after);
  const brought = lateRequests(visit, policy).filter((request) => own.some(({ at }) => follows(at, [endOf(request)])));
  const ends = brought.map(endOf);
  // What moves, or is shown in turns, repaints its place.
  const drawn = own.filter((change) =>
    ends.length > 0 ? follows(change.at, ends) : fillsEmpty(change) && change.share >= MIN_SHARE,
  );
  const first = brought[0]?.startedAt ?? drawn[0]?.at;
  if (first === undefined) return undefined;
  return {
    after: first - complete.at,
    share: Math.max(...drawn.map(({ share }) => share)),
    urls: [...new Set(brought.map(({ url }) => url))],
    awaited: brought.map((request): AwaitedContent => ({ endpoint: endpointOf(request).key, by: endOf(request) })),
  };
}

/** What paints less of the viewport than this, 0 to 1, is a button that appears. */
const MIN_SHARE = 0.01;
