import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benjaminiHochberg, FALSE_DISCOVERY_RATE } from '../../../src/core/experiment/benjamini-hochberg.ts';

describe('benjaminiHochberg', () => {
  it('gives the answer of the original article', () => {
    // Source: Benjamini and Hochberg (1995), section 3.1, fifteen p-values at q = .05: the first four.
    const article = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
    ];
    expect(benjaminiHochberg(article, 0.05).filter(Boolean)).toHaveLength(4);
    expect(benjaminiHochberg(article.toReversed(), 0.05).slice(-4)).toEqual([true, true, true, true]);
  });

  it('steps up: a p-value above its own limit is carried by a larger one below its', () => {
    expect(benjaminiHochberg([0.04, 0.045], 0.05)).toEqual([true, true]);
    expect(benjaminiHochberg([0.04, 0.06], 0.05)).toEqual([false, false]);
  });

  it('is empty for none, and all or nothing for ties', () => {
    expect(benjaminiHochberg([])).toEqual([]);
    expect(benjaminiHochberg([1, 1, 1])).toEqual([false, false, false]);
    expect(FALSE_DISCOVERY_RATE).toBe(0.1);
  });

  it('keeps the order of p-values, and finds no more than without correction', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (pValues) => {
        const found = benjaminiHochberg(Object.freeze(pValues));
        for (const [i, p] of pValues.entries()) {
          if (found[i]) expect(p).toBeLessThanOrEqual(FALSE_DISCOVERY_RATE);
          for (const [j, other] of pValues.entries()) if (other <= p && found[i]) expect(found[j]).toBe(true);
        }
      }),
    );
  });
});
