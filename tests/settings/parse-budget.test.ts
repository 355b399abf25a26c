import { describe, expect, test } from 'vitest';
import { metrics } from '../../src/core/metrics/index.ts';
import { parseBudget } from '../../src/settings/parse-budget.ts';
import { expectApproved, outlined } from '../support/approved.ts';

const budgetOf = (given: Parameters<typeof parseBudget>[0]) => {
  const parsed = parseBudget(given, []);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.budget;
};

describe('a budget', () => {
  test.each([
    ['page-complete=2000', { metric: 'pageComplete', unit: 'ms', bound: 'max', limit: 2000, severity: 'error' }],
    ['LCP=2.5s:warn', { metric: 'largestContentfulPaint', limit: 2500, severity: 'warn' }],
    ['pageComplete<=800ms', { metric: 'pageComplete', limit: 800 }],
    ['transfer-size=1.5MB', { unit: 'bytes', limit: 1_500_000 }],
    ['transfer-size:image=500kB', { metric: 'transferSize:image', limit: 500_000 }],
    ['transfer-size:image=1KiB', { limit: 1024 }],
    ['requests=0', { metric: 'requestCount', unit: 'count', limit: 0 }],
    ['requests:script=20', { metric: 'requestCount:script', title: 'Requests (script)', limit: 20 }],
    ['lighthouse:performance=0.9', { unit: 'score', bound: 'min', limit: 0.9 }],
    ['lighthouse:best-practices>=90%', { bound: 'min', limit: 0.9 }],
    ['lighthouse:LCP=2s', { metric: 'lighthouse:largestContentfulPaint', bound: 'max', limit: 2000 }],
    ['INP=200', { metric: 'interactionToNextPaint', unit: 'ms', bound: 'max', limit: 200 }],
    ['CLS=0.1', { unit: 'score', bound: 'max', limit: 0.1 }],
  ])('%s', (text, expected) => {
    expect(budgetOf(text)).toMatchObject(expected);
  });

  const WRONG = [
    ...['', 'page-complete', 'LPC=2s', 'page-complte=2s', 'speed=3', 'page-complete=fast', 'page-complete=3kB'],
    ...['requests=2s', 'page-complete>=3s', 'lighthouse:performance<=0.9', 'lighthouse:performance=90'],
    ...[
      'page-complete=2',
      'LCP<=2.5:warn',
      'lighthouse:colour=1',
      'requests:toString=1',
      'load:script=1',
      'page-complete=2s:fatal',
    ],
  ];

  test('that cannot be is refused', () =>
    expectApproved(
      'settings/budgets',
      outlined(Object.fromEntries(WRONG.map((text) => [`"${text}"`, JSON.stringify(parseBudget(text, []))]))),
    ));

  test('of a few ms is meant where its unit is said, and 0 needs none', () => {
    expect(budgetOf('page-complete=2ms')).toMatchObject({ limit: 2 });
    expect(budgetOf('TBT=0')).toMatchObject({ limit: 0 });
    expect(budgetOf('INP=50')).toMatchObject({ limit: 50 });
  });

  test('as an object of a file', () => {
    expect(budgetOf({ metric: 'LCP', max: '2.5s', severity: 'warn' })).toEqual(budgetOf('LCP=2.5s:warn'));
    expect(budgetOf({ metric: 'lighthouse:seo', min: 0.9 })).toEqual(budgetOf('lighthouse:seo=0.9'));
    for (const wrong of [{ metric: 'LCP' }, { metric: 'LCP', max: 1, min: 1 }]) {
      expect(parseBudget(wrong, [])).toEqual({ problem: 'must have max or min, but not both' });
    }
  });

  test('every metric can have one, by the name that the budget is told by', () => {
    for (const { name } of metrics)
      expect(budgetOf(`${budgetOf(`${name}=100`).metric}=100`).source).toEqual({ kind: 'metric', metric: name });
  });
});
