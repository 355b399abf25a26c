import { expect, test } from 'vitest';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderComparison } from '../../src/reporters/terminal/compare.ts';
import { coverageChangesInWords } from '../../src/wording/coverage.ts';
import { comparisonReport } from './comparison.ts';
import { exampleWith } from './example-report.ts';
import { COVERAGE, compared, MORE_UNUSED } from './examples.ts';

test('names of files with unused code are text', () => {
  const comparison = compared({ coverage: coverageChangesInWords(MORE_UNUSED) });
  for (const html of [renderHtml(exampleWith(() => ({ coverage: COVERAGE }))), renderComparisonHtml(comparison)]) {
    expect(html).toContain('&lt;b>vendor');
    expect(html.replace(/"[^"]*"/g, '')).not.toContain('<b>vendor');
  }
});

test('the terminal is silent where no file changed', () => {
  const scripts = { ...MORE_UNUSED.scripts, candidate: MORE_UNUSED.scripts.base };
  const coverage = coverageChangesInWords({ ...MORE_UNUSED, scripts, files: [] });
  const style = { color: false, width: 100 };
  expect(renderComparison(compared({ coverage }), style)).toBe(renderComparison(comparisonReport(), style));
});
