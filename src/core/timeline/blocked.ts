import type { Timeline } from '../../model/network/timeline.ts';

/** The timeline without what the user had blocked: it is shown, but it was never on its way, so it counts for nothing. */
export function withoutBlocked(timeline: Timeline): Timeline {
  const isBlocked = timeline.requests.some(({ outcome }) => outcome === 'blocked');
  if (!isBlocked) return timeline;
  return { ...timeline, requests: timeline.requests.filter(({ outcome }) => outcome !== 'blocked') };
}
