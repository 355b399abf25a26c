import type { AwaitedContent, Policy } from '../../model/background/verdict.ts';
import type { PageComplete } from '../../model/completion/completion.ts';
import type { LateContent } from '../../model/completion/late-content.ts';
import type { Request } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { VisualChange } from '../../model/recording/picture.ts';
import type { TargetResult } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { partsOf } from '../background/content/source.ts';
import { endpointOf } from '../background/endpoint.ts';
import { DRAWN_WITHIN_MS } from '../time/lags.ts';
import { endOf } from '../timeline/inflight.ts';
import { EMPTY_BELOW } from '../visual/changes.ts';
import { follows } from '../visual/impact.ts';
import { foregroundOf } from './foreground.ts';

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
  const late = lateRequests(visit, policy)
    .filter((request) => Number.isFinite(endOf(request)))
    .map((request) => ({ request, share: shareAfter(endOf(request), changes) }))
    .filter(({ share }) => share > 0);
  const [first] = late;
  if (!first) return lateDrawingOf(visit, complete, changes, policy);
  return {
    after: first.request.startedAt - complete.at,
    share: Math.max(...late.map(({ share }) => share)),
    urls: [...new Set(late.map(({ request }) => request.url))],
    awaited: late.map(({ request }): AwaitedContent => ({ endpoint: endpointOf(request).key, by: endOf(request) })),
  };
}

/** What paints less of the viewport than this, 0 to 1, is a notice or a button that appears. */
const MIN_SHARE = 0.01;

/** What moves, or is shown in turns, repaints its place; what nothing came before, and fills an empty place, is content. */
function lateDrawingOf(
  { timeline, verdicts }: Visit,
  { at: completeAt, networkAt }: Extract<PageComplete, { state: 'complete' }>,
  changes: readonly VisualChange[],
  { quietWindow }: Policy,
): LateContent | undefined {
  const arrivals = timeline.requests
    .filter(({ id }) => verdicts.get(id)?.impact !== 'none')
    .flatMap((request) => [...partsOf(request), endOf(request)]);
  const drawn = changes.filter(
    ({ at, share, covered = 1 }) =>
      at > Math.max(completeAt, networkAt + quietWindow) &&
      share >= MIN_SHARE &&
      covered < EMPTY_BELOW &&
      !follows(at, arrivals),
  );
  const [first] = drawn;
  if (!first) return undefined;
  return {
    after: first.at - completeAt,
    share: Math.max(...drawn.map(({ share }) => share)),
    urls: [],
    awaited: [],
  };
}

function shareAfter(at: Ms, changes: readonly VisualChange[]): number {
  const following = changes.filter((change) => change.at >= at && change.at - at <= DRAWN_WITHIN_MS);
  return Math.max(0, ...following.map(({ share }) => share));
}
