import type { Verdict, Verdicts } from '../../model/background/verdict.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { canAffectRendering } from '../background/affects-rendering.ts';
import { partsOf } from '../background/content/source.ts';
import { defined } from '../text/defined.ts';
import { endOf } from '../timeline/inflight.ts';

/** A stretch in which the page had something in flight that it needs; `to` is infinite while that is open. */
export interface Foreground {
  readonly request: Request;
  readonly from: Ms;
  readonly to: Ms;
  /** How many messages of it are content; absent where that is not known, or it is no stream. */
  readonly parts?: number;
}

/** What counts: requests without a verdict whole, of the others the part that is content. */
export function foregroundOf(timeline: Timeline, verdicts: Verdicts): readonly Foreground[] {
  return timeline.requests.flatMap((request): readonly Foreground[] => {
    // What was blocked never was on its way.
    if (request.fromPreviousDocument || request.outcome === 'blocked') return [];
    const verdict = verdicts.get(request.id);
    if (!verdict) return [{ request, from: request.startedAt, to: endOf(request) }];
    if (!verdict.counts) return [];
    const { counts, parts } = verdict;
    return [{ request, from: counts.from, to: counts.to ?? Number.POSITIVE_INFINITY, ...defined({ parts }) }];
  });
}

function mayDraw(request: Request, { kind, impact, parts = 0 }: Verdict): boolean {
  // Of a stream whose first messages were content the film may not be sure that it goes on painting: then it may.
  if (kind === 'media' || impact === 'none' || (impact === 'unknown' && parts === 0)) return false;
  return canAffectRendering(request, kind);
}

/**
 * When background traffic that may draw brought something that does not count: what is drawn then, it drew. Where runs were
 * filmed, only what was seen to paint may; of a player, nothing but its first frame is a paint, and that is content.
 */
export function backgroundArrivals(timeline: Timeline, verdicts: Verdicts): readonly Ms[] {
  return timeline.requests.flatMap((request) => {
    const verdict = verdicts.get(request.id);
    if (!verdict || !mayDraw(request, verdict)) return [];
    const counted = verdict.counts === undefined ? -1 : (verdict.counts.to ?? Number.POSITIVE_INFINITY);
    return [...partsOf(request), endOf(request)].filter((at) => at > counted && Number.isFinite(at));
  });
}
