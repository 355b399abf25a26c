import { describe, expect, it } from 'vitest';
import { exitOf, reportOf } from '../../../src/jobs/github/github.ts';
import type { BudgetResult, BudgetState } from '../../../src/model/budget.ts';
import type { CompareResult } from '../../../src/model/comparison.ts';
import type { AuditResult, RunResult, TargetResult } from '../../../src/model/result.ts';
import type { FailOn } from '../../../src/model/settings.ts';
import type { MergedShards } from '../../../src/model/shard.ts';
import { type Annotation, annotationsOf as annotationsOfReport } from '../../../src/reporters/github/annotations.ts';
import { decisionOf, pageCompleteDifference, wasMeasured } from '../../../src/result/outcome.ts';
import { auditOf, measuredTarget } from '../../support/stored-results.ts';
import { type ComparisonOptions, comparisonReport } from '../comparison.ts';

const compared = (options: ComparisonOptions = {}, over: Partial<CompareResult> = {}): CompareResult => ({
  ...comparisonReport(options).result,
  ...over,
});
const told = (annotations: readonly Annotation[]) => annotations.map(({ kind, title }) => `${kind}: ${title}`);
const annotationsOf = (result: AuditResult | CompareResult, failOn: FailOn) =>
  annotationsOfReport(reportOf(result), failOn);
const exit = (result: AuditResult | CompareResult, failOn: FailOn = 'slower') => exitOf(result, failOn);

function budget(state: BudgetState, severity: BudgetResult['severity'] = 'error'): BudgetResult {
  const base = { metric: 'page-complete', title: 'Page complete', unit: 'ms', bound: 'max', limit: 1000 } as const;
  return { ...base, severity, state, sentence: `Page complete 1.20 s: ${state}.` };
}

const withBudgets = (target: TargetResult, ...budgets: readonly BudgetResult[]): TargetResult => ({
  ...target,
  budgets,
});
const page = (name: string, change: (run: RunResult) => RunResult = (run) => run): TargetResult => {
  const target = measuredTarget(name, [1000, 1010, 1020]);
  return { ...target, runs: target.runs.map(change) };
};
const failed = (name: string): TargetResult =>
  page(name, ({ index, role }) => ({ index, role, ok: false, failure: { code: 'no-answer', message: 'It is down.' } }));
const inState =
  (state: 'never' | 'unconfirmed') =>
  (run: RunResult): RunResult => ({
    ...run,
    pageComplete: { state, observedUntil: 60_000, raw: { state: 'never' }, waitingFor: ['GET /x'] },
  });

describe('a comparison', () => {
  it.each([
    [{ outcome: 'slower' }, 'slower', ['error: Page complete: the gate fails'], 1],
    [{ outcome: 'slower' }, 'budget', ['warning: Page complete: the gate fails'], 0],
    [{ outcome: 'slower' }, 'never', ['warning: Page complete: the gate fails'], 0],
    [{ outcome: 'faster', unchanged: true }, 'slower', ['notice: Faster'], 0],
    [{ outcome: 'same' }, 'slower', ['notice: Same'], 0],
    [{ outcome: 'unsure' }, 'slower', ['warning: Undecided'], 0],
    [{ outcome: 'invalid' }, 'slower', ['warning: The comparison is not valid'], 0],
    [{ outcome: 'same', interrupted: true }, 'slower', ['warning: Ended early', 'notice: Same'], 0],
  ] as const)('%j with --fail-on %s', (options, failOn, lines, code) => {
    const result = compared(options);
    expect(told(annotationsOf(result, failOn))).toEqual(lines);
    expect(exit(result, failOn)).toBe(code);
    expect(decisionOf(result)).toBe(result.decision);
  });

  it('of pages that are not the same says so', () => {
    expect(told(annotationsOf(compared({ outcome: 'same', different: true }), 'slower'))).toContain(
      'warning: The two pages differ',
    );
  });

  it('that is slower but not by enough fails nothing', () => {
    const result = compared({ outcome: 'slower' }, { failedGates: [] });
    expect(told(annotationsOf(result, 'slower'))).toEqual(['notice: Slower, but not by enough to fail']);
  });

  it('of a candidate beyond its budgets', () => {
    const result = compared({ outcome: 'same' });
    const over = { ...result, candidate: withBudgets(result.candidate, budget('fail'), budget('fail', 'warn')) };
    const lines = (failOn: FailOn) => told(annotationsOf(over, failOn)).map((line) => line.split(':')[0]);
    expect(lines('slower')).toEqual(['error', 'warning', 'notice']);
    expect(lines('budget')).toEqual(['error', 'warning', 'notice']);
    expect(lines('never')).toEqual(['warning', 'warning', 'notice']);
    expect([exit(over), exit(over, 'budget'), exit(over, 'never')]).toEqual([1, 1, 0]);
  });

  it('of which nothing was measured fails under every rule, with the reason', () => {
    const result = compared({ empty: true });
    for (const rule of ['slower', 'budget', 'never'] as const) {
      expect(told(annotationsOf(result, rule))).toEqual(['error: Nothing could be compared']);
      expect(exit(result, rule)).toBe(3);
    }
  });

  it('of pages that never were complete was measured, and is undecided', () => {
    const result = compared({ empty: true });
    const never = page('x', inState('never'));
    const design = { ...result.design, stoppedBecause: 'not-measurable' as const };
    const over = { ...result, design, base: never, candidate: never };
    expect(wasMeasured(over)).toBe(true);
    expect(exit(over)).toBe(0);
    expect(told(annotationsOf(over, 'slower'))).toEqual(['warning: Undecided']);
  });

  it('that is a share decides nothing, whatever it measured', () => {
    const shard = { index: 2, of: 4, work: 'w', total: 20 };
    const result = compared({ outcome: 'slower' }, { shard });
    const over = { ...result, candidate: withBudgets(result.candidate, budget('fail')) };
    expect(told(annotationsOf(over, 'slower'))).toEqual(['notice: Shard 2 of 4']);
    expect(exit(over)).toBe(0);
    expect(exit(compared({ empty: true }, { shard }))).toBe(3);
  });

  it('says what was lost on the way to it', () => {
    const merged: MergedShards = {
      of: 4,
      total: 20,
      shards: [],
      missing: [3],
      machines: 3,
      sentence: 'Shard 3 of 4 is missing.',
      notes: ['Two browsers.'],
    };
    expect(annotationsOf(compared({ outcome: 'same' }, { merged }), 'slower')).toEqual([
      { kind: 'warning', title: 'Shards are missing', message: 'Shard 3 of 4 is missing.' },
      { kind: 'warning', title: 'The shards were not alike', message: 'Two browsers.' },
      expect.objectContaining({ kind: 'notice' }),
    ]);
  });

  it('has the difference as a share, where there is one that counts', () => {
    expect(pageCompleteDifference(compared({ outcome: 'slower' }))).toBeCloseTo(0.085, 2);
    expect(pageCompleteDifference(compared({ outcome: 'invalid' }))).toBeUndefined();
    expect(pageCompleteDifference(compared({ empty: true }))).toBeUndefined();
  });
});

describe('an audit', () => {
  it.each([
    ['complete', [page('a'), page('b')], 'complete', ['notice: Complete'], 0],
    ['never', [page('a'), page('b', inState('never'))], 'never', ['warning: Never complete'], 0],
    ['unconfirmed', [page('a', inState('unconfirmed'))], 'unconfirmed', ['warning: Not confirmed to be complete'], 0],
    [
      'partly',
      [page('a', (run) => (run.index === 2 ? inState('never')(run) : run))],
      'partly',
      ['warning: Not complete in every run'],
      0,
    ],
    [
      'not confirmed in one run and never complete in another, in whatever order',
      [page('a', (run) => inState(run.index === 1 ? 'unconfirmed' : 'never')(run))],
      'never',
      ['warning: Never complete'],
      0,
    ],
    ['not measured', [page('a'), failed('b')], 'unmeasured', ['error: Not measured'], 3],
    ['nothing', [], 'unmeasured', ['error: Nothing was measured'], 3],
  ] as const)('that is %s', (_, targets, decision, lines, code) => {
    const result = auditOf(targets);
    expect(decisionOf(result)).toBe(decision);
    expect(told(annotationsOf(result, 'never'))).toEqual(lines);
    expect(exit(result, 'never')).toBe(code);
    expect(pageCompleteDifference(result)).toBeUndefined();
  });

  it('of one page says its answer, of several which page', () => {
    const [one] = annotationsOf(auditOf([page('a')]), 'slower');
    expect(one?.message).toMatch(/^The page is complete after 1\.01 s/);
    const several = annotationsOf(auditOf([page('a'), failed('https://b.example/')]), 'slower');
    expect(several.map(({ message }) => message)).toEqual(['https://b.example/: It is down.']);
  });

  it('with steps says which step of which page, once', () => {
    const targets = [
      page('a'),
      { ...failed('a'), name: 'menu', step: 'menu' },
      { ...page('b'), name: 'Shop' },
      { ...failed('b'), name: 'Shop › menu', step: 'menu' },
    ];
    const messages = annotationsOf(auditOf(targets), 'slower').map(({ message }) => message);
    expect(messages).toEqual(['a › menu: It is down.', 'Shop › menu: It is down.']);
  });

  it('beyond its budgets, or not to be told from them', () => {
    const states = [budget('fail'), budget('fail', 'warn'), budget('undecided'), budget('unknown'), budget('pass')];
    const result = auditOf([withBudgets(page('a'), ...states)]);
    expect(told(annotationsOf(result, 'budget'))).toEqual([
      'error: Page complete: beyond its budget',
      'warning: Page complete: beyond its budget',
      'warning: Page complete: too close to its budget to tell',
      'warning: Page complete: its budget could not be checked',
    ]);
    expect([exit(result), exit(result, 'never')]).toEqual([1, 0]);
  });

  it('whose runs disagree, or whose machine was busy', () => {
    const target = page('a', (run) => ({ ...run, host: { verdict: 'unfit', reasons: [] } }));
    const summary = { pageComplete: { unit: 'ms', n: 3, median: 1, agreement: 'disagrees' } } as const;
    expect(
      annotationsOf(auditOf([{ ...target, summary }]), 'slower').map(({ title, message }) => [title, message]),
    ).toEqual([
      ['The runs disagree', expect.stringContaining('more runs')],
      ['The machine was not fit', 'It was busy with other things in 3 of 3 runs.'],
    ]);
  });

  it('that is a share says how much of it it is; with nothing to do that is no failure', () => {
    const shard = { index: 2, of: 4, work: 'w', total: 20 };
    const lines = annotationsOf(auditOf([withBudgets(page('a'), budget('fail'))], { shard }), 'slower');
    expect(told(lines)).toEqual(['warning: Page complete: beyond its budget', 'notice: Shard 2 of 4']);
    expect(lines[1]?.message).toMatch(/^1 of 20 pages was measured here\./);
    expect(exit(auditOf([], { shard }))).toBe(0);
    expect(exit(auditOf([], { shard, interrupted: true }))).toBe(3);
    expect(exit(auditOf([failed('a')], { shard }))).toBe(3);
  });
});

it('of more than GitHub shows the rest is counted, kind by kind', () => {
  const many = (count: number) =>
    annotationsOf(auditOf(Array.from({ length: count }, (_, i) => failed(`p${i}`))), 'slower');
  expect(many(10).map(({ title }) => title)).toEqual(Array(10).fill('Not measured'));
  const cut = many(40);
  expect(cut).toHaveLength(10);
  expect(cut.at(-1)).toMatchObject({ kind: 'error', title: '31 more' });
});
