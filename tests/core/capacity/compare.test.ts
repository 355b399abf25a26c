import { expect, test } from 'vitest';
import { timeAtRate } from '../../../src/core/capacity/at-rate.ts';
import { judgeBudgets } from '../../../src/core/capacity/budgets.ts';
import { compareCapacities } from '../../../src/core/capacity/compare.ts';
import { judgeCapacity } from '../../../src/core/capacity/judge.ts';
import type { CapacityBudget } from '../../../src/model/capacity.ts';
import { parseCapacityBudget } from '../../../src/settings/parse-capacity-budget.ts';
import { budgetInWords, comparisonSentence } from '../../../src/wording/capacity.ts';
import { type Law, levelsOf, pool } from './simulated.ts';

const judge = (law: Law) =>
  judgeCapacity(levelsOf(law, [1, 2, 4, 8, 16, 32, 64]), { load: 'closed', seed: 1, shared: false, watched: false });

function budget(text: string): CapacityBudget {
  const read = parseCapacityBudget(text);
  if ('problem' in read) throw new Error(read.problem);
  return read.budget;
}

test('more places are better, fewer worse, and the same is the same', () => {
  const [less, more] = [judge(pool(8, 100)), judge(pool(16, 100))];
  expect(compareCapacities(less, more)?.decision).toBe('better');
  expect(compareCapacities(more, less)?.decision).toBe('worse');
  const same = compareCapacities(less, judge(pool(8, 100)));
  expect(same?.decision).toBe('same');
  expect(same?.maxRatio.value).toBeCloseTo(1);
  const compared = compareCapacities(less, more);
  expect(compared && comparisonSentence(compared)).toMatch(/^The candidate can take more: highest throughput \+100%/);
  expect(
    compareCapacities(less, judgeCapacity([], { load: 'closed', seed: 1, shared: false, watched: false })),
  ).toBeUndefined();
});

test('a server whose limit was not reached may take more than was seen', () => {
  const upTo = (law: Law, most: number) =>
    judgeCapacity(
      levelsOf(
        law,
        [1, 2, 4, 8, 16, 32, 64].filter((level) => level <= most),
      ),
      { load: 'closed', seed: 1, shared: false, watched: false },
    );
  const [reached, open] = [judge(pool(8, 100)), upTo(pool(16, 100), 4)];
  expect(open.limit).toBe('not-reached');
  const compared = compareCapacities(reached, open);
  expect(compared).toMatchObject({ decision: 'unsure', notReached: ['candidate'] });
  expect(compared && comparisonSentence(compared)).toMatch(
    /^The difference is not certain: .*\. The limit of the candidate was not reached: it may take more/,
  );
  expect(compareCapacities(open, reached)).toMatchObject({ decision: 'unsure', notReached: ['base'] });
  // What was seen of it is more than the other one can do.
  expect(compareCapacities(judge(pool(2, 100)), open)?.decision).toBe('better');
  const both = compareCapacities(open, upTo(pool(32, 100), 4));
  expect(both).toMatchObject({ decision: 'same', notReached: ['base', 'candidate'] });
  expect(both && comparisonSentence(both)).toMatch(/^No difference was seen: .* Neither limit was reached/);
});

test('a server that fails with more load has reached its limit', () => {
  const base = judge(pool(8, 100));
  const failing = { ...judge(pool(4, 100)), limit: 'not-reached', limitFacts: { failingFrom: 16 } } as const;
  expect(compareCapacities(base, failing)?.decision).toBe('worse');
});

test('a candidate that is slower at the same rate is worse, though it can take as much', () => {
  const compared = compareCapacities(judge(pool(8, 100)), judge(pool(16, 200)));
  expect(compared?.decision).toBe('worse');
  expect(compared?.p90Ratio?.value).toBeCloseTo(2, 1);
  expect(compared && comparisonSentence(compared)).toMatch(/^The candidate is slower: highest throughput/);
});

test('a time at a rate is between the levels around it', () => {
  const { levels } = judge(pool(8, 100));
  expect(timeAtRate(levels, 60, 'mean')?.value).toBeCloseTo(100);
  expect(timeAtRate(levels, 5, 'p90')?.value).toBeCloseTo(100, 0);
  expect(timeAtRate(levels, 200, 'p90')).toBeUndefined();
});

test('budgets are judged on their interval', () => {
  const figures = judge(pool(8, 100));
  const states = [
    'capacity=50',
    'capacity=80',
    'capacity>=100',
    'p90@60/s=120ms',
    'p90@60/s<=90ms',
    'mean@500/s=1s:warn',
  ].map((text) => judgeBudgets([budget(text)], figures)[0]);
  expect(states.map((each) => each?.state)).toEqual(['pass', 'undecided', 'fail', 'pass', 'fail', 'fail']);
  expect(states.map((each) => each && budgetInWords(each).sentence)).toEqual([
    expect.stringMatching(/^capacity is 80\/s \(.*\), which is at least 50\/s\.$/),
    expect.stringContaining('which may be at least 80/s'),
    expect.stringContaining('which is not at least 100/s'),
    expect.stringMatching(/^p90@60\/s is 100 ms.*which is at most 120 ms\.$/),
    expect.stringContaining('which is not at most 90 ms'),
    'mean@500/s must be at most 1.00 s, and that rate was not reached.',
  ]);
});

test('budgets as typed', () => {
  expect(budget('p99@500/s=1s:warn')).toMatchObject({
    bound: 'max',
    limit: 1000,
    severity: 'warn',
    figure: { rate: 500 },
  });
  expect(parseCapacityBudget({ metric: 'capacity', min: 1000 })).toMatchObject({
    budget: { bound: 'min', limit: 1000 },
  });
  for (const wrong of [
    'capacity',
    'capacity=0',
    'capacity<=5',
    'p80@5/s=1s',
    'p90@5/s>=1s',
    'p90@/s=1s',
    'page-complete=2s',
  ]) {
    expect(parseCapacityBudget(wrong), wrong).toHaveProperty('problem');
  }
});
