import { expect, test } from 'vitest';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { coverageChangesInWords } from '../../src/wording/coverage.ts';
import { exampleWith } from './example-report.ts';
import { COVERAGE, compared, MORE_UNUSED } from './examples.ts';

test('names of files with unused code are text', () => {
  const comparison = compared({ coverage: coverageChangesInWords(MORE_UNUSED) });
  for (const html of [renderHtml(exampleWith(() => ({ coverage: COVERAGE }))), renderComparisonHtml(comparison)]) {
    expect(html).toContain('&lt;b>vendor');
    expect(html.replace(/"[^"]*"/g, '')).not.toContain('<b>vendor');
  }
});
