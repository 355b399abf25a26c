import type { Ms } from '../../model/units.ts';

/**
 * When content ended, whatever brings it (messages, answers, steps of a list, changes of the picture): with the last fill
 * before the first quiet window without one.
 *
 * @param began what counts in any case, ms
 * @param fills the moments at which something was filled, in order, ms
 */
export function endOfContent(began: Ms, fills: readonly Ms[], quietWindow: Ms): Ms {
  return fills.reduce((last, at) => (at > last && at - last <= quietWindow ? at : last), began);
}
