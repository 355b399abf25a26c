import type { Request } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { union } from '../time/overlap.ts';

/** When a request stopped being in flight; never, for an open one. */
export function endOf(request: Request): Ms {
  return request.endedAt ?? Number.POSITIVE_INFINITY;
}

/** The last thing that was seen of a request: its end, or what came before it. */
export function lastSignOfLife(request: Request): Ms {
  return (
    request.endedAt ??
    Math.max(
      request.startedAt,
      request.response?.at ?? request.startedAt,
      request.chunks.at(-1)?.at ?? request.startedAt,
      request.messages.at(-1)?.at ?? request.startedAt,
    )
  );
}

/** Is it in flight at `t`? An interval includes its start and excludes its end. */
export function inFlightAt(request: Request, t: Ms): boolean {
  return request.startedAt <= t && endOf(request) > t;
}

/** The spans in which at least one of the requests was in flight, merged and ordered, cut to [from, to]. */
export function busySpans(requests: readonly Request[], from: Ms, to: Ms): readonly { from: Ms; to: Ms }[] {
  const spans = requests
    .map((request) => ({ from: Math.max(from, request.startedAt), to: Math.min(to, endOf(request)) }))
    .filter((span) => span.to > span.from);
  return union(spans);
}
