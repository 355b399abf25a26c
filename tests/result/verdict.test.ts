import { describe, expect, it } from 'vitest';
import type { StatedConditions } from '../../src/model/host/conditions.ts';
import type { PageVerdict, RunResult, TargetResult } from '../../src/model/result/result.ts';
import { totalsOf } from '../../src/result/totals.ts';
import { verdictOf, worstVerdict } from '../../src/result/verdict.ts';
import { measuredTarget } from '../support/stored-results.ts';

const page = (times: readonly number[], largestContentfulPaint?: number): TargetResult => {
  const target = measuredTarget('https://shop.example/', times);
  if (largestContentfulPaint === undefined) return target;
  const paint = { unit: 'ms', n: times.length, median: largestContentfulPaint } as const;
  return { ...target, summary: { ...target.summary, largestContentfulPaint: paint } };
};
const open = (state: 'never' | 'unconfirmed', { index, role, ok }: RunResult): RunResult => ({
  index,
  role,
  ok,
  pageComplete: { state, observedUntil: 60_000, raw: { state: 'never' }, waitingFor: [] },
});
const withRuns = (target: TargetResult, change: (run: RunResult) => RunResult): TargetResult => ({
  ...target,
  runs: target.runs.map(change),
});

describe('a page in one word', () => {
  it.each<[number, PageVerdict]>([
    [1, 'good'],
    [2_500, 'good'],
    [2_501, 'needs-improvement'],
    [4_000, 'needs-improvement'],
    [4_001, 'poor'],
  ])('with a Largest Contentful Paint of %d ms is %s', (at, verdict) => {
    expect(verdictOf(page([1_000, 1_010, 1_020], at))).toBe(verdict);
  });

  it.each<[number, PageVerdict, PageVerdict]>([
    [2_400, 'good', 'good'],
    [3_000, 'needs-improvement', 'good'],
    [6_000, 'poor', 'needs-improvement'],
    [9_000, 'poor', 'poor'],
  ])('complete after %d ms is %s on a desktop and %s on a phone, however early it painted', (at, desktop, phone) => {
    const target = page([at, at, at], 400);
    expect(verdictOf(target)).toBe(desktop);
    expect(verdictOf({ ...target, conditions: { device: { mobile: true } } as StatedConditions })).toBe(phone);
  });

  it('is judged by page complete where nothing is known of what was painted', () => {
    expect(verdictOf(page([1_000, 1_010, 1_020]))).toBe('good');
    expect(verdictOf(page([5_000]))).toBe('poor');
  });

  it('is its outcome where it has no time', () => {
    const whole = page([1_000, 1_010], 900);
    expect(verdictOf(withRuns(whole, (run) => open('never', run)))).toBe('never');
    expect(verdictOf(withRuns(whole, (run) => open('unconfirmed', run)))).toBe('unconfirmed');
    expect(verdictOf(withRuns(whole, ({ index, role }) => ({ index, role, ok: false })))).toBe('unmeasured');
    expect(verdictOf({ runs: [], summary: {} })).toBe('unmeasured');
  });

  it('is not good where it was complete in some runs only', () => {
    const some = (target: TargetResult) => withRuns(target, (run) => (run.index === 2 ? open('never', run) : run));
    expect(verdictOf(some(page([1_000, 1_010, 1_020], 900)))).toBe('needs-improvement');
    expect(verdictOf(some(page([1_000, 1_010, 1_020], 9_000)))).toBe('poor');
  });

  it('of several is the worst', () => {
    expect(worstVerdict(['good', 'unconfirmed', 'poor'])).toBe('unconfirmed');
    expect(worstVerdict(['good', 'needs-improvement'])).toBe('needs-improvement');
    expect(worstVerdict(['never', 'unmeasured'])).toBe('unmeasured');
    expect(worstVerdict([])).toBe('unmeasured');
  });
});

it('what the page needed is what the run that stands for it needed', () => {
  const scripts = (requests: number) => ({ script: { requests, transferSize: 1_000 * requests } });
  const target = withRuns(page([1_000, 1_010, 1_020]), (run) => ({ ...run, byType: scripts(run.index) }));
  expect(totalsOf(target.runs)).toEqual({ byType: scripts(2) });
  expect(totalsOf(page([1_000]).runs)).toBeUndefined();
});
