import { expect, it } from 'vitest';
import type { SkipReason } from '../../../src/model/trend.ts';
import { skippedInWords, skippedLine } from '../../../src/wording/trend/skips.ts';
import { browsersInWords, whyByTime } from '../../../src/wording/trend/words.ts';
import { expectApproved, outlined, type Samples, wordsOf } from '../../support/approved.ts';

const failure = { code: 'result-not-json', message: 'a/result.json is not JSON.' };

const REASONS: Samples<SkipReason> = {
  copy: [{ of: 'b/result.json' }],
  'lone-shard': [{ shard: { index: 1, of: 3 } }],
  unmeasured: [{}],
  'not-comparable': [{ why: 'not-reached' }, { why: 'open-load' }, { why: 'interrupted' }],
  part: [{ of: 'b/result.json' }],
  unreadable: [{ failure }],
};

const linesOf = (reason: SkipReason): string => {
  const skipped = skippedInWords('a/result.json', reason);
  expect(skipped).toMatchObject({ path: 'a/result.json', code: reason.code, reason });
  return skippedLine(skipped);
};

it('what does not count, the order of time and browsers have their words', () =>
  expectApproved(
    'wording/trend-skips',
    outlined({
      'left out': wordsOf(REASONS, linesOf),
      'in the order of time': [whyByTime(0), whyByTime(2)],
      'measured by': [[], ['A'], ['A', 'B', 'C']].map(browsersInWords),
    }),
  ));
