import { expect, test } from 'vitest';
import { STYLE } from '../../../src/reporters/terminal/ansi.ts';
import { renderComparison } from '../../../src/reporters/terminal/compare.ts';
import { renderTerminal } from '../../../src/reporters/terminal/index.ts';
import { renderTrend } from '../../../src/reporters/terminal/trend.ts';
import { plain } from '../../../src/wording/text/text.ts';
import { comparisonReport } from '../comparison.ts';
import { analysisReport, exampleReport, failedReport } from '../example-report.ts';
import { withForeignText } from '../hostile.ts';
import { usual } from '../trend-example.ts';

const EVIL = 'x\u001b[8m\u001b]8;;https://evil.example\u001b\\\u202e\u3164\u034f y\n::error::forged \r\u001b[2Kz';
const WIDE = { color: true, width: 400 };

/** The same with hostile keys where keys are names that somebody gave, and hostile pages and commits. */
const trend = {
  ...withForeignText(usual, EVIL),
  pages: usual.pages.map((page) => ({
    ...withForeignText(page, EVIL),
    page: EVIL,
    points: page.points.map((point) => ({ ...point, source: { ...point.source, commit: EVIL }, startedAt: EVIL })),
  })),
};

test.each([
  ['an audit', () => renderTerminal(withForeignText(exampleReport(), EVIL), WIDE)],
  ['an analysis', () => renderTerminal(withForeignText(analysisReport(), EVIL), WIDE)],
  ['failed runs', () => renderTerminal(withForeignText(failedReport(), EVIL), WIDE)],
  ['a comparison', () => renderComparison(withForeignText(comparisonReport({ dropped: 1 }), EVIL), WIDE)],
  ['a hostile comparison', () => renderComparison(comparisonReport({ hostile: EVIL, dropped: 1 }), WIDE)],
  ['a trend', () => renderTrend(trend, WIDE)],
])('in the table of %s nothing but our own styles is there to obey', (_name, render) => {
  const lines = render().split('\n');
  expect(lines.join(' ')).toContain('[U+202E]');
  for (const line of lines) {
    const text = line
      .split(new RegExp(STYLE, 'g'))
      .filter((_, i) => i % 2 === 0)
      .join('');
    expect(plain(text)).toBe(text);
    // A text that is broken at its spaces may begin a line with anything; a line break of its own does not end one.
    expect(text).not.toMatch(/y$/);
  }
});
