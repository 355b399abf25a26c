import { describe, expect, it } from 'vitest';
import type { CompareReport } from '../../src/model/result/report.ts';
import { layoutInWords, shardStory } from '../../src/report/shards.ts';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderAuditJunit, renderComparisonJunit } from '../../src/reporters/junit.ts';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { renderComparisonMarkdown } from '../../src/reporters/markdown/compare.ts';
import { renderComparison } from '../../src/reporters/terminal/compare.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { comparisonReport } from './comparison.ts';
import { exampleReport } from './example-report.ts';
import { withForeignText } from './hostile.ts';
import { joinedShards, WHOLE } from './joined.ts';
import { expectSelfContained, markup } from './markup.ts';

const NARROW = { color: false, width: 60 };

const compared = (over: Partial<CompareReport['result']>): CompareReport => {
  const report = comparisonReport();
  return { ...report, result: { ...report.result, ...over } };
};
const audited = (over: object) => {
  const report = exampleReport();
  return { ...report, result: { ...report.result, ...over } };
};

/** Each reporter's words on one line, so that where they break does not matter. */
const told = (over: object): Readonly<Record<string, string>> => {
  const comparison = compared(over);
  const audit = audited(over);
  const texts = {
    'html of a comparison': markup(renderComparisonHtml(comparison)),
    'html of an audit': markup(renderHtml(audit)),
    'markdown of a comparison': renderComparisonMarkdown(comparison),
    'markdown of an audit': renderAuditMarkdown(audit),
    'terminal, a comparison': renderComparison(comparison, NARROW),
    'terminal, an audit': renderTerminal(audit, NARROW),
    'junit of a comparison': renderComparisonJunit(comparison),
    'junit of an audit': renderAuditJunit(audit),
  };
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      text
        .replaceAll(/<[^>]*>/g, ' ')
        .concat(text)
        .replaceAll(/\s+/g, ' '),
    ]),
  );
};

describe('what was joined', () => {
  it('is told shard by shard, those that are missing in their place', () => {
    const { state, rows = [] } = shardStory({ kind: 'compare', merged: joinedShards() }) ?? {};
    expect(state).toBe('partial');
    expect(rows.map(({ index, brought, machine, lost }) => [index, brought, machine, lost])).toEqual([
      [1, '5 blocks', 'machine 1', false],
      [2, '3 of 5 blocks, ended early', 'machine 2', true],
      [3, 'missing', undefined, true],
      [4, '5 blocks', 'machine 4', false],
    ]);
  });

  it('names a shard that failed like one that was ended early', () => {
    const [first] = WHOLE.shards;
    const merged = { ...WHOLE, shards: first ? [{ ...first, brought: 0 }] : [] };
    expect(shardStory({ kind: 'compare', merged })?.rows).toMatchObject([{ brought: '0 of 5 blocks', lost: true }]);
  });

  it('stays readable with thousands of shards', () => {
    const missing = Array.from({ length: 9_996 }, (_, i) => i + 5);
    const merged = joinedShards({ of: 10_000, missing });
    expect(renderComparisonHtml(compared({ merged })).length).toBeLessThan(
      renderComparisonHtml(compared({})).length + 40_000,
    );
    expect(renderComparisonMarkdown(compared({ merged })).length).toBeLessThan(20_000);
    expect(renderTerminal(audited({ merged }), NARROW).split('\n').length).toBeLessThan(120);
  });

  it('was laid out on several machines', () => {
    expect(layoutInWords({})).toMatch(/on one machine/);
    expect(layoutInWords({ merged: WHOLE })).toMatch(/on each of the machines/);
    // Shards that took turns on one machine.
    expect(layoutInWords({ merged: { ...WHOLE, machines: 1 } })).toMatch(/on one machine, in the same sessions/);
  });
});

it('a result of one machine says nothing of shards', () => {
  expect(shardStory({ kind: 'audit' })).toBeUndefined();
  for (const text of Object.values(told({}))) expect(text).not.toMatch(/shard/i);
});

it('foreign text in it is text', () => {
  const evil = '<img src=x onerror=alert(1)>@team [x](javascript:1) | `x`\u001b[31m\n::error::x';
  const merged = withForeignText(joinedShards(), evil);
  expect(markup(renderComparisonHtml(compared({ merged })))).not.toContain('<img src=x');
  expectSelfContained(renderComparisonHtml(compared({ merged: withForeignText(joinedShards(), '"><b>') })));
  const markdown = renderComparisonMarkdown(compared({ merged }));
  expect(markdown.replaceAll(/`[^`]*`/g, '')).not.toMatch(/<img|@team|\]\(/);
  expect(renderComparison(compared({ merged }), NARROW)).not.toContain('\u001b');
});
