import { expect, test } from 'vitest';
import type { Coverage } from '../../src/model/coverage.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { exampleReport } from './example-report.ts';

const COVERAGE: Coverage = {
  until: 1_160,
  scripts: { bytes: 100_000, unused: 60_000 },
  styles: { bytes: 20_000, unused: 5_000 },
  files: [
    {
      kind: 'script',
      url: 'https://cdn.test/<b>vendor.js',
      party: 'cdn.test',
      thirdParty: true,
      bytes: 80_000,
      unused: 60_000,
      functions: [{ name: 'openDialog', line: 12, column: 1, bytes: 900 }],
      unusedByPackage: [{ package: 'tiny-chart', bytes: 700 }],
    },
    {
      kind: 'style',
      url: 'https://shop.test/',
      party: 'shop.test',
      thirdParty: false,
      inline: true,
      bytes: 9_000,
      unused: 5_000,
    },
  ],
};

function withCoverage(coverage?: Coverage) {
  const report = exampleReport();
  const targets = report.targets.map((each) => ({
    ...each,
    result: { ...each.result, ...(coverage && { coverage }) },
  }));
  return { ...report, targets };
}

const SENTENCE =
  'In the first 1.16 s, 60 kB of the 100 kB of scripts (60%) did not run and 5.0 kB of the 20 kB of style sheets (25%) matched nothing.';

test('unused code is in every report, by file', () => {
  const html = renderHtml(withCoverage(COVERAGE));
  const text = html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(text).toContain('Unused code');
  expect(text).toContain('openDialog');
  expect(text).toContain('tiny-chart 700 B');
  expect(text).toContain('(styles in it)');
  expect(html).not.toContain('<b>vendor');
  const words = (shown: string) => shown.replace(/\\/g, '').replace(/\s+/g, ' ');
  expect(words(text)).toContain(SENTENCE);
  expect(words(renderTerminal(withCoverage(COVERAGE), { color: false, width: 100 }))).toContain(SENTENCE);
  const markdown = words(renderAuditMarkdown(withCoverage(COVERAGE)));
  expect(markdown).toContain(SENTENCE);
  expect(markdown).toContain('60 kB (75%) of');
});

test('where nobody watched, nothing is said', () => {
  expect(renderHtml(withCoverage())).not.toContain('Unused code');
  expect(renderAuditMarkdown(withCoverage())).not.toContain('Unused code');
});
