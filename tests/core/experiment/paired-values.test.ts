import { describe, expect, it } from 'vitest';
import { pairedValues, valuesOf } from '../../../src/core/experiment/paired-values.ts';
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
    expect(pairedValues(mixed, read)).toEqual([
      { base: [1, 2], candidate: [3, 4] },
      { base: [5, 6], candidate: [7, 8] },
    ]);
  });
});
