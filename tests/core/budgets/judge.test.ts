import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeBudget } from '../../../src/core/budgets/judge.ts';
import type { BudgetResult } from '../../../src/model/budgets.ts';
import type { LighthouseResult } from '../../../src/model/lighthouse/lighthouse.ts';
import type { RunResult } from '../../../src/model/result/result.ts';
import { summarize } from '../../../src/result/summary.ts';
import { parseBudget } from '../../../src/settings/parse-budget.ts';
import { budgetSentence } from '../../../src/wording/budgets.ts';

const runOf = (pageComplete: number, index: number, byType: RunResult['byType'] = {}): RunResult => ({
  index,
  role: 'timed',
  ok: true,
  metrics: { pageComplete, requestCount: 12 },
  byType,
});
const judge = (text: string, runs: readonly RunResult[], lighthouse?: LighthouseResult): BudgetResult => {
  const parsed = parseBudget(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const judged = judgeBudget(parsed.budget, { runs, summary: summarize(runs), ...(lighthouse && { lighthouse }) });
  return { ...judged, sentence: budgetSentence(judged) };
};
const FIVE = [980, 990, 1000, 1010, 1020].map((at, i) => runOf(at, i + 1));

describe('a budget is judged on the interval', () => {
  test.each([
    ['page-complete=1020', 'pass'],
    ['page-complete=1019', 'undecided'],
    ['page-complete=980', 'undecided'],
    ['page-complete=979', 'fail'],
  ])('%s with runs from 980 to 1020 ms: %s', (text, state) => {
    expect(judge(text, FIVE)).toMatchObject({ state, value: 1000, low: 980, high: 1020 });
  });

  test('a single run has none, so that a tenth of it is left for the next one', () => {
    const one = [runOf(1000, 1)];
    expect(judge('page-complete=1100', one).state).toBe('pass');
    expect(judge('page-complete=1050', one).state).toBe('undecided');
    expect(judge('page-complete=950', one).state).toBe('undecided');
    expect(judge('page-complete=890', one).state).toBe('fail');
  });

  test('two runs that happen to agree are not sure either', () => {
    expect(judge('page-complete=1010', [runOf(1000, 1), runOf(1001, 2)]).state).toBe('undecided');
  });

  test('counts of one run decide', () => {
    expect(judge('requests=12', [runOf(1, 1)]).state).toBe('pass');
    expect(judge('requests=11', [runOf(1, 1)]).state).toBe('fail');
  });

  test('by type; a type that a page has none of counts 0, a page that was never complete is not known', () => {
    const runs = [runOf(1, 1, { script: { requests: 3, transferSize: 9000 } })];
    expect(judge('requests:script=2', runs)).toMatchObject({ state: 'fail', value: 3 });
    expect(judge('transfer-size:script=9kB', runs).state).toBe('pass');
    expect(judge('requests:font=0', runs)).toMatchObject({ state: 'pass', value: 0 });
    const { byType: _none, ...open } = runOf(1, 1);
    expect(judge('requests:font=0', [open]).state).toBe('unknown');
  });

  test('untimed and dropped runs do not count', () => {
    const runs: RunResult[] = [
      runOf(1000, 1),
      { ...runOf(9000, 2), role: 'evidence' },
      { ...runOf(9000, 3), excluded: 'x' },
    ];
    expect(judge('page-complete=2s', runs)).toMatchObject({ state: 'pass', value: 1000 });
  });

  test('what was not measured is unknown and says why', () => {
    expect(judge('load=2s', FIVE)).toMatchObject({
      state: 'unknown',
      sentence: 'Load event is not known: no run measured it.',
    });
    expect(judge('lighthouse:performance=0.9', FIVE).sentence).toContain('is --lighthouse on?');
  });

  test('Lighthouse scores have a least; performance differs from run to run', () => {
    const summary = (median: number) => ({ unit: 'score' as const, n: 1, median });
    const lighthouse: LighthouseResult = {
      waited: { strategy: 'own', blocked: [], sentence: '' },
      runs: [],
      categories: { performance: summary(0.9), seo: summary(0.9) },
      metrics: {},
      opportunities: [],
    };
    expect(judge('lighthouse:performance=0.85', FIVE, lighthouse).state).toBe('pass');
    expect(judge('lighthouse:performance=0.9', FIVE, lighthouse).state).toBe('undecided');
    expect(judge('lighthouse:performance=0.96', FIVE, lighthouse).state).toBe('fail');
    expect(judge('lighthouse:seo=0.9', FIVE, lighthouse).state).toBe('pass');
    expect(judge('lighthouse:seo=0.91', FIVE, lighthouse).state).toBe('fail');
  });
});

test('a looser limit is never worse, and the sentence says the state', () => {
  const worst = { pass: 0, undecided: 1, fail: 2, unknown: 3 };
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 0, max: 6000 }),
      fc.integer({ min: 0, max: 1000 }),
      (values, limit, more) => {
        const runs = values.map((value, i) => runOf(value, i + 1));
        const [tight, loose] = [
          judge(`page-complete=${limit}ms`, runs),
          judge(`page-complete=${limit + more}ms`, runs),
        ];
        expect(worst[loose.state]).toBeLessThanOrEqual(worst[tight.state]);
        expect(tight.sentence).toContain(
          { pass: 'within', fail: 'over', undecided: 'too close', unknown: 'not known' }[tight.state],
        );
      },
    ),
  );
});

describe('what the machine took', () => {
  const robbed = (undisturbed: number, taken: number, index: number): RunResult => ({
    ...runOf(undisturbed + taken, index),
    undisturbed: { pageComplete: undisturbed },
  });

  test('is no fault of the page', () => {
    const runs = [600, 80, 450, 200, 700].map((taken, i) => robbed(980 + 10 * i, taken, i + 1));
    const { state, basis, measured, sentence, ...figures } = judge('page-complete=1100', runs);
    expect({ state, basis }).toEqual({ state: 'pass', basis: 'undisturbed' });
    expect(figures).toMatchObject({ value: 1000, low: 980, high: 1020 });
    expect(measured).toEqual({ value: 1450, low: 1070, high: 1720 });
    expect(sentence).toBe(
      'Page complete 1.00 s (980 ms to 1.02 s), corrected for CPU time lost to other programs (1.45 s as measured): within its budget of at most 1.10 s.',
    );
    expect(judge('page-complete=900', runs).state).toBe('fail');
  });

  test('is left in where it is little, and where it is not known of each run', () => {
    const little = [980, 990, 1000, 1010, 1020].map((at, i) => robbed(at, 10, i + 1));
    const unknown = [...FIVE.slice(1), robbed(980, 600, 6)];
    for (const runs of [little, unknown]) expect(judge('page-complete=1500', runs)).not.toHaveProperty('basis');
  });
});
