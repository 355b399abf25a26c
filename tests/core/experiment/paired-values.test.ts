import { describe, expect, it } from 'vitest';
import { onAxis, pairedValues, valuesOf } from '../../../src/core/experiment/paired-values.ts';
import { runsOf } from './reference.ts';

const read = (run: { readonly metrics?: Readonly<Partial<Record<string, number>>> }) => run.metrics?.load;

describe('pairedValues', () => {
  it('leaves out a block that is not whole, or has one build only', () => {
    const runs = runsOf('load', [
      { base: [1, 2], candidate: [3, 4] },
      { base: [5, undefined], candidate: [7, 8] },
      { base: [9, Number.NaN], candidate: [11, 12] },
      { base: [13, 14], candidate: [] },
    ]);
    expect(pairedValues(runs, read)).toEqual([{ base: [1, 2], candidate: [3, 4] }]);
    expect(valuesOf('base', runs, read)).toEqual([1, 2, 5, 9, 13, 14]);
  });

  it('finds blocks whose runs are not in order', () => {
    const runs = runsOf('load', [
      { base: [1, 2], candidate: [3, 4] },
      { base: [5, 6], candidate: [7, 8] },
    ]);
    const mixed = runs.toSorted((a, b) => a.order - b.order);
    for (const order of [mixed, mixed.toReversed().toSorted((a, b) => a.order - b.order)]) {
      expect(pairedValues(order, read)).toEqual([
        { base: [1, 2], candidate: [3, 4] },
        { base: [5, 6], candidate: [7, 8] },
      ]);
    }
  });

  it('has machines as strata, also on another scale', () => {
    const runs = runsOf('load', [
      { base: [1, 2], candidate: [3, 4] },
      { base: [5, 6], candidate: [7, 8] },
    ]).map((run) => ({ ...run, machine: run.block + 1 }));
    const values = pairedValues(runs, read);
    expect(values.map(({ stratum }) => stratum)).toEqual([2, 3]);
    expect(onAxis(values, (value) => -value)[1]).toEqual({ base: [-5, -6], candidate: [-7, -8], stratum: 3 });
  });
});
