import { expect, test } from 'vitest';
import type { CoverageChangesFacts } from '../../src/model/coverage.ts';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { renderComparisonMarkdown } from '../../src/reporters/markdown/compare.ts';
import { renderComparison } from '../../src/reporters/terminal/compare.ts';
import { coverageChangesInWords } from '../../src/wording/coverage.ts';
import { comparisonReport } from './comparison.ts';

const GROWN: CoverageChangesFacts = {
  scripts: { base: { bytes: 50_000, unused: 14_000 }, candidate: { bytes: 80_000, unused: 42_000 } },
  styles: { base: { bytes: 0, unused: 0 }, candidate: { bytes: 0, unused: 0 } },
  files: [
    {
      kind: 'script',
      name: '/assets/<b>vendor.*.js',
      url: 'https://shop.test/assets/<b>vendor.9c0d1e2f.js',
      base: { bytes: 40_000, unused: 10_000 },
      candidate: { bytes: 70_000, unused: 38_000 },
    },
  ],
};

function reportWith(coverage: CoverageChangesFacts) {
  const report = comparisonReport();
  return { ...report, result: { ...report.result, coverage: coverageChangesInWords(coverage) } };
}

const words = (shown: string): string => shown.replace(/\\/g, '').replace(/\s+/g, ' ');
const TERMINAL = { color: false, width: 100 };

test('where more code is unused is in every report of a comparison', () => {
  const sentence = 'scripts +28 kB (42 kB instead of 14 kB).';
  const html = renderComparisonHtml(reportWith(GROWN));
  const text = words(html.replace(/<[^>]+>/g, ' '));
  expect(text).toContain(sentence);
  expect(text).toContain('10 kB of 40 kB');
  expect(html).not.toContain('<b>vendor');
  expect(words(renderComparisonMarkdown(reportWith(GROWN)))).toContain(sentence);
  expect(words(renderComparison(reportWith(GROWN), TERMINAL))).toContain(sentence);
});

test('the terminal is silent where no file changed', () => {
  const same = { ...GROWN.scripts, candidate: GROWN.scripts.base };
  const shown = renderComparison(reportWith({ ...GROWN, scripts: same, files: [] }), TERMINAL);
  expect(shown).toBe(renderComparison(comparisonReport(), TERMINAL));
});
