import { describe, expect, test } from 'vitest';
import { exitOfAudit, problemsOfTarget } from '../../src/jobs/audit/audit-exit.ts';
import { exitOf } from '../../src/jobs/compare/compare-exit.ts';
import { reportOf, exitOf as tellingExitOf } from '../../src/jobs/github/github.ts';
import type { BudgetResult } from '../../src/model/budgets.ts';
import type { CompareResult, HostComparison } from '../../src/model/compare/comparison.ts';
import type { HostResult } from '../../src/model/result/result.ts';
import type { FailOn } from '../../src/model/settings.ts';
import { annotationsOf } from '../../src/reporters/github/annotations.ts';
import { EXIT } from '../../src/wording/messages/messages.ts';
import { comparisonReport } from '../reporters/comparison.ts';
import { exampleTarget } from '../reporters/example-report.ts';

type Outcome = 'slower' | 'faster' | 'same' | 'unsure' | 'invalid';

const BUSY: HostComparison = { verdict: 'unfit', unfitRuns: 30, sentence: 'The machine was busy.' };
const BROKEN: BudgetResult = {
  metric: 'pageComplete',
  title: 'Page complete',
  unit: 'ms',
  bound: 'max',
  limit: 100,
  severity: 'error',
  state: 'fail',
  value: 900,
  sentence: 'Page complete is above its budget.',
};

function compared(outcome: Outcome, { busy = false, budget = false } = {}): CompareResult {
  const { result } = comparisonReport({ outcome });
  return {
    ...result,
    ...(busy && outcome !== 'invalid' && { host: BUSY }),
    ...(outcome === 'invalid' && { failedGates: [] }),
    candidate: { ...result.candidate, budgets: budget ? [BROKEN] : [] },
  };
}

/** What the command that measured it and the one that tells of it exit with. */
const exits = (result: CompareResult): readonly number[] => [exitOf(result, 'slower'), tellingExitOf(result, 'slower')];

describe('one result has one exit code', () => {
  test.each([
    ['slower', EXIT.gate],
    ['faster', EXIT.ok],
    ['same', EXIT.ok],
  ] as const)('%s, on a busy machine and on a free one', (outcome, exit) => {
    for (const busy of [false, true]) expect(exits(compared(outcome, { busy }))).toEqual([exit, exit]);
  });

  test.each(['faster', 'same', 'unsure', 'invalid'] as const)('a failed budget, where the builds are %s', (outcome) => {
    for (const busy of [false, true]) {
      expect(exits(compared(outcome, { busy, budget: true }))).toEqual([EXIT.gate, EXIT.gate]);
    }
  });

  test.each(['unsure', 'invalid'] as const)('what is %s has no answer: whoever only tells of it warns', (outcome) => {
    for (const busy of [false, true]) expect(exits(compared(outcome, { busy }))).toEqual([EXIT.undecided, EXIT.ok]);
  });

  test('the warning about the machine stays', () => {
    const annotations = annotationsOf(reportOf(compared('slower', { busy: true })), 'slower');
    expect(annotations).toContainEqual(expect.objectContaining({ kind: 'warning', title: 'Was it fair?' }));
  });
});

describe('an audit on a busy machine', () => {
  const host = (verdict: HostResult['verdict']): HostResult => ({
    verdict,
    reasons: ['other programs used 62% of the CPU'],
  });
  /** The example, whose five timed runs have these hosts in turn. */
  function exitWith(verdicts: readonly HostResult['verdict'][], undisturbed?: number, failOn: FailOn = 'broken') {
    const target = exampleTarget();
    const { summary, ...result } = target.result;
    const { pageComplete } = summary;
    if (pageComplete === undefined) throw new Error('the example has an answer');
    const runs = result.runs
      .filter(({ role, ok }) => role === 'timed' && ok)
      .map((run, i) => ({ ...run, host: host(verdicts[i % verdicts.length] ?? 'fit') }));
    const median = (value: number) => ({ ...pageComplete, median: value });
    const held =
      undisturbed === undefined
        ? summary
        : { ...summary, pageComplete: { ...median(1_000), undisturbed: median(undisturbed) } };
    const problems = problemsOfTarget({ ...result, runs, summary: held }, 60_000, failOn);
    return {
      exit: exitOfAudit({ interrupted: false, unmeasured: false, own: [], problems, failOn }),
      messages: problems.map(({ message }) => message),
    };
  }

  test('has no answer where most runs were disturbed, and says so', () => {
    expect(exitWith(['unfit'])).toEqual({
      exit: EXIT.undecided,
      messages: [
        'The host was not fit to measure. In 5 of 5 runs, other programs used 62% of the CPU: the times may be too long. Measure again while nothing else runs.',
      ],
    });
    expect(exitWith(['unfit', 'fit']).exit).toBe(EXIT.undecided);
    expect(exitWith(['fit', 'unfit'])).toEqual({ exit: EXIT.ok, messages: [] });
    expect(exitWith(['unknown']).exit).toBe(EXIT.ok);
  });

  test('has one where it is known that the machine made the page no later', () => {
    expect(exitWith(['unfit'], 990)).toEqual({ exit: EXIT.ok, messages: [] });
    expect(exitWith(['unfit'], 900).exit).toBe(EXIT.undecided);
  });
});
