import { expect, it } from 'vitest';
import { simulateMachines } from '../../bench/machines/simulate.ts';

/** Enough to tell rarely from often; `npm run bench:machines` has narrower figures. */
const COMPARISONS = 300;
const run = (onOne: number) => simulateMachines({ machines: 4, blocks: 5, onOne, comparisons: COMPARISONS });

it('machines that agree are hardly ever called apart, and the interval is as often wrong as it says', () => {
  const { off, apart } = run(0);
  expect(apart).toBeLessThan(0.03);
  expect(off).toBeLessThan(0.09);
});

it('a candidate that is much slower on one machine alone is mostly noticed', () => {
  expect(run(Math.log(1.2)).apart).toBeGreaterThan(0.8);
});
