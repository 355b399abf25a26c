import type { Ms } from '../../model/units.ts';

/** Work that is done every now and then, while it is wanted. */
export interface Paced {
  /** Does it, unless it was begun less than the interval ago, or is still under way: on a busy machine it would pile up. */
  at(now: Ms, work: () => Promise<void>): void;
}

/** @param interval the shortest time from one beginning to the next, ms */
export function paced(interval: Ms): Paced {
  let begun = Number.NEGATIVE_INFINITY;
  let isUnderWay = false;
  return {
    at(now, work) {
      if (isUnderWay || now - begun < interval) return;
      begun = now;
      isUnderWay = true;
      void work().finally(() => {
        isUnderWay = false;
      });
    },
  };
}
