import { expect, test } from 'vitest';
import type { RunResult } from '../../src/model/result/result.ts';
import { networkIdleOf } from '../../src/result/representative.ts';
import { exampleReport } from '../reporters/example-report.ts';

/** The example, whose network idle is known of one run alone, so much later than its own page complete. */
function target(later: number) {
  const [example] = exampleReport().targets;
  const { representative } = example ?? {};
  const answer = representative?.pageComplete;
  if (example === undefined || representative === undefined || answer?.at === undefined) {
    throw new Error('the example is complete');
  }
  const at = answer.at - 100;
  const pageComplete = { ...answer, at, raw: { state: 'complete' as const, at: at + later } };
  return { ...example, representative: { ...representative, pageComplete } };
}

test('the page is idle when it is complete, where that was so in the run that knows', () => {
  const alike = target(1);
  expect(networkIdleOf(alike)?.at).toBe(alike.result.summary.pageComplete?.median);
  // Else as much later than page complete as in that run.
  const later = target(400);
  expect(networkIdleOf(later)?.at).toBe((later.result.summary.pageComplete?.median ?? 0) + 400);
});

test('what no timed run was watched long enough to know, the evidence run knows that never came there', () => {
  const unknown = (run: RunResult): RunResult =>
    run.pageComplete ? { ...run, pageComplete: { ...run.pageComplete, raw: { state: 'unconfirmed' } } } : run;
  const { result, representative, ...rest } = target(1);
  const [first] = result.runs;
  const runs = result.runs.map(unknown);
  const evidence = { ...first, index: 0, role: 'evidence', ok: true } as RunResult;
  const raw = { state: 'never', waitingFor: ['GET /poll'] } as const;
  const watched = { ...evidence, pageComplete: { ...representative.pageComplete, raw } };
  const report = { ...rest, representative: unknown(representative) };
  expect(networkIdleOf({ ...report, result: { ...result, runs } })?.state).toBe('unconfirmed');
  expect(networkIdleOf({ ...report, result: { ...result, runs: [watched, ...runs] } })?.state).toBe('never');
});
