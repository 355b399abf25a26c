import { studentQuantile } from '../experiment/student.ts';

/** Coverage of every interval of a capacity result. */
const LEVEL = 0.95;
/** More than this would say that one value follows from the other alone. */
const MOST_CORRELATION = 0.8;

/**
 * Half the width of the interval of a mean of batches. Batches that follow each other closely are alike: their correlation
 * widens it. Undefined with fewer than three.
 *
 * Source: batch means, as in Law, "Simulation Modeling and Analysis", 9.5.3.
 */
export function halfWidth(batches: readonly number[]): number | undefined {
  const n = batches.length;
  if (n < 3) return undefined;
  const mean = batches.reduce((sum, each) => sum + each, 0) / n;
  const squares = batches.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  if (squares === 0) return 0;
  const products = batches.reduce((sum, each, i) => {
    const before = batches[i - 1];
    return before === undefined ? sum : sum + (each - mean) * (before - mean);
  }, 0);
  const correlation = Math.min(MOST_CORRELATION, Math.max(0, products / squares));
  const error = Math.sqrt(squares / (n - 1) / n);
  return studentQuantile(0.5 + LEVEL / 2, n - 1) * error * Math.sqrt((1 + correlation) / (1 - correlation));
}
