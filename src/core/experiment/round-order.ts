import { fmix32, GOLDEN, TWO_TO_32 } from './hash32.ts';

/**
 * Pages, by their place in the list, in the order in which a round loads them: shuffled, so that no page always follows the
 * same other one. Follows from the number of pages and of the round (from 1) and from the seed alone: an audit, which has
 * none, has the same order again with as many pages.
 */
export function roundOrder(pages: number, round: number, seed = 0): readonly number[] {
  const order = Array.from({ length: pages }, (_, page) => page);
  // Fisher and Yates: each place draws from what is not placed yet.
  for (let place = pages - 1; place > 0; place--) {
    const drawn = fmix32((fmix32((seed + pages + Math.imul(round, GOLDEN)) >>> 0) + Math.imul(place, GOLDEN)) >>> 0);
    const other = Math.floor((drawn / TWO_TO_32) * (place + 1));
    [order[place], order[other]] = [order[other] ?? 0, order[place] ?? 0];
  }
  return order;
}
