import type { Lab } from '../../../model/recording/lab.ts';
import type { Labs } from '../labs.ts';

/** How one of several is loaded untimed. */
export interface UntimedTurn {
  /** Aborts when nothing more is wanted. */
  readonly signal: AbortSignal;
  lab(): Promise<Lab>;
  /** Is that the second browser? */
  readonly inSecondBrowser: boolean;
  /** To be called when the page is only watched for what may still come, and leaves the machine to others. */
  onOnlyWatched(): void;
}

/** What is loaded untimed one after the other, the next one beginning early where it may. */
export interface UntimedOverlap<T> {
  /** The i-th: begun by now, or begun with this call. In order of `i`. */
  result(i: number): Promise<T>;
  /** Ends what was begun and nobody asked for. */
  close(): Promise<void>;
}

/**
 * Loads several pages untimed. Each begins when the one before it is only watched, in the other of two browsers, for a
 * browser traces one load at a time: the first, third, … in the first, the others in the second. Close it before a load is
 * timed.
 */
export function createUntimedOverlap<Item, T>(
  items: readonly Item[],
  { lab, secondBrowser }: Pick<Labs, 'lab' | 'secondBrowser'>,
  outer: AbortSignal,
  load: (item: Item, turn: UntimedTurn) => Promise<T>,
): UntimedOverlap<T> {
  const second = items.length > 1 ? secondBrowser?.() : undefined;
  const ended = new AbortController();
  const signal = AbortSignal.any([outer, ended.signal]);
  const begun: Promise<T>[] = [];
  const begin = (i: number): void => {
    const item = items[i];
    if (begun[i] || item === undefined) return;
    const inSecondBrowser = second !== undefined && i % 2 === 1;
    const result = load(item, {
      signal,
      inSecondBrowser,
      lab: inSecondBrowser ? second.lab : lab,
      async onOnlyWatched() {
        // The other browser may still have the page before this one.
        await begun[i - 1]?.catch(() => undefined);
        if (second && !signal.aborted) begin(i + 1);
      },
    });
    begun[i] = result;
    // The caller of result() gets the rejection.
    result.catch(() => undefined);
  };
  return {
    async result(i) {
      begin(i);
      const result = begun[i];
      if (!result) throw new RangeError(`${i} of ${items.length}`);
      return await result;
    },
    async close() {
      ended.abort();
      await Promise.allSettled(begun);
      await second?.close();
    },
  };
}
