import type { Ms } from '../../model/units.ts';
import { AT_ONCE_MS, DRAWN_WITHIN_MS, ONE_MOMENT_MS } from '../time/lags.ts';

/** When a film shows a paint that was reported at that time, given when what is seen changed. */
export function paintSeenAt(painted: Ms, changedAt: readonly Ms[]): Ms {
  const near = changedAt.findLast((at) => at <= painted + AT_ONCE_MS);
  if (near !== undefined && near >= painted - ONE_MOMENT_MS) return near;
  // A busy machine films late.
  const next = changedAt.find((at) => at > painted && at <= painted + DRAWN_WITHIN_MS);
  return next ?? painted + AT_ONCE_MS;
}

/**
 * Up to when a film shows what a page is made of that was complete at that time. The last answer is drawn after it came,
 * within the time in which any change is put down to what came before it; what a suspect brings after the page was
 * complete is no part of it.
 */
export function completeSeenAt(completeAt: Ms, suspectArrivals: readonly Ms[], until: Ms): Ms {
  const next = Math.min(...suspectArrivals.filter((at) => at > completeAt));
  return Math.min(until, Math.max(completeAt + AT_ONCE_MS, Math.min(completeAt + DRAWN_WITHIN_MS, next)));
}
