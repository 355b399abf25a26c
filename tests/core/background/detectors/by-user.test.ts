import { describe, expect, it } from 'vitest';
import { classify } from '../../../../src/core/background/index.ts';
import { DEFAULT_POLICY } from '../../../../src/core/completion/default-policy.ts';
import { page, type Script, type Scripted, timelineOf } from '../../../support/scripted.ts';

/** The kinds of background in a page with these requests, each once; its load event fires at 60 ms. */
const kinds = (requests: readonly Scripted[], marks: Partial<Script> = {}): readonly string[] => {
  const until = Math.max(...requests.map(({ from }) => from)) + 100;
  const { verdicts } = classify(timelineOf({ requests: page(...requests), ...marks, until }), DEFAULT_POLICY);
  return [...new Set([...verdicts.values()].map(({ kind }) => kind))];
};

/** One place in a script asks at these times. */
const asked = (at: readonly number[], make: (i: number, from: number) => Partial<Scripted>): readonly Scripted[] =>
  at.map((from, i) => ({ path: '/list', from, to: from + 25, line: 7, ...make(i, from) }));

const SCROLLS = [200, 8_798, 10_471, 11_825, 13_102];
const WORD = ['l', 'la', 'lam', 'lamp', 'lamps', 'lamps+r', 'lamps+re', 'lamps+red'];
const TYPED = [6_000, 6_210, 6_370, 6_690, 6_860, 7_300, 7_480, 7_610];
const TABS = [5_100, 7_400, 11_900, 13_800, 16_100];

describe('what a user did is no background', () => {
  it('scrolling: the next part of a list, by a cursor, an offset, a page or a body', () => {
    expect(kinds(asked(SCROLLS, (i) => ({ path: `/list?before=${1_735_689_749_000 - i * 55_000}` })))).toEqual([]);
    expect(kinds(asked(SCROLLS, (i) => ({ path: `/list?limit=20&offset=${i * 20}` })))).toEqual([]);
    expect(kinds(asked(SCROLLS, (i) => ({ path: `/list/page/${i + 1}` })))).toEqual([]);
    const more = (i: number) => ({ method: 'POST', body: JSON.stringify({ operationName: 'Feed', after: `c${i}` }) });
    expect(kinds(asked(SCROLLS, more))).toEqual([]);
    // Longer than a habit takes.
    const long = [...SCROLLS, 14_900, 15_700, 17_950, 19_100, 22_800];
    expect(kinds(asked(long, (i) => ({ path: `/list?cursor=x${i * 17}` })))).toEqual([]);
  });

  it('typing: each letter another search, answered, given up or failed', () => {
    const search = (more: Partial<Scripted> = {}) => asked(TYPED, (i) => ({ path: `/search?q=${WORD[i]}`, ...more }));
    expect(kinds(search())).toEqual([]);
    expect(kinds(search({ status: 503 }))).toEqual([]);
    const givenUp = (at: readonly number[]) =>
      asked(at, (i, from) => ({
        path: `/search?q=${WORD[i]}`,
        to: at[i + 1] ?? from + 25,
        ...(i + 1 < at.length && { canceled: true, unanswered: true }),
      }));
    expect(kinds(givenUp(TYPED))).toEqual([]);
    expect(kinds(givenUp([6_000, 6_450, 6_980, 7_500, 8_060, 8_640, 9_080, 9_500]))).toEqual([]);
  });

  it('clicking: one tab after the other', () => {
    expect(kinds(asked(TABS, (i) => ({ path: `/tab-${'abcde'[i]}` })))).toEqual([]);
    expect(kinds(asked(TABS, (i) => ({ path: `/products/${100 + i}` })))).toEqual([]);
  });
});

describe('what looks like it, and is background', () => {
  const cursor = (i: number): Partial<Scripted> => ({ path: `/news?since=${i}` });
  const jittered = [4_000, 7_900, 12_600, 16_800, 21_900];

  it('asks as evenly as a timer', () => {
    const even = [0, 1, 2, 3, 4].map((i) => 5_000 + i * 4_000 + (i % 2) * 60);
    expect(kinds(asked(even, cursor))).toEqual(['poll']);
  });

  it('is asked by a timer', () => {
    expect(kinds(asked(jittered, cursor))).toEqual([]);
    expect(kinds(asked(jittered, (i) => ({ ...cursor(i), timer: 'setTimeout' })))).toEqual(['poll']);
  });

  it('begins with the load', () => {
    expect(kinds(asked([100, 1_100, 2_300, 3_350, 4_500], cursor))).toEqual(['poll']);
    expect(kinds(asked(jittered, cursor), { load: null })).toEqual([]);
    expect(kinds(asked(jittered, cursor), { load: null, dcl: null })).toEqual(['poll']);
    expect(kinds(asked(jittered, cursor), { load: 6_000 })).toEqual(['poll']);
  });

  it('is one question, whatever keeps its answers out of caches', () => {
    expect(kinds(asked(jittered, () => ({})))).toEqual(['poll']);
    expect(kinds(asked(jittered, (i) => ({ path: `/news?_=${1_735_000_000_000 + i}` })))).toEqual(['poll']);
    expect(kinds(asked(jittered, (_, from) => ({ path: `/news?upTo=${1_735_000_000_000 + from}` })))).toEqual(['poll']);
    expect(kinds(asked(jittered, (_, from) => ({ path: `/b-${1_735_000_000_000 + from}.json` })))).toEqual(['poll']);
    expect(
      kinds(asked(jittered, (_, from) => ({ path: `/news?at=${1_735_000_000 + Math.floor(from / 1_000)}` }))),
    ).toEqual(['poll']);
    expect(kinds(asked(jittered, () => ({ status: 503 })))).toEqual(['reconnect']);
  });
});
