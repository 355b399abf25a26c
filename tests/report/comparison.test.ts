import { describe, expect, test } from 'vitest';
import { columnsFor } from '../../src/jobs/engine/reports/report-model.ts';
import type { Difference, MetricComparison } from '../../src/model/compare/comparison.ts';
import type { RunResult } from '../../src/model/result/result.ts';
import {
  changeInterval,
  changeText,
  coverage,
  decisionWord,
  differencesInWords,
  failuresOf,
  gateInWords,
  minEffectsText,
  placedRuns,
  reachOf,
  shownMetrics,
  toneOf,
  verdictOf,
} from '../../src/report/comparison.ts';
import { drawInterval } from '../../src/reporters/terminal/interval.ts';
import { comparisonReport } from '../reporters/comparison.ts';

const RATIO: Difference = {
  relative: 0.0387,
  absolute: 58,
  low: 0.0208,
  high: 0.0512,
  level: 0.95,
  minEffect: { up: 0.05, down: -0.0476 },
};

const METRIC: MetricComparison = {
  metric: 'pageComplete',
  unit: 'ms',
  scale: 'ratio',
  gate: true,
  base: { n: 10, median: 1500 },
  candidate: { n: 10, median: 1558 },
  difference: RATIO,
  decision: 'slower',
  fails: false,
  sentence: 'Page complete is 3.9% slower.',
};

/** The same without the ends of the interval that are named. */
function without(...ends: readonly ('low' | 'high')[]): Difference {
  return Object.fromEntries(
    Object.entries(RATIO).filter(([key]) => !ends.includes(key as 'low')),
  ) as unknown as Difference;
}

describe('a change', () => {
  test('of a ratio is a share with its sign', () => {
    expect(changeText(METRIC)).toBe('+3.9%');
    expect(changeInterval(METRIC)).toBe('+2.1% to +5.1%');
    expect(changeText({ unit: 'ms', difference: { ...RATIO, relative: -0.12 } })).toBe('−12%');
    expect(changeText({ unit: 'ms', difference: { ...RATIO, relative: -0.0004 } })).toBe('−0.04%');
    expect(changeText({ unit: 'ms', difference: { ...RATIO, relative: 0 } })).toBe('0%');
  });

  test('of a metric that can be zero is in its unit', () => {
    const { relative: _, ...shift } = RATIO;
    const difference = { ...shift, absolute: 12, low: -3, high: 40 };
    expect(changeText({ unit: 'ms', difference })).toBe('+12 ms');
    expect(changeInterval({ unit: 'ms', difference })).toBe('−3.0 ms to +40 ms');
    expect(changeInterval({ unit: 'score', difference: { ...difference, low: 0, high: 0 } })).toBe('0');
  });

  test('an end that is missing is said to be', () => {
    expect(changeInterval({ unit: 'ms', difference: without('low', 'high') })).toBe('unbounded');
    expect(changeInterval({ unit: 'ms', difference: without('low') })).toBe('+5.1% or less');
    expect(changeInterval({ unit: 'ms', difference: without('high') })).toBe('+2.1% or more');
    expect(changeInterval({ unit: 'ms' })).toBe('–');
  });
});

test('what half of an α covers is not rounded up', () => {
  expect(coverage(0.95)).toBe('95%');
  expect(coverage(0.975)).toBe('97.5%');
  expect(coverage(0.98333)).toBe('98.3%');
  expect(coverage(0.57)).toBe('57%');
});

describe('a decision', () => {
  test('is in the words of its unit', () => {
    expect(decisionWord({ decision: 'slower', unit: 'bytes', scale: 'ratio' })).toBe('larger');
    expect(decisionWord({ decision: 'faster', unit: 'count', scale: 'ratio' })).toBe('fewer');
    expect(decisionWord({ decision: 'slower', unit: 'score', scale: 'shift' })).toBe('worse');
    expect(decisionWord({ decision: 'faster', unit: 'ms', scale: 'shift' })).toBe('shorter');
    expect(decisionWord({ decision: 'unsure', unit: 'bytes', scale: 'ratio' })).toBe('unsure');
  });

  test('is dressed as worse from the smallest effect of interest on, and never when it is better', () => {
    expect(toneOf(METRIC)).toBe('slight');
    expect(toneOf({ ...METRIC, difference: { ...RATIO, relative: 0.05 } })).toBe('worse');
    expect(toneOf({ ...METRIC, fails: true })).toBe('worse');
    expect(toneOf({ ...METRIC, decision: 'faster', difference: { ...RATIO, relative: 0.3 } })).toBe('better');
  });

  test('says what becomes of the gate', () => {
    expect(gateInWords(METRIC)).toBe('gate passes');
    expect(gateInWords({ ...METRIC, fails: true })).toBe('gate fails');
    expect(gateInWords({ ...METRIC, difference: { ...RATIO, high: 0.049 } })).toBe('too little to matter');
    expect(gateInWords({ ...METRIC, gate: false })).toBeUndefined();
    expect(gateInWords({ ...METRIC, decision: 'faster' })).toBeUndefined();
  });

  test('of the whole is a word without a figure', () => {
    const words = (['slower', 'faster', 'same', 'unsure', 'invalid'] as const).map(
      (outcome) => verdictOf(comparisonReport({ outcome })).word,
    );
    expect(words).toEqual(['Slower', 'Faster', 'The same', 'Undecided', 'Not valid']);
    const report = comparisonReport();
    const comparisons = report.result.comparisons.map((each) => ({ ...each, gate: each.metric === 'transferSize' }));
    expect(verdictOf({ ...report, result: { ...report.result, comparisons } }).word).toBe('Worse');
  });
});

test('gates come first, and metrics without a column keep their name', () => {
  const report = comparisonReport();
  const comparisons = report.result.comparisons.toReversed();
  const shown = shownMetrics({ ...report, columns: [], result: { ...report.result, comparisons } });
  expect(shown.slice(0, 2).map(({ title }) => title)).toEqual(['largestContentfulPaint', 'pageComplete']);
  expect(shown).toHaveLength(comparisons.length);
});

test('loads are in the order in which they were made, both builds together', () => {
  const report = comparisonReport({ dropped: 1 });
  const placed = placedRuns(report);
  expect(placed).toHaveLength(13 * 4);
  const place = placed.map(({ block = 0, order = 0 }) => block * 4 + order);
  expect(place).toEqual(place.toSorted((a, b) => a - b));
});

describe('a drawn interval', () => {
  test('stands against the smallest effect of interest', () => {
    expect(drawInterval(RATIO, 2, 25)).toBe('──────[─────┼─━━━●]──────');
    expect(drawInterval({ ...RATIO, relative: -0.08, low: -0.09, high: -0.06 }, 2, 25)).toBe(
      '─━●━━━[─────┼─────]──────',
    );
  });

  test('has an arrow where an end is further out or missing', () => {
    expect(drawInterval(without('low', 'high'), 2, 25)).toBe('◀━━━━━[━━━━━┼━━━━●]━━━━━▶');
    expect(drawInterval({ ...RATIO, high: 0.5 }, 2, 25).endsWith('━▶')).toBe(true);
    expect(drawInterval({ ...RATIO, low: -0.5 }, 2, 25).startsWith('◀━')).toBe(true);
  });

  test('reaches as far as the farthest, up to a bound', () => {
    expect(reachOf([RATIO], 4)).toBeCloseTo(2.1);
    expect(reachOf([{ ...RATIO, high: 0.15 }], 4)).toBeCloseTo(3.15);
    expect(reachOf([{ ...RATIO, high: 9 }], 4)).toBe(4);
    expect(reachOf([], 4)).toBeCloseTo(2.1);
  });
});

test('other background traffic alone does not make another page', () => {
  const report = comparisonReport({ different: true });
  expect(differencesInWords(report.result)).toEqual({ heading: 'The two pages are not the same page', grave: true });
  const pageDifferences = [{ code: 'background', message: 'One poll more.' }] as const;
  expect(differencesInWords({ pageDifferences }).grave).toBe(false);
});

test('loads that failed are counted as the differences of the pages count them', () => {
  const report = comparisonReport({ dropped: 2 });
  const { runs } = report.candidate.result;
  const failures = failuresOf(report, 'candidate');
  const twice = runs.filter(({ ok }) => !ok).length;
  expect(failures).toMatchObject({ failed: 2 * twice, of: runs.length - ablations(runs) + twice });
  expect(failures.reasons).toHaveLength(1);
});

const ablations = (runs: readonly RunResult[]): number => runs.filter(({ role }) => role === 'ablation').length;

test('a floor in milliseconds is told where it is more than the share for a short time', () => {
  const { comparisons } = comparisonReport().result;
  const told = (of: typeof comparisons) => minEffectsText({ result: { comparisons: of }, columns: columnsFor([]) });
  expect(told(comparisons)).toBe('±5%');
  const wider = comparisons.map((each) =>
    each.metric === 'timeToFirstByte' && each.difference !== undefined
      ? {
          ...each,
          base: { ...each.base, median: 62.5 },
          difference: { ...each.difference, minEffect: { up: 0.16, down: -0.138 } },
        }
      : each,
  );
  expect(told(wider)).toBe('±5% (or 10 ms, where that is more)');
  const paints = wider.map((each) =>
    each.metric === 'largestContentfulPaint' && each.difference !== undefined
      ? {
          ...each,
          base: { ...each.base, median: 42.5 },
          difference: { ...each.difference, minEffect: { up: 0.4, down: -0.286 } },
        }
      : each,
  );
  expect(told(paints)).toBe('±5% (or 10 ms, 17 ms for paints, where that is more)');
  expect(told(paints.filter(({ metric }) => metric !== 'timeToFirstByte'))).toBe(
    '±5% (or 17 ms for paints, where that is more)',
  );
  const short = paints.map((each) =>
    each.gate && each.difference !== undefined && each.metric !== 'largestContentfulPaint'
      ? {
          ...each,
          base: { ...each.base, median: 172 },
          difference: { ...each.difference, minEffect: { up: 10 / 172, down: -0.055 } },
        }
      : each,
  );
  expect(told(short.map((each) => ({ ...each, gate: each.metric === 'pageComplete' })))).toBe(
    '±10 ms (17 ms for paints)',
  );
  const painted = short.map((each) =>
    each.metric === 'pageComplete' && each.difference !== undefined
      ? { ...each, difference: { ...each.difference, minEffect: { up: 17 / 172, down: -0.09 } } }
      : each,
  );
  expect(told(painted.map((each) => ({ ...each, gate: each.metric === 'pageComplete' })))).toBe(
    '±17 ms (10 ms for what is not painted)',
  );
  expect(told([])).toBeUndefined();
});
