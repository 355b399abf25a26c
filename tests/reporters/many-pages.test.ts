import { describe, expect, test } from 'vitest';
import type { AuditReport, TargetReport } from '../../src/model/result/report.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { worstFirst } from '../../src/result/order.ts';
import { wholeIn } from '../../src/result/pages-with-steps.ts';
import { toTargetSummary } from '../../src/result/run-summary.ts';
import {
  analysisReport,
  exampleReport,
  failedReport,
  reportOf,
  singleRunReport,
  sketchesOf,
} from './example-report.ts';
import { labReport } from './lab-example.ts';

const several = (): AuditReport =>
  reportOf(...[exampleReport(), failedReport(), singleRunReport(), labReport(), exampleReport()].flatMap(sketchesOf));

const lean = (report: AuditReport): AuditReport => ({ ...report, targets: report.targets.map(toTargetSummary) });

/** The same pages as if each had a file of its own. */
const asIndex = (report: AuditReport): AuditReport => ({
  ...lean(report),
  pages: report.targets.map((_, index) => `pages/p-${index}.html`),
});

/** The same page as if it were one of many. */
const asOneOf = (report: AuditReport): AuditReport => ({ ...report, oneOfMany: true });

const table = (html: string): string =>
  (/<table class="stacked index[^"]*"[\s\S]*?<\/table>/.exec(html)?.[0] ?? '').replace(
    // An index holds no pictures.
    / href="[^"]*"| data-(?:keys|outcome)="[^"]*"|<svg class="thumbnail".*?<\/svg>/g,
    '',
  );

describe('a target in short', () => {
  test('says in tables of many pages what it says as a whole', () => {
    for (const report of [several(), analysisReport()]) {
      expect(table(renderHtml(lean(report)))).toBe(table(renderHtml(report)));
      expect(table(renderHtml(lean(report)))).not.toBe('');
      expect(worstFirst(lean(report).targets).map(({ index }) => index)).toEqual(
        worstFirst(report.targets).map(({ index }) => index),
      );
      const style = { color: false, width: 100 };
      const many = (each: AuditReport): AuditReport => ({
        ...each,
        targets: Array.from({ length: 4 }, () => each.targets).flat(),
      });
      expect(renderTerminal(many(lean(report)), style)).toBe(renderTerminal(many(report), style));
    }
  });

  test('is enough for a summary that can ask for the whole of the worst', () => {
    const report = several();
    const asked: number[] = [];
    const whole = (index: number): TargetReport => {
      asked.push(index);
      return wholeIn(report)(index);
    };
    expect(renderAuditMarkdown(lean(report), whole)).toBe(renderAuditMarkdown(report));
    expect(asked).toEqual(worstFirst(report.targets).map(({ index }) => index));
  });

  test('holds neither requests nor pictures nor what only its page tells', () => {
    const [whole, short] = [exampleReport(), lean(exampleReport())].map((report) => JSON.stringify(report.targets));
    expect(short?.length).toBeLessThan((whole?.length ?? 0) / 10);
  });
});

describe('an index of many pages', () => {
  const html = renderHtml(asIndex(several()));

  test('links to the file of each page and holds none of them', () => {
    const links = [...html.matchAll(/href="(pages\/[^"]+)"/g)].map(([, href]) => href);
    expect(links).toEqual(worstFirst(several().targets).map(({ index }) => `pages/p-${index}.html`));
    expect(html).not.toContain('<article');
    expect(html).not.toContain('waterfall"');
    expect(html).toContain('href="result.json"');
  });

  test('says how many there are of each kind, and where other runs are', () => {
    const headline = /<h1 class="statement">.*?<\/h1>/.exec(html)?.[0] ?? '';
    expect(headline).toContain('<span class="tally worse">1\u00a0not measured;</span>');
    expect(headline.replace(/<[^>]+>/g, '')).toMatch(
      /^\d+\u00a0good, 1\u00a0not measured; 1\u00a0is over budget; the slowest is complete at .* pages? with .* audited/,
    );
    expect(html).toContain('the waterfall of one run is shown for each');
    expect(renderHtml(asIndex(analysisReport()))).toMatch(/recorded pages? analysed/);
  });

  test('weighs little, however much was measured', () => {
    const row = (count: number): number => {
      const targets = Array.from({ length: count }, () => exampleReport().targets).flat();
      return renderHtml(asIndex({ ...exampleReport(), targets })).length;
    };
    // A thousand of them stay below 1.5 MB.
    expect((row(20) - row(10)) / 10).toBeLessThan(1_450);
  });

  test('lists of a long setting only the first', () => {
    const report = asIndex(several());
    const targets = Array.from({ length: 1_000 }, (_, i) => `https://example.com/${i}`);
    const long = renderHtml({ ...report, result: { ...report.result, settings: { targets } } });
    expect(long).toContain('https://example.com/7, and 992 more');
    expect(long).not.toContain('https://example.com/8,');
  });
});

describe('one of many pages', () => {
  test('leads back, and to the files beside the index', () => {
    const html = renderHtml(asOneOf(exampleReport()));
    expect(html).toContain('<a href="../index.html">← All pages</a>');
    const beside = [...html.matchAll(/ href="([^"#]+)"/g)]
      .map(([, href]) => href ?? '')
      .filter((href) => !/^(?:https?|data):/.test(href));
    expect(beside).toContain('../result.json');
    expect(beside).toContain('../run-1.har');
    expect(beside.some((href) => href.startsWith('../evidence/'))).toBe(true);
    expect(beside.filter((href) => !href.startsWith('../'))).toEqual([]);
  });

  test('is otherwise what it is alone', () => {
    const one = renderHtml(asOneOf(exampleReport()))
      .replace(/<nav class="back"[\s\S]*?<\/nav>/, '')
      .replaceAll('="../', '="')
      .replace('the index of all pages', 'it');
    expect(one).toBe(renderHtml(exampleReport()));
  });

  test('leads back from a recorded page, too', () => {
    expect(renderHtml(asOneOf(analysisReport()))).toContain('← All recorded pages</a>');
  });
});
