import { KINDS } from '../../model/background/kinds.ts';
import type { Verdicts } from '../../model/background/verdict.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { AT_ONCE_MS, ONE_MOMENT_MS } from '../time/lags.ts';
import { endOf } from '../timeline/inflight.ts';

/** What scripts ask for never delays the load event; what markup asks for does. Source: HTML, "delay the load event". */
const NEVER_DELAYS_LOAD: ReadonlySet<string> = new Set([
  'xhr',
  'fetch',
  'eventsource',
  'websocket',
  'webtransport',
  'ping',
  'csp-violation-report',
  'preflight',
  'prefetch',
  'manifest',
]);

/**
 * The background requests that the load event waited for, or still waits for, when the page needed nothing else; none
 * when it was not held up, or was by content as well.
 */
export function holdersOfLoad(
  timeline: Timeline,
  verdicts: Verdicts,
  parsedAt: Ms | undefined,
  loadedAt: Ms | undefined,
): readonly string[] {
  if (parsedAt === undefined) return [];
  const until = loadedAt ?? Number.POSITIVE_INFINITY;
  const delaying = timeline.requests.filter(
    (request) => !request.fromPreviousDocument && !NEVER_DELAYS_LOAD.has(request.type) && request.startedAt <= until,
  );
  const holders = delaying.filter((request) => {
    const kind = verdicts.get(request.id)?.kind;
    return kind !== undefined && KINDS[kind].mayDelayLoad;
  });
  if (loadedAt === undefined) return urlsOf(holders.filter((request) => request.endedAt === undefined));
  const content = delaying.filter((request) => !verdicts.has(request.id)).map(endOf);
  const needed = Math.max(parsedAt, ...content.filter((at) => at <= loadedAt));
  // An image that keeps replacing itself lets the load event go when its next picture begins, and its first is shown: that is
  // content. Chrome says then that the request has finished, and takes it back when more comes.
  const isReplaced = ({ id, chunks }: Request): boolean =>
    verdicts.get(id)?.reason.code === 'replaces-itself' && chunks.filter(({ at }) => at <= loadedAt).length > 1;
  const last = holders.filter(
    (request) => endOf(request) > needed && endOf(request) <= loadedAt && !isReplaced(request),
  );
  const held = Math.max(...last.map(endOf));
  if (last.length === 0 || loadedAt - held > ONE_MOMENT_MS || loadedAt - needed < AT_ONCE_MS) return [];
  return urlsOf(last);
}

function urlsOf(requests: readonly Request[]): readonly string[] {
  return [...new Set(requests.map((request) => request.url))];
}
