import { describe, expect, it } from 'vitest';
import { randomFor } from '../../../bench/statistics/random.ts';
import { disagreements } from '../../../src/core/merge/agreement.ts';
import type { MetricComparison, PlacedRun } from '../../../src/model/compare/comparison.ts';
import { mergeNoteInWords } from '../../../src/wording/shards/merge-notes.ts';

/** Blocks on machines that differ by far more than the builds; `changes` of the candidate by machine. */
function runsOn(changes: readonly number[], blocks: number, seed = 1): readonly PlacedRun[] {
  return changes.flatMap((change, i) => {
    const random = randomFor(seed, i);
    const moment = () => 0.02 * random.normal();
    return Array.from({ length: blocks }, (_, n) => ({ block: i + n * changes.length + 1, drift: moment() })).flatMap(
      ({ block, drift }) =>
        [0, 1, 2, 3].map((order): PlacedRun => {
          const build = order % 2 === 0 ? 'base' : 'candidate';
          const time = 1_000 * (1 + i) * Math.exp(drift + 0.04 * random.normal());
          const pageComplete = build === 'base' ? time : time * (1 + change);
          const place = { build, block, order, machine: i + 1 } as const;
          return { index: order, role: 'timed', ok: true, ...place, metrics: { pageComplete } };
        }),
    );
  });
}

const gate = { metric: 'pageComplete', scale: 'ratio', unit: 'ms', gate: true, difference: {} } as MetricComparison;
const said = (runs: readonly PlacedRun[], comparison = gate) =>
  disagreements([comparison], runs).map((each) => mergeNoteInWords({ code: 'machines-disagree', ...each }));

describe('machines on which the candidate', () => {
  it('is as much slower say nothing, however unlike they are; 1% of them by chance', () => {
    const told = Array.from({ length: 300 }, (_, seed) => said(runsOn([0.1, 0.1, 0.1], 4, seed)).length);
    expect(told.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(9);
  });

  it('is slower on one of them are told with what it is on either end', () => {
    expect(said(runsOn([0.01, 0.25, 0.02], 5))).toEqual([
      expect.stringMatching(
        /^The machines disagree on Page complete: from [+−]\d[\d.]*% on machine [13] to \+2\d% on machine 2\. /,
      ),
    ]);
    expect(said(runsOn([0.01, 0.25, 0.02], 5), { ...gate, scale: 'shift' })[0]).toMatch(/to \+\d{3} ms on machine 2\./);
  });

  it('cannot be told apart say nothing: one machine, constant times, a metric that does not decide', () => {
    expect(said(runsOn([0.3], 5))).toEqual([]);
    const constant = runsOn([0.1, 0.2], 5).map((run) => ({ ...run, metrics: { pageComplete: 1_000 } }));
    expect(said(constant)).toEqual([]);
    expect(said(runsOn([0.01, 0.25], 5), { ...gate, gate: false })).toEqual([]);
    expect(said([])).toEqual([]);
  });
});
