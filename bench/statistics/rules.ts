import { boundaries } from '../../src/core/experiment/alpha-spending.ts';
import { blockOrder } from '../../src/core/experiment/blocks.ts';
import { decide, overallDecision } from '../../src/core/experiment/decision.ts';
import { DEFAULT_MIN_EFFECT, effectBounds } from '../../src/core/experiment/effect.ts';
import { type BlockValues, estimateShift } from '../../src/core/experiment/hodges-lehmann.ts';
import { normalQuantile } from '../../src/core/experiment/normal.ts';
import { defaultLooks } from '../../src/core/experiment/plan.ts';
import { estimateMedian } from '../../src/core/time/median.ts';
import type { Build } from '../../src/model/compare/comparison.ts';
import type { Place, Session } from './noise.ts';

/** What a rule made of one comparison. */
export interface Outcome {
  /** It says that the builds differ: for the worse, or for the better. */
  readonly called: 'slower' | 'faster' | undefined;
  /** It stopped before its last pair because it knew. */
  readonly decided: boolean;
  readonly pairs: number;
  /** Every interval that it gives holds the truth. */
  readonly covers: boolean;
  /** How wide the widest of them is, as a share of the base; infinite when an end is open. */
  readonly width: number;
  /** What it estimates, as a logarithm, less what is true; absent where nobody asks. */
  readonly error?: number;
}

/** A way to compare two builds whose true ratio is `factor`. */
export interface Rule {
  readonly name: string;
  compare(session: Session, factor: number, seed: number, gates: number): Outcome;
}

/** α of every rule, and the most pairs that it may load. */
export const LEVEL = 0.05;
export const MAX_PAIRS = 40;
const LOOKS = defaultLooks(MAX_PAIRS);

/** Critical values by number of gates: they depend on nothing that is simulated. */
const criticalValues = [1, 2].map((gates) =>
  boundaries(
    LOOKS.map((pairs) => pairs / MAX_PAIRS),
    LEVEL / gates,
  ),
);

/** Quiesce's own, with the code that runs in a comparison. */
export const quiesce: Rule = {
  name: 'quiesce',
  compare(session, factor, seed, gates) {
    const blocks: (readonly BlockValues[])[] = [];
    for (const [k, pairs] of LOOKS.entries()) {
      while (blocks.length * 2 < pairs) blocks.push(loadBlock(session, factor, seed, blocks.length, gates));
      const z = criticalValues[gates - 1]?.[k] ?? Number.POSITIVE_INFINITY;
      const found = Array.from({ length: gates }, (_, gate) => {
        const times = blocks.flatMap((block) => block[gate] ?? []);
        const shift = estimateShift(
          times.map(({ base, candidate }) => ({ base: base.map(Math.log), candidate: candidate.map(Math.log) })),
        );
        const interval = shift?.interval(z) ?? {};
        const baseMedian = estimateMedian(times.flatMap(({ base }) => base))?.median ?? 1;
        const bounds = effectBounds(DEFAULT_MIN_EFFECT, { scale: 'ratio', unit: 'ms', baseMedian });
        const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = interval;
        return {
          decision: decide(interval, bounds),
          covers: holds(interval, Math.log(factor)),
          width: Math.expm1(high) - Math.expm1(low),
        };
      });
      const decisions = found.map(({ decision }) => decision);
      const decided = !decisions.includes('unsure');
      if (!decided && pairs < MAX_PAIRS) continue;
      // One gate that differs is a call, whatever the others say.
      const called = (['slower', 'faster'] as const).find((decision) => decisions.includes(decision));
      return {
        called,
        decided: overallDecision(decisions) !== 'unsure',
        pairs,
        covers: found.every((each) => each.covers),
        width: Math.max(...found.map(({ width }) => width)),
      };
    }
    throw new Error('the last look always ends it');
  },
};

function loadBlock(
  session: Session,
  factor: number,
  seed: number,
  index: number,
  gates: number,
): readonly BlockValues[] {
  const loads = blockOrder(seed, index).map((build, order) => ({
    build,
    times: session({ load: index * 4 + order, second: order % 2 === 1 }, build === 'base' ? 1 : factor),
  }));
  const of = (build: Build, gate: number) =>
    loads.filter((load) => load.build === build).map(({ times }) => times[gate] ?? Number.NaN);
  return Array.from({ length: gates }, (_, gate) => ({ base: of('base', gate), candidate: of('candidate', gate) }));
}

/**
 * Tachometer's: base and candidate in turn, a t-interval on the relative difference of means, more samples until no
 * interval contains 0. Source: google/tachometer, src/stats.ts and src/runner.ts: 50 samples, then ten at a time; a time
 * limit ends it, here a number of pairs.
 */
function tachometer(name: string, first: number, step: number, limit: number): Rule {
  return {
    name,
    compare(session, factor, _seed, gates) {
      const samples = Array.from({ length: gates }, () => ({ base: new Moments(), candidate: new Moments() }));
      for (let pairs = 1; pairs <= limit; pairs += 1) {
        for (const build of ['base', 'candidate'] as const) {
          const second = build === 'candidate';
          const times = session(
            { load: 2 * (pairs - 1) + (second ? 1 : 0), second, candidate: second },
            second ? factor : 1,
          );
          for (const [gate, sample] of samples.entries()) sample[build].add(times[gate] ?? Number.NaN);
        }
        if (pairs < first || ((pairs - first) % step !== 0 && pairs < limit)) continue;
        const intervals = samples.map(({ base, candidate }) => relativeInterval(base, candidate, pairs - 1));
        const decided = intervals.every((interval) => !holds(interval, 0));
        if (!decided && pairs < limit) continue;
        return {
          called: callOf(intervals),
          decided,
          pairs,
          covers: intervals.every((each) => holds(each, factor - 1)),
          width: widest(intervals),
        };
      }
      throw new Error('the last pair always ends it');
    },
  };
}

/** All loads of the base, all of the candidate, at the places that `placeOf` gives them; Welch's t-interval. */
export function welch(name: string, placeOf: (build: Build, n: number) => Place): Rule {
  return {
    name,
    compare(session, factor, _seed, gates) {
      const samples = Array.from({ length: gates }, () => ({ base: new Moments(), candidate: new Moments() }));
      for (const build of ['base', 'candidate'] as const) {
        for (let n = 0; n < MAX_PAIRS; n += 1) {
          const times = session(
            { ...placeOf(build, n), candidate: build === 'candidate' },
            build === 'base' ? 1 : factor,
          );
          for (const [gate, sample] of samples.entries()) sample[build].add(times[gate] ?? Number.NaN);
        }
      }
      const intervals = samples.map(({ base, candidate }) => {
        const [a, b] = [base.variance / MAX_PAIRS, candidate.variance / MAX_PAIRS];
        return relativeInterval(base, candidate, ((a + b) ** 2 * (MAX_PAIRS - 1)) / (a * a + b * b));
      });
      return {
        called: callOf(intervals),
        decided: intervals.every((interval) => !holds(interval, 0)),
        pairs: MAX_PAIRS,
        covers: intervals.every((each) => holds(each, factor - 1)),
        width: widest(intervals),
      };
    },
  };
}

/** All rules, ours first. */
export const rules: readonly Rule[] = [
  quiesce,
  tachometer('tachometer', 50, 10, 100),
  tachometer('tachometer, 40 pairs', 10, 6, MAX_PAIRS),
  welch('all A, then all B', (build, n) => ({ load: n + (build === 'base' ? 0 : MAX_PAIRS), second: n % 2 === 1 })),
];

/** Mean and variance as values come. Source: Welford, Technometrics 4 (1962). */
class Moments {
  count = 0;
  mean = 0;
  #squares = 0;

  add(value: number): void {
    this.count += 1;
    const distance = value - this.mean;
    this.mean += distance / this.count;
    this.#squares += distance * (value - this.mean);
  }

  get variance(): number {
    return this.#squares / (this.count - 1);
  }
}

function relativeInterval(
  base: Moments,
  candidate: Moments,
  freedom: number,
): { readonly low: number; readonly high: number } {
  const difference = (candidate.mean - base.mean) / base.mean;
  const variance =
    candidate.variance / candidate.count / base.mean ** 2 +
    ((base.variance / base.count) * candidate.mean ** 2) / base.mean ** 4;
  const reach = studentQuantile(1 - LEVEL / 2, freedom) * Math.sqrt(variance);
  return { low: difference - reach, high: difference + reach };
}

/** To 1e-5 from 9 degrees of freedom on. Source: Abramowitz and Stegun, 26.7.5. */
export function studentQuantile(p: number, freedom: number): number {
  const z = normalQuantile(p);
  const [z3, z5, z7, z9] = [z ** 3, z ** 5, z ** 7, z ** 9];
  return (
    z +
    (z3 + z) / (4 * freedom) +
    (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * freedom ** 3) +
    (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * freedom ** 4)
  );
}

function callOf(intervals: readonly { readonly low: number; readonly high: number }[]): Outcome['called'] {
  if (intervals.some(({ low }) => low > 0)) return 'slower';
  return intervals.some(({ high }) => high < 0) ? 'faster' : undefined;
}

function widest(intervals: readonly { readonly low: number; readonly high: number }[]): number {
  return Math.max(...intervals.map(({ low, high }) => high - low));
}

/** Does an interval hold what is true? */
export function holds({ low, high }: { readonly low?: number; readonly high?: number }, truth: number): boolean {
  // Room for what floating point leaves of ends that are equal to the truth.
  return (low ?? Number.NEGATIVE_INFINITY) <= truth + 1e-12 && (high ?? Number.POSITIVE_INFINITY) >= truth - 1e-12;
}
