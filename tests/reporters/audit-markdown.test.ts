import { describe, expect, test } from 'vitest';
import type { AuditReport, TargetReport } from '../../src/model/result/report.ts';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { code, prose } from '../../src/reporters/markdown/inert.ts';
import { analysisReport, exampleReport, exampleTarget, failedReport, reportOf } from './example-report.ts';
import { TRICKS, withForeignText } from './hostile.ts';
import { BUDGETS } from './lab-example.ts';

const withTargets = (targets: readonly TargetReport[]): AuditReport => ({ ...exampleReport(), targets });

describe('one page', () => {
  test('that was not complete in every run does not claim it', () => {
    const target = exampleTarget(({ runs }) => ({
      runs: runs.map((run) =>
        run.index === 1 && run.pageComplete ? { ...run, pageComplete: { ...run.pageComplete, state: 'never' } } : run,
      ),
    }));
    expect(renderAuditMarkdown(withTargets([target]))).toMatch(/^### 🟡 Complete in 4 of 5 runs\n/);
  });

  test('that was not measured fairly says so before any figure, also among others', () => {
    const unfair = exampleTarget(({ runs }) => ({
      runs: runs.map((run) => (run.index === 2 ? { ...run, host: { verdict: 'unfit', reasons: [] } } : run)),
    }));
    for (const others of [[], [exampleTarget()]]) {
      const [before = ''] = renderAuditMarkdown(withTargets([unfair, ...others])).split('| Metric |');
      expect(before).toContain('> [!WARNING]\n> The machine was busy with other things ');
    }
  });

  test('that could not be measured says so', () => {
    expect(renderAuditMarkdown(reportOf())).toBe('### ⛔ Nothing was measured\n');
  });
});

describe('several pages', () => {
  test('that all have an answer are sorted by time', () => {
    const timed = (name: string, median: number) =>
      exampleTarget(({ summary }) => ({
        target: name,
        summary: { ...summary, pageComplete: { unit: 'ms', n: 5, median, low: median, high: median } },
      }));
    const names = renderAuditMarkdown(withTargets([timed('fast', 900), timed('slow', 4000), timed('middle', 2000)]));
    expect([...names.matchAll(/^<summary><code>(\w+)/gm)].map(([, name]) => name)).toEqual(['slow', 'middle', 'fast']);
    expect(names).toContain('**2 good, 1 needs improvement; the slowest is complete at 4.00 s.**');
  });
});

describe('a budget that is exceeded', () => {
  const over = exampleTarget(() => ({ target: 'over', budgets: BUDGETS }));
  const warned = exampleTarget(() => ({
    target: 'warned',
    budgets: BUDGETS.filter(({ severity, state }) => severity === 'warn' && state === 'fail'),
  }));

  test('is no success, unless it only warns', () => {
    expect(renderAuditMarkdown(withTargets([over]))).toMatch(/^### ❌ Over budget, complete\n/);
    expect(renderAuditMarkdown(withTargets([warned]))).toMatch(/^### ✅ Complete\n/);
    const broken = [{ code: 'blank-page', urls: [], message: '', facts: { isBroken: true } } as const];
    const both = exampleTarget(({ runs }) => ({
      budgets: BUDGETS,
      runs: runs.map((run) => ({ ...run, findings: broken })),
    }));
    expect(renderAuditMarkdown(withTargets([both]))).toMatch(/^### ⚠️ Broken page\n/);
  });

  test('is told of its page among several', () => {
    const text = renderAuditMarkdown(withTargets([over, warned, exampleTarget()]));
    expect(text).toMatch(/^### ❌ 3 pages audited\n\n\*\*3 good; 1 is over budget; the slowest is/);
    expect(text.match(/^\| `[^`]+` \| . [^|]+\| [^|]+\| [^|]+\|/gmu)).toEqual([
      '| `over` | ✅ good | **1.24 s** | ❌ 2 exceeded |',
      '| `warned` | ✅ good | **1.24 s** | 🟡 1 exceeded |',
      '| `https://shop.example/` | ✅ good | **1.24 s** | – |',
    ]);
  });
});

describe('length', () => {
  test('stays within a comment on GitHub, and says what was left out', () => {
    const long = withForeignText(exampleTarget(), `${'@x '.repeat(300)}\u200b`);
    const [finding] = long.result.runs[1]?.findings ?? [];
    const [endpoint] = long.result.background;
    if (finding === undefined || endpoint === undefined) throw new Error('the example has findings and background');
    const target: TargetReport = {
      ...long,
      notes: Array.from({ length: 300 }, () => long.sentence),
      result: {
        ...long.result,
        background: Array.from({ length: 300 }, (_, i) => ({ ...endpoint, excluded: i % 2 === 0 })),
        runs: long.result.runs.map((run) => ({
          ...run,
          findings: Array.from({ length: 30 }, (_, i) => ({
            ...finding,
            code: `code ${i}`,
            urls: Array.from({ length: 30 }, (_, n) => `${n} ${finding.message}`),
          })),
        })),
      },
    };
    const one = renderAuditMarkdown(withTargets([target]));
    expect(one.length).toBeLessThan(65_536);
    expect(one.match(/and 290 more|and 140 more|and 20 more|and 27 more/g)?.length).toBeGreaterThan(3);
    const many = renderAuditMarkdown(withTargets(Array.from({ length: 500 }, () => target)));
    expect(many.length).toBeLessThan(65_536);
    expect(many).toContain('and 460 more');
    expect(many).toMatch(/The report has the details of 49\d more pages\./);
  });

  test('of foreign text is bounded also where each sign has to be named', () => {
    expect(code('\u200b'.repeat(9000)).length).toBeLessThan(400);
    expect(prose('\u200b'.repeat(9000)).length).toBeLessThan(400);
  });

  test('is spent on the worst pages', () => {
    const [failed] = failedReport().targets;
    const targets = [...Array.from({ length: 100 }, () => exampleTarget()), ...(failed === undefined ? [] : [failed])];
    const text = renderAuditMarkdown(withTargets(targets));
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/<summary><code>https:\/\/gone\.example\/<\/code>: not measured<\/summary>/);
    expect(text).toMatch(/has the details of \d\d more pages/);
  });
});

describe('a hostile page', () => {
  const evil = TRICKS.filter((trick) => trick.length < 200).join(' ');
  /** What is left of a line when code is taken out: all that Markdown and GitHub read. */
  const readable = (line: string): string => line.replace(/<code>[^<>]*<\/code>/g, '').replace(/`[^`]*`/g, '');

  test.each([
    ['one page', exampleReport],
    ['several pages', analysisReport],
    ['nothing but failures', failedReport],
  ])('gets no mention, link, picture or HTML into %s', (_, make) => {
    const hostile = renderAuditMarkdown(withForeignText(make(), evil)).split('\n');
    for (const line of hostile) {
      const left = readable(line);
      expect(left, line).not.toMatch(/@|:\/\/|www\.|\]\(|#\d|GH-|[0-9a-f]{7}/);
      expect(left.replace(/^<\/?(details|summary)>|<\/summary>$/g, ''), line).not.toMatch(/[<>]/);
    }
    const shape = (lines: readonly string[]): readonly string[] =>
      lines.filter((line) => /^(#|<|\|)/.test(line)).map((line) => readable(line).replace(/[^#<|]/g, ''));
    const harmless = renderAuditMarkdown(withForeignText(make(), 'harmless')).split('\n');
    expect(shape(hostile)).toEqual(shape(harmless));
  });
});
