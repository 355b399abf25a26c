import { describe, expect, test } from 'vitest';
import { exitOfAudit, problemsOfTarget } from '../../src/jobs/audit/audit-exit.ts';
import { exitOf } from '../../src/jobs/compare/compare-exit.ts';
import { auditReport } from '../../src/jobs/engine/reports/report-model.ts';
import { exitOf as githubExitOf } from '../../src/jobs/github/github.ts';
import type { TargetResult } from '../../src/model/result/result.ts';
import { judgementOf } from '../../src/report/judgement.ts';
import { annotationsOf } from '../../src/reporters/github/annotations.ts';
import { failOnOfAudit } from '../../src/result/fail-on.ts';
import { worstFirst } from '../../src/result/order.ts';
import { toTargetSummary } from '../../src/result/run-summary.ts';
import { verdictOf } from '../../src/result/verdict.ts';
import { EXIT } from '../../src/wording/messages/messages.ts';
import { reporters } from '../support/reporters.ts';
import { BROKEN, failed, requests, withFindings } from './broken-example.ts';
import { withBrokenCandidate } from './examples.ts';

const targetOf = ({ result }: typeof BROKEN): TargetResult => {
  const [target] = result.targets;
  if (target === undefined) throw new Error('the example has a page');
  return target;
};

describe('a page that does not work', () => {
  test('is broken, however fast it is', () => {
    expect(verdictOf(targetOf(BROKEN))).toBe('broken');
    expect(verdictOf(targetOf(withFindings([])))).toBe('good');
  });

  test('is said by every report, and of HTML above the number', () => {
    for (const { format, render } of reporters.filter(({ format }) => format !== 'csv' && format !== 'json')) {
      expect(render(BROKEN), format).toContain('The page is broken');
    }
    const html = reporters.find(({ format }) => format === 'html')?.render(BROKEN) ?? '';
    expect(html.indexOf('The page is broken')).toBeLessThan(html.indexOf('The page is complete after'));
  });

  test.each([
    ['broken', EXIT.gate, 'error'],
    ['slower', EXIT.ok, 'warning'],
    ['never', EXIT.ok, 'warning'],
  ] as const)('with --fail-on %s the exit code is %d', (failOn, exit, kind) => {
    const problems = problemsOfTarget(targetOf(BROKEN), 60_000, failOn);
    expect(exitOfAudit({ interrupted: false, unmeasured: false, own: [], problems, failOn })).toBe(exit);
    const annotations = annotationsOf(BROKEN, failOn);
    expect(annotations).toContainEqual(expect.objectContaining({ kind, title: 'The page is broken' }));
    expect(githubExitOf(BROKEN.result, failOn)).toBe(exit);
  });
});

test.each([
  ['slower', {}, EXIT.gate],
  ['budget', { allowBroken: false }, EXIT.gate],
  ['never', {}, EXIT.ok],
  ['slower', { allowBroken: true }, EXIT.ok],
  ['broken', { allowBroken: true }, EXIT.ok],
] as const)('an audit fails on it with --fail-on %s and %j as %d', (asked, settings, exit) => {
  expect(githubExitOf(BROKEN.result, failOnOfAudit(asked, settings))).toBe(exit);
});

describe('a failed request', () => {
  test('that the page does not need does not break it', () => {
    const report = withFindings([requests(failed('/banner.png', { type: 'image', status: 404, isNeeded: false }))]);
    expect(verdictOf(targetOf(report))).toBe('good');
    expect(annotationsOf(report, 'broken').map(({ kind }) => kind)).not.toContain('error');
  });

  test('is coped with if the filmed run saw that', () => {
    const { result } = withFindings([requests(failed('/api/items?t=1', {}))]);
    const coped = requests(failed('/api/items?t=2', { isNeeded: false }));
    const targets = result.targets.map((target) => ({
      ...target,
      runs: [...target.runs, { index: 0, role: 'evidence' as const, ok: true, findings: [coped] }],
    }));
    const report = auditReport({ ...result, targets }, []);
    expect(verdictOf(targetOf(report))).toBe('good');
    // Tables of many pages say the same.
    for (const target of report.targets) expect(verdictOf(toTargetSummary(target).result)).toBe('good');
    for (const target of BROKEN.targets) expect(verdictOf(toTargetSummary(target).result)).toBe('broken');
  });
});

test('a page that does not work has no good headline, and stands before slow ones', () => {
  const [working] = withFindings([]).targets;
  const [broken] = BROKEN.targets;
  if (working === undefined || broken === undefined) throw new Error('the example has a target');
  expect(judgementOf(working).word).toBe('Fast');
  expect(judgementOf(broken)).toEqual({ tone: 'poor', sign: '⚠', word: 'Broken', because: [] });
  expect(worstFirst([working, broken]).map(({ index }) => index)).toEqual([1, 0]);
});

test('a document with an error status is a broken page that could not be measured', () => {
  const failure = { code: 'http-error', message: 'HTTP 500' };
  const runs = [1, 2].map((index) => ({ index, role: 'timed' as const, ok: false, failure }));
  expect(verdictOf({ runs, summary: {} })).toBe('broken');
});

test('a comparison with a broken build fails with --fail-on broken', () => {
  const { result } = withBrokenCandidate();
  expect(exitOf(result, 'broken')).toBe(EXIT.gate);
  expect(exitOf(result, 'slower')).toBe(EXIT.ok);
});
