import type { ChangeOverLoads } from '../../model/main-thread.ts';
import type { Ms } from '../../model/units.ts';
import { studentQuantile } from '../experiment/student.ts';
import { toMicroseconds } from '../time/time.ts';
import { SAMPLE_EVERY_MS } from './samples.ts';

/** Coverage of all intervals of a list together. */
export const PROVEN_LEVEL = 0.95;

/** Of so many loads, at each end one is left out: a load in which the machine did something else says nothing. */
const TRIMMED_SHARE = 0.2;

/** What something took in several loads of each build, ms. */
export interface Loads {
  readonly base: readonly Ms[];
  readonly candidate: readonly Ms[];
}

/**
 * How much longer each of a list took in the candidate, with intervals that hold together: in 95 of 100 lists not one is
 * wrong (Bonferroni). So a list of a thousand functions that did not change names none. The difference of trimmed means with
 * the interval of Yuen (Biometrika 61, 1974); the spread is that between loads of one build, and never less than what taking
 * samples adds.
 *
 * @param sampledEvery the distance of samples, ms; 0 for what was measured without
 */
export function provenChanges<T extends Loads>(
  list: readonly T[],
  level = PROVEN_LEVEL,
  sampledEvery = SAMPLE_EVERY_MS,
): ReadonlyMap<T, ChangeOverLoads> {
  return new Map(list.map((each) => [each, changeOf(each, list.length, level, sampledEvery)]));
}

function changeOf({ base, candidate }: Loads, of: number, level: number, sampledEvery: Ms): ChangeOverLoads {
  const [was, is] = [trimmed(base, sampledEvery), trimmed(candidate, sampledEvery)];
  const difference = is.mean - was.mean;
  const variance = was.variance + is.variance;
  // Welch and Satterthwaite.
  const freedom = variance ** 2 / (was.variance ** 2 / was.freedom + is.variance ** 2 / is.freedom);
  const few = Math.min(base.length, candidate.length) < 2;
  // What is the same in all loads of a build is known.
  const isExact = variance === 0 && !few;
  const reach = isExact ? 0 : studentQuantile(1 - (1 - level) / 2 / of, freedom) * Math.sqrt(variance);
  return {
    base: toMicroseconds(was.mean),
    candidate: toMicroseconds(is.mean),
    difference: toMicroseconds(difference),
    // Of single loads nothing is known.
    ...(Number.isFinite(reach) && {
      low: toMicroseconds(difference - reach),
      high: toMicroseconds(difference + reach),
    }),
    level,
  };
}

/** The trimmed mean of loads, and its variance: that of the winsorized values. */
function trimmed(
  values: readonly number[],
  sampledEvery: Ms,
): {
  readonly mean: number;
  readonly variance: number;
  readonly freedom: number;
} {
  const sorted = values.toSorted((a, b) => a - b);
  const out = Math.floor(TRIMMED_SHARE * sorted.length);
  const kept = sorted.slice(out, sorted.length - out);
  const mean = meanOf(kept);
  const ends = [kept[0], kept.at(-1)].flatMap((end) => Array.from({ length: out }, () => end ?? 0));
  const winsorized = [...kept, ...ends];
  const middle = meanOf(winsorized);
  const squares = winsorized.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  const freedom = kept.length - 1;
  // What takes t ms is seen in t / SAMPLE_EVERY_MS samples, a Poisson variable at most: loads that agree better do so by chance.
  const sampling = sampledEvery * mean;
  return { mean, variance: Math.max(squares / freedom, sampling) / kept.length, freedom };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
