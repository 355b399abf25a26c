import { describe, expect, it } from 'vitest';
import { createUntimedOverlap, type UntimedTurn } from '../../../../src/jobs/engine/evidence/untimed-overlap.ts';
import type { Lab } from '../../../../src/model/recording/lab.ts';

const labNamed = (product: string): Lab => ({
  product,
  userAgent: '',
  record: () => Promise.reject(new Error('not asked')),
  alive: () => true,
  close: async () => undefined,
});

/** Loads that end when they are told to; `said` is what happened. */
function begin(count: number, { second = true, signal = new AbortController().signal } = {}) {
  const said: string[] = [];
  const turns: UntimedTurn[] = [];
  const ends: ((value: string) => void)[] = [];
  const labs = {
    lab: async () => labNamed('first'),
    ...(second && {
      secondBrowser: () => ({
        lab: async () => labNamed('second'),
        close: async () => void said.push('second closed'),
      }),
    }),
  };
  const overlap = createUntimedOverlap([...Array(count).keys()], labs, signal, async (i, turn) => {
    turns[i] = turn;
    said.push(`${i} in the ${(await turn.lab()).product}`);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    ends[i] = resolve;
    turn.signal.addEventListener('abort', () => reject(new Error('aborted')));
    return promise;
  });
  return { overlap, said, turns, ends };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('pages that are loaded untimed', () => {
  it('begin when the one before is only watched, in the browser that is free', async () => {
    const { overlap, said, turns, ends } = begin(3);
    const first = overlap.result(0);
    await settled();
    turns[0]?.onOnlyWatched();
    await settled();
    turns[1]?.onOnlyWatched();
    await settled();
    // The first browser has still the first page.
    expect(said).toEqual(['0 in the first', '1 in the second']);
    ends[0]?.('one');
    expect(await first).toBe('one');
    await settled();
    expect(said.slice(2)).toEqual(['2 in the first']);
    ends[1]?.('two');
    ends[2]?.('three');
    expect([await overlap.result(1), await overlap.result(2)]).toEqual(['two', 'three']);
    await overlap.close();
    expect(said.slice(3)).toEqual(['second closed']);
  });

  it.each([
    ['in one browser without a second', { second: false }, 'first'],
    ['when it is not told that a page is only watched', {}, 'second'],
  ])('come one after the other %s', async (_, options, browser) => {
    const { overlap, said, turns, ends } = begin(2, options);
    const first = overlap.result(0);
    await settled();
    if ('second' in options) turns[0]?.onOnlyWatched();
    await settled();
    expect(said).toEqual(['0 in the first']);
    ends[0]?.('one');
    await first;
    const second = overlap.result(1);
    await settled();
    expect(said.slice(1)).toEqual([`1 in the ${browser}`]);
    ends[1]?.('two');
    await second;
    await overlap.close();
  });

  it('end what was begun and is not wanted, and begin nothing more', async () => {
    const user = new AbortController();
    const { overlap, said, turns } = begin(3, { signal: user.signal });
    const first = overlap.result(0);
    await settled();
    turns[0]?.onOnlyWatched();
    await settled();
    user.abort();
    turns[1]?.onOnlyWatched();
    await expect(first).rejects.toThrow('aborted');
    await overlap.close();
    expect(said).toEqual(['0 in the first', '1 in the second', 'second closed']);
  });
});
