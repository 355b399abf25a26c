import { expect, test } from 'vitest';
import { auditReport } from '../../src/jobs/engine/reports/report-model.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { stripOf } from '../../src/reporters/visual.ts';
import { analysisReport, exampleReport, failedReport } from './example-report.ts';

const part = (html: string): string => html.slice(html.indexOf('>Downloads</h3>')).split('<footer')[0] ?? '';
const links = (html: string): readonly string[] =>
  [...part(html).matchAll(/href="([^#"][^"]*)"/g)].map(([, href = '']) => href);

test('lead to every file beside the page, each once', () => {
  const { evidence } = exampleReport().targets[0]?.result ?? {};
  const files = new Set([
    ...(evidence === undefined ? [] : stripOf(evidence).map(({ file }) => file)),
    ...Object.values(evidence?.ablation?.pictures ?? {}),
  ]);
  expect(files.size).toBeGreaterThan(3);
  expect(links(renderHtml(exampleReport()))).toEqual([
    'result.json',
    ...[0, 1, 2, 3, 4, 5, 7, 8].map((i) => `run-${i}.har`),
    ...files,
  ]);
  expect(part(renderHtml(exampleReport()))).toContain('Self-contained: this report works offline');
});

test('say how large they are where that is known', () => {
  const [first] = exampleReport().targets[0]?.result.evidence?.pictures ?? [];
  const sizes = { 'run-1.har': 482_000, [first?.file ?? '']: 12_340_000 };
  const text = part(renderHtml({ ...exampleReport(), sizes }))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
  expect(text).toContain('run-1.har run 1, 482 kB');
  expect(text).toMatch(new RegExp(`${first?.caption} \\([^)]*\\) 12\\.3 MB`));
  expect(text).toContain('run-2.har run 2 run-3.har');
});

test('name only the formats that were asked for', () => {
  const { result } = exampleReport();
  const settings = { ...result.settings, format: ['html', 'md', 'junit', 'csv', '__proto__'] };
  expect(links(renderHtml(auditReport({ ...result, settings }, []))).slice(0, 3)).toEqual([
    'junit.xml',
    'summary.md',
    'result.csv',
  ]);
});

test('of an analysis are the files that were read', () => {
  expect(links(renderHtml(analysisReport()))).toContain('../recordings/shop%20floor.har.gz');
});

test('of a page that could not be measured are the results', () => {
  expect(links(renderHtml(failedReport()))).toEqual(['result.json']);
});

test('never lead elsewhere', () => {
  const report = exampleReport();
  const targets = report.targets.map((target) => ({
    ...target,
    result: {
      ...target.result,
      runs: target.result.runs.map((run) => ({ ...run, har: 'javascript:alert(1)' })),
      evidence: {
        watchedUntil: 1,
        watchedBecause: '',
        pictures: ['../x.png', '/etc/passwd', 'https://other.example/x.png', 'evidence/x.svg', '__proto__'].map(
          (file, at) => ({ at, file, caption: file }),
        ),
      },
    },
  }));
  expect(links(renderHtml({ ...report, targets }))).toEqual(['result.json']);
});
