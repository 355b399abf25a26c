import { expect, it } from 'vitest';
import { exitOf, reportOf } from '../../../src/jobs/github/github.ts';
import type { BudgetResult, BudgetState } from '../../../src/model/budgets.ts';
import type { CompareResult } from '../../../src/model/compare/comparison.ts';
import type { AuditResult, RunResult, TargetResult } from '../../../src/model/result/result.ts';
import type { FailOn } from '../../../src/model/settings.ts';
import type { MergedShards } from '../../../src/model/shards/shard.ts';
import { annotationsOf as annotationsOfReport } from '../../../src/reporters/github/annotations.ts';
import { decisionOf, pageCompleteDifference, wasMeasured } from '../../../src/result/outcome.ts';
import { expectApproved, outlined } from '../../support/approved.ts';
import { auditOf, measuredTarget } from '../../support/stored-results.ts';
import { type ComparisonOptions, comparisonReport } from '../comparison.ts';

const compared = (options: ComparisonOptions = {}, over: Partial<CompareResult> = {}): CompareResult => ({
  ...comparisonReport(options).result,
  ...over,
});
const annotationsOf = (result: AuditResult | CompareResult, failOn: FailOn) =>
  annotationsOfReport(reportOf(result), failOn);

function budget(state: BudgetState, severity: BudgetResult['severity'] = 'error'): BudgetResult {
  const base = { metric: 'pageComplete', title: 'Page complete', unit: 'ms', bound: 'max', limit: 1000 } as const;
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

const SHARD = { index: 2, of: 4, work: 'w', total: 20 };
const merged: MergedShards = {
  ...{ of: 4, total: 20, shards: [], missing: [3], machines: 3 },
  sentence: 'Shard 3 of 4 is missing.',
  notes: ['Two browsers.'],
};
const same = compared({ outcome: 'same' });
const slower = compared({ outcome: 'slower' });
const empty = compared({ empty: true });
const never = page('x', inState('never'));
const over = (result: CompareResult): CompareResult => ({
  ...result,
  candidate: withBudgets(result.candidate, budget('fail'), budget('fail', 'warn')),
});
const states = [budget('fail'), budget('fail', 'warn'), budget('undecided'), budget('unknown'), budget('pass')];
const busy = page('a', (run) => ({ ...run, host: { verdict: 'unfit', reasons: [] } }));
const summary = { pageComplete: { unit: 'ms', n: 3, median: 1, agreement: 'disagrees' } } as const;

const RESULTS: Readonly<Record<string, AuditResult | CompareResult>> = {
  'a slower candidate': slower,
  'slower, but not by enough': compared({ outcome: 'slower' }, { failedGates: [] }),
  'a faster candidate': compared({ outcome: 'faster', unchanged: true }),
  'the same': same,
  undecided: compared({ outcome: 'unsure' }),
  'not valid': compared({ outcome: 'invalid' }),
  'the same, ended early': compared({ outcome: 'same', interrupted: true }),
  'two pages that are not the same': compared({ outcome: 'same', different: true }),
  'the same, over its budgets': over(same),
  'nothing could be compared': empty,
  'neither page was ever complete': {
    ...empty,
    design: { ...empty.design, stoppedBecause: 'not-measurable' },
    base: never,
    candidate: never,
  },
  'a share of a comparison, slower and over its budgets': over({ ...slower, shard: SHARD }),
  'a share of a comparison, in which nothing could be compared': { ...empty, shard: SHARD },
  'shards are missing, and were not alike': compared({ outcome: 'same' }, { merged }),
  'pages that are complete': auditOf([page('a'), page('b')]),
  'one page that is complete': auditOf([page('a')]),
  'a page that was never complete': auditOf([page('a'), page('b', inState('never'))]),
  'a page that is not confirmed': auditOf([page('a', inState('unconfirmed'))]),
  'a page that is complete in some runs': auditOf([
    page('a', (run) => (run.index === 2 ? inState('never')(run) : run)),
  ]),
  'not confirmed in one run, never complete in another': auditOf([
    page('a', (run) => inState(run.index === 1 ? 'unconfirmed' : 'never')(run)),
  ]),
  'a page that could not be measured': auditOf([page('a'), failed('https://b.example/')]),
  'no page': auditOf([]),
  'steps that could not be measured': auditOf([
    page('a'),
    { ...failed('a'), name: 'menu', step: 'menu' },
    { ...page('b'), name: 'Shop' },
    { ...failed('b'), name: 'Shop › menu', step: 'menu' },
  ]),
  'a page with budgets': auditOf([withBudgets(page('a'), ...states)]),
  'runs that disagree on a busy machine': auditOf([{ ...busy, summary }]),
  'a share of an audit, over its budget': auditOf([withBudgets(page('a'), budget('fail'))], { shard: SHARD }),
  'a share of an audit with nothing to do': auditOf([], { shard: SHARD }),
  'a share of an audit that was ended early': auditOf([], { shard: SHARD, interrupted: true }),
  'a share of an audit that could not be measured': auditOf([failed('a')], { shard: SHARD }),
};

it('what is told of each, and the exit code with each --fail-on, are approved', () => {
  const said = Object.entries(RESULTS).map(([name, result]) => {
    const difference = pageCompleteDifference(result);
    const lines = (failOn: FailOn) =>
      annotationsOf(result, failOn).map(({ kind, title, message }) => `${kind} ${title}: ${message}`);
    const [usual, ...others] = (['slower', 'budget', 'never'] as const).map((failOn) => ({
      failOn,
      told: lines(failOn),
    }));
    const otherwise = others.filter(({ told }) => told.join() !== usual?.told.join());
    return [
      `${name}: ${decisionOf(result)}${difference === undefined ? '' : `, ${difference.toFixed(2)}`}`,
      [
        `exit ${(['slower', 'budget', 'never'] as const).map((failOn) => `${exitOf(result, failOn)} (${failOn})`).join(', ')}`,
        ...(usual?.told ?? []),
        ...otherwise.map(({ failOn, told }) => `${failOn}: ${told.map((line) => line.split(' ')[0]).join(', ')}`),
      ],
    ];
  });
  return expectApproved('reports/annotations', outlined(Object.fromEntries(said)));
});

it('pages that were never complete were measured', () => {
  expect([wasMeasured(RESULTS['neither page was ever complete'] as CompareResult), wasMeasured(empty)]).toEqual([
    true,
    false,
  ]);
});

it('of more than GitHub shows the rest is counted, kind by kind', () => {
  const many = (count: number) =>
    annotationsOf(auditOf(Array.from({ length: count }, (_, i) => failed(`p${i}`))), 'slower');
  expect(many(10).map(({ title }) => title)).toEqual(Array(10).fill('Not measured'));
  const cut = many(40);
  expect(cut).toHaveLength(10);
  expect(cut.at(-1)).toMatchObject({ kind: 'error', title: '31 more' });
});
