import { expect, it } from 'vitest';
import { simulatePages } from '../../bench/pages/simulate.ts';

/** Enough to tell 5 % from 15 %; `npm run bench:pages` has narrower figures. */
const COMPARISONS = 200;
const of = (parts: Partial<Parameters<typeof simulatePages>[0]>) =>
  simulatePages({ noise: 'outliers', pages: 6, change: 0, comparisons: COMPARISONS, ...parts });

it('six pages that are equal are rarely called different as a whole, where each by itself would be in 26 %', () => {
  const { falselyDifferent, decided } = of({});
  expect(falselyDifferent).toBeLessThan(0.1);
  expect(decided).toBeGreaterThan(0.9);
});

it('a change in one page is found there and nowhere else', () => {
  const { found, foundAlone } = of({ change: 0.1 });
  expect(found).toBe(1);
  expect(foundAlone).toBeGreaterThan(0.9);
});

it('a short time decides more pages where it is spent on those that need least', () => {
  const short = { loads: 30 * 6 * 2, comparisons: 50 };
  expect(of(short).decided).toBeGreaterThan(1.3 * of({ ...short, inTurn: true }).decided);
});
