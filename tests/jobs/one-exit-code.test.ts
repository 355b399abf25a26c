import { describe, expect, test } from 'vitest';
import { exitOf } from '../../src/jobs/compare/compare-exit.ts';
import { reportOf, exitOf as tellingExitOf } from '../../src/jobs/github/github.ts';
import type { BudgetResult } from '../../src/model/budget.ts';
import type { CompareResult, HostComparison } from '../../src/model/comparison.ts';
import { annotationsOf } from '../../src/reporters/github/annotations.ts';
import { EXIT } from '../../src/wording/messages.ts';
import { comparisonReport } from '../reporters/comparison.ts';

type Outcome = 'slower' | 'faster' | 'same' | 'unsure' | 'invalid';

const BUSY: HostComparison = { verdict: 'unfit', unfitRuns: 30, sentence: 'The machine was busy.' };
const BROKEN: BudgetResult = {
  metric: 'page-complete',
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
    expect(annotations).toContainEqual(expect.objectContaining({ kind: 'warning', title: 'The machine was not fit' }));
  });
});
