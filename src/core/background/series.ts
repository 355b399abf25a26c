import type { Request, Timeline } from '../../model/timeline.ts';
import { endpointOf } from './endpoint.ts';

/** Types that scripts ask again and again with; everything else is loaded once. */
const REPEATABLE: ReadonlySet<string> = new Set(['xhr', 'fetch', 'script', 'image', 'document', 'other']);

/** The requests of a timeline that went to the same endpoint, each series in order of start; single ones left out. */
export function seriesOf(timeline: Timeline): readonly (readonly Request[])[] {
  const groups = new Map<string, Request[]>();
  for (const request of timeline.requests) {
    if (request.fromPreviousDocument || request.mainDocument || request.hop > 0) continue;
    if (!REPEATABLE.has(request.type)) continue;
    const { key } = endpointOf(request);
    const group = groups.get(key);
    if (group) group.push(request);
    else groups.set(key, [request]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}
