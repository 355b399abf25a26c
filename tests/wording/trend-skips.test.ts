import { expect, it } from 'vitest';
import type { SkipReason } from '../../src/model/trend.ts';
import { skippedInWords, skippedLine } from '../../src/wording/trend-skips.ts';
import { browsersInWords, whyByTime } from '../../src/wording/trend-words.ts';

const failure = { code: 'result-not-json', message: 'a/result.json is not JSON.' };

const REASONS: readonly (readonly [SkipReason, string])[] = [
  [{ code: 'copy', of: 'b/result.json' }, 'it is a copy of b/result.json'],
  [{ code: 'lone-shard', shard: { index: 1, of: 3 } }, 'it is shard 1 of 3 of a comparison, too few loads by itself'],
  [{ code: 'unmeasured' }, 'nothing was measured in it'],
  [
    { code: 'not-comparable', why: 'not-reached' },
    'no limit of its server was reached, so that it does not tell the most that this can do',
  ],
  [
    { code: 'not-comparable', why: 'open-load' },
    'it is of an open load (--rate), which does not look for the most that a server can do',
  ],
  [
    { code: 'not-comparable', why: 'interrupted' },
    'it was interrupted before the most that its server can do was found',
  ],
  [{ code: 'part', of: 'b/result.json' }, 'it is a part of b/result.json'],
  [{ code: 'unreadable', failure }, 'a/result.json is not JSON.'],
];

it.each(REASONS)('%j', (reason, because) => {
  const skipped = skippedInWords('a/result.json', reason);
  expect(skipped).toEqual({ path: 'a/result.json', code: reason.code, because, reason });
  const line = reason.code === 'unreadable' ? because : `a/result.json is left out: ${because}`;
  expect(skippedLine(skipped)).toBe(line);
});

it('says why results are in the order of time, and which browsers measured them', () => {
  expect(whyByTime(0)).toBe('The results are in the order of time: no result names a commit.');
  expect(whyByTime(2)).toBe('The results are in the order of time: this repository does not have their commits.');
  expect(browsersInWords([])).toBe('none');
  expect(browsersInWords(['A'])).toBe('A');
  expect(browsersInWords(['A', 'B', 'C'])).toBe('A, C and 1 more');
});
