import { expect, test } from 'vitest';
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
  const later = target(400);
  expect(networkIdleOf(later)?.at).toBe(later.representative.pageComplete.raw.at);
});
