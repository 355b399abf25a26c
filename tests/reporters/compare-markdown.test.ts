import { describe, expect, test } from 'vitest';
import { renderComparisonMarkdown } from '../../src/reporters/markdown/compare.ts';
import { code, prose } from '../../src/reporters/markdown/inert.ts';
import { comparisonReport } from './comparison.ts';
import { BUDGETS } from './lab-example.ts';

describe('foreign text', () => {
  test('in a sentence keeps its plain words', () => {
    for (const sentence of [
      'Page complete is 3.9% slower (2.1% to 5.1%), 58 ms.',
      'Undecided: between 0.9% faster and 6.0% slower; about 60 pairs would be enough.',
      'The machine’s own speed differed by 0.1% (−0.6% to +0.9%).',
      'a load of the candidate failed twice: HTTP 503',
    ]) {
      expect(prose(sentence)).toBe(sentence);
    }
  });

  test('is code where it could be more', () => {
    expect(prose('failed: https://shop.example/a_b.js, then stopped')).toBe(
      'failed: `https://shop.example/a_b.js`, then stopped',
    );
    expect(prose('failed with “null.x is bad” (/a.js:89); /b.json (HTTP 503) failed, see (/f(1))')).toBe(
      'failed with “`null.x` is bad” (`/a.js:89`); `/b.json` (HTTP 503) failed, see (`/f(1)`)',
    );
    expect(prose('seen by @octocat in #12')).toBe('seen by `@octocat` in `#12`');
    expect(prose('commit deadbee and 1234567')).toBe('commit `deadbee` and `1234567`');
    expect(prose('in deadbeef-cafe and SHOP-12 (gh-7)')).toBe('in `deadbeef-cafe` and `SHOP-12 (gh-7)`');
    expect(prose('= a heading of what stands above')).toBe('`=` a heading of what stands above');
    expect(prose('www.evil.example evil.example')).toBe('`www.evil.example evil.example`');
    expect(prose('')).toBe('–');
  });

  test('as code ends where it ends', () => {
    expect(code('a`b')).toBe("`a'b`");
    expect(code('```')).toBe("`'''`");
    expect(code('a|b')).toBe('`a¦b`');
    expect(code('a\nb')).toBe('`a b`');
    expect(code(' ')).toBe('–');
    expect(code('x'.repeat(9000)).length).toBeLessThan(400);
  });
});

describe('a summary', () => {
  test('is no success where the candidate is over budget, whatever the gates say', () => {
    const heading = (outcome: 'same' | 'slower') => {
      const report = comparisonReport({ outcome });
      const candidate = { ...report.candidate, result: { ...report.candidate.result, budgets: BUDGETS } };
      return renderComparisonMarkdown({ ...report, candidate }).split('\n')[0];
    };
    expect(heading('same')).toMatch(/^### ❌ The same, candidate over budget$/);
    expect(heading('slower')).toMatch(/^### 🔴 Slower, candidate over budget$/);
  });

  test('of what is better is never red', () => {
    expect(renderComparisonMarkdown(comparisonReport({ outcome: 'faster', unchanged: true }))).toMatch(
      /^### 🟢 Faster/,
    );
    expect(renderComparisonMarkdown(comparisonReport({ outcome: 'faster' }))).not.toMatch(/🔴[^|\n]*▼/);
  });

  test('fits into a comment with the longest names', () => {
    const hostile = `https://shop.example/${'@x '.repeat(3000)}`;
    const report = comparisonReport({ hostile, dropped: 60 });
    const [added] = report.result.changes.added;
    if (added === undefined) throw new Error('the example adds a request');
    const many = Array.from({ length: 300 }, () => added);
    const [endpoint] = report.result.backgroundChanges;
    const text = renderComparisonMarkdown({
      ...report,
      result: {
        ...report.result,
        backgroundChanges: endpoint === undefined ? [] : Array.from({ length: 300 }, () => endpoint),
        changes: { ...report.result.changes, added: many, removed: many, grown: many, shrunk: many },
      },
    });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('and 290 more');
  });
});
