import { describe, expect, test } from 'vitest';
import { columns as columnsOf } from '../../src/reporters/terminal/columns.ts';
import { renderComparison } from '../../src/reporters/terminal/compare.ts';
import { comparisonReport } from './comparison.ts';

const PLAIN = { color: false, width: 120 };
const EVIL = '\u001b[31mred\u001b[0m \u202eevil\u0007 | @team \n new line';

test('a comparison that is not valid decides nothing', () => {
  const text = renderComparison(comparisonReport({ outcome: 'invalid' }), { ...PLAIN, color: true });
  // Red is what says so and the host; no metric.
  const metrics = text.split('\n').filter((line) => /^ {2}(?:Page complete|Load event) /.test(line));
  expect(metrics.length).toBeGreaterThan(0);
  for (const line of metrics) expect(line).not.toContain('\u001b');
});

test('what is better is never red', () => {
  const text = renderComparison(comparisonReport({ outcome: 'faster', unchanged: true }), { ...PLAIN, color: true });
  expect(text).toContain('\u001b[32m▼ faster');
  expect(text).not.toContain('\u001b[31m▼');
});

describe.each([40, 60, 80, 100, 120, 160, 200])('at %i columns', (width) => {
  test('no line is wider, and every change and decision is there', () => {
    for (const options of [
      { dropped: 2, different: true },
      { outcome: 'unsure', blocks: 2, unbounded: 'low' },
      { outcome: 'invalid' },
      { hostile: `https://shop.example/${'x'.repeat(3000)}` },
    ] as const) {
      const report = comparisonReport(options);
      const text = renderComparison(report, { color: false, width, detail: 'all' });
      for (const line of text.split('\n')) expect(columnsOf(line), line).toBeLessThanOrEqual(width);
      expect(text).toMatch(/^ {2}Larg/m);
      expect(text.match(/ (slower|faster|same|unsure)(?=[, ]|$)/gm)?.length).toBeGreaterThan(4);
    }
  });
});

test('what a page says cannot move the cursor', () => {
  const text = renderComparison(comparisonReport({ hostile: EVIL, dropped: 1 }), PLAIN);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f\u202e]/);
  expect(text).toContain('[U+001B]');
});
