import { describe, expect, test } from 'vitest';
import type { MetricComparison } from '../../src/model/compare/comparison.ts';
import type { CompareReport } from '../../src/model/result/report.ts';
import type { TargetResult } from '../../src/model/result/result.ts';
import { shownMetrics, verdictOf } from '../../src/report/comparison.ts';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { renderComparisonMarkdown } from '../../src/reporters/markdown/compare.ts';
import { renderComparison } from '../../src/reporters/terminal/compare.ts';
import { comparedHeadline } from '../../src/result/representative.ts';
import { comparisonAnswer, metricSentence } from '../../src/wording/compare/comparison.ts';
import { wordsIn } from '../support/visible-text.ts';
import { comparisonReport } from './comparison.ts';

/** The same page with small parts behind its larger one, `after` so long in the base and in the candidate, ms. */
function withSmallParts(after: { base: number; candidate: number }): CompareReport {
  const { result, ...report } = comparisonReport();
  const [gate] = result.comparisons;
  if (gate?.difference === undefined) throw new Error('page complete is compared');
  const figures = {
    ...gate,
    metric: 'mostlyComplete',
    gate: false,
    fails: false,
    decision: 'same',
    base: { ...gate.base, median: 900 },
    candidate: { ...gate.candidate, median: 905 },
    difference: { ...gate.difference, relative: 0.006, absolute: 5, low: -0.011, high: 0.018 },
  } as const;
  const mostly: MetricComparison = { ...figures, sentence: metricSentence(figures, 'Mostly complete') };
  const withMostly = (target: TargetResult, later: number): TargetResult => {
    const { pageComplete } = target.summary;
    if (pageComplete === undefined) throw new Error('page complete was measured');
    const mostlyComplete = { ...pageComplete, median: pageComplete.median - later };
    return { ...target, summary: { ...target.summary, mostlyComplete } };
  };
  const base = withMostly(result.base, after.base);
  const candidate = withMostly(result.candidate, after.candidate);
  return {
    ...report,
    base: { ...report.base, result: base },
    candidate: { ...report.candidate, result: candidate },
    result: { ...result, base, candidate, comparisons: [...result.comparisons, mostly] },
  };
}

const leading = (report: CompareReport): readonly string[] =>
  shownMetrics(report).flatMap(({ comparison, isAnswer }) => (isAnswer ? comparison.metric : []));

describe('small parts that follow', () => {
  test.each([
    ['the base', { base: 340, candidate: 0 }],
    ['the candidate', { base: 0, candidate: 340 }],
  ])('in %s make mostly complete the headline of both; the verdict is that of the gates', (_, after) => {
    const report = withSmallParts(after);
    const [answer, [first, ...others]] = comparisonAnswer(report.result);
    expect(answer).toBe('The candidate is slower.');
    expect(verdictOf(report).word).toBe('Slower');
    expect(first).toBe('Mostly complete: no change larger than 5% (between −1.1% and 1.8%).');
    expect(others[0]).toMatch(/^Page complete/);
    expect(leading(report).slice(0, 2)).toEqual(['mostlyComplete', 'pageComplete']);
  });

  test('change nothing where no build has them, or where page complete does not decide', () => {
    const alike = withSmallParts({ base: 0, candidate: 2 });
    expect(comparedHeadline(alike.result)).toBeUndefined();
    expect(shownMetrics(alike).map(({ comparison }) => comparison.metric)).not.toContain('mostlyComplete');
    const { result } = withSmallParts({ base: 340, candidate: 340 });
    const comparisons = result.comparisons.map((each) =>
      each.metric === 'pageComplete' ? { ...each, gate: false } : each,
    );
    expect(comparedHeadline({ ...result, comparisons })).toBeUndefined();
  });

  test('are said in each format with the interval', () => {
    const report = withSmallParts({ base: 340, candidate: 340 });
    for (const text of [
      wordsIn(renderComparisonHtml(report)),
      renderComparison(report, { color: false, width: 160 }),
      renderComparisonMarkdown(report),
    ]) {
      expect(text).toContain('Mostly complete: no change larger than 5%');
      expect(text.indexOf('Mostly complete')).toBeLessThan(text.indexOf('Page complete'));
      expect(text).toContain('−1.1% to +1.8%');
    }
  });
});
