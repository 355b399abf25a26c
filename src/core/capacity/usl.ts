import type { UslFit } from '../../model/capacity.ts';
import { createRandom } from './random.ts';

/** A point of the curve. */
export interface UslPoint {
  readonly concurrency: number;
  readonly throughput: number;
}

/** Fewer points than this say nothing of three parameters. */
export const FEWEST_LEVELS = 4;
/** Resamples for the intervals. */
const RESAMPLES = 400;
/** Nothing is said of more than so many times the highest level. */
const EXTRAPOLATION = 2;
/** Shares below this are no contention, and no coherence. */
const NEGLIGIBLE = 1e-9;

interface Parameters {
  readonly lambda: number;
  readonly sigma: number;
  readonly kappa: number;
}

/**
 * Fits the Universal Scalability Law by least squares on throughput, all three parameters free and none below 0. Intervals by
 * a bootstrap of residuals, which holds the noise and what the law does not describe. Undefined with too few levels.
 *
 * @param seed decides the resamples
 */
export function fitUsl(points: readonly UslPoint[], seed: number): UslFit | undefined {
  const levels = new Set(points.map(({ concurrency }) => concurrency));
  const highest = Math.max(...levels);
  const most = Math.max(...points.map(({ throughput }) => throughput));
  if (levels.size < FEWEST_LEVELS || !(most > 0)) return undefined;
  const best = leastSquares(points);
  const fitted = points.map(({ concurrency }) => throughputAt(best, concurrency));
  // Three parameters take so much of the scatter away that it is scaled up again.
  const scale = Math.sqrt(points.length / Math.max(1, points.length - 3));
  const residuals = points.map(({ throughput }, i) => (throughput - (fitted[i] ?? 0)) * scale);
  const random = createRandom(seed);
  const draw = () => residuals[Math.floor(random() * residuals.length)] ?? 0;
  const resampled = Array.from({ length: RESAMPLES }, () =>
    leastSquares(
      points.map((point, i) => ({ ...point, throughput: Math.max(0, (fitted[i] ?? 0) + draw()) })),
      best,
    ),
  );
  const limit = EXTRAPOLATION * highest;
  const peak = peakOf(best, limit);
  const peaks = resampled.flatMap((each) => peakOf(each, limit) ?? []);
  const [sigmaLow, sigmaHigh] = interval(resampled.map(({ sigma }) => sigma));
  const [kappaLow, kappaHigh] = interval(resampled.map(({ kappa }) => kappa));
  const hasPeaks = peak !== undefined && peaks.length >= RESAMPLES / 2;
  const [peakLow, peakHigh] = hasPeaks ? interval(peaks) : [undefined, undefined];
  return {
    ...best,
    sigmaLow: Math.min(sigmaLow, best.sigma),
    sigmaHigh: Math.max(sigmaHigh, best.sigma),
    kappaLow: Math.min(kappaLow, best.kappa),
    kappaHigh: Math.max(kappaHigh, best.kappa),
    ...(peak !== undefined && { peak }),
    ...(peakLow !== undefined && peakHigh !== undefined && { peakLow, peakHigh }),
    ceiling: throughputAt(best, Math.min(peak ?? limit, limit)),
    r2: determination(points, fitted),
    curve: curveOf(best, limit),
  };
}

/** Throughput at a concurrency. */
export function throughputAt({ lambda, sigma, kappa }: Pick<UslFit, 'lambda' | 'sigma' | 'kappa'>, n: number): number {
  return (lambda * n) / (1 + sigma * (n - 1) + kappa * n * (n - 1));
}

/** Where the curve is highest; undefined where that lies beyond the limit. */
function peakOf({ sigma, kappa }: Parameters, limit: number): number | undefined {
  if (kappa < NEGLIGIBLE) return undefined;
  const at = Math.sqrt(Math.max(0, 1 - sigma) / kappa);
  return at >= 1 && at <= limit ? at : at < 1 ? 1 : undefined;
}

function leastSquares(points: readonly UslPoint[], from?: Parameters): Parameters {
  const starts = from
    ? [from]
    : [
        { sigma: 0, kappa: 0 },
        { sigma: 0.02, kappa: 1e-4 },
        { sigma: 0.3, kappa: 1e-3 },
      ];
  const loss = ([u, v]: Vertex): number => lossAt(points, u * u, v * v).loss;
  // Losses are differences of sums of this size.
  const rounding = Number.EPSILON * points.reduce((sum, { throughput }) => sum + throughput * throughput, 0);
  const found = starts
    .map(({ sigma, kappa }) => minimise(loss, [Math.sqrt(sigma), Math.sqrt(kappa)], rounding))
    .reduce((a, b) => (loss(b) < loss(a) ? b : a));
  const [sigma, kappa] = [found[0] ** 2, found[1] ** 2].map((each) => (each < NEGLIGIBLE ? 0 : each)) as [
    number,
    number,
  ];
  return { lambda: lossAt(points, sigma, kappa).lambda, sigma, kappa };
}

/** λ has a closed form once the others are given. */
function lossAt(points: readonly UslPoint[], sigma: number, kappa: number) {
  let above = 0;
  let below = 0;
  let squares = 0;
  for (const { concurrency: n, throughput } of points) {
    const shape = n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
    above += shape * throughput;
    below += shape * shape;
    squares += throughput * throughput;
  }
  const lambda = below > 0 ? above / below : 0;
  return { lambda, loss: squares - lambda * above };
}

type Vertex = readonly [number, number];

/** The most that the simplex takes until it is as small as rounding errors; it has two dimensions. */
const STEPS = 160;

/**
 * Nelder and Mead's simplex, 1965: no derivatives, and 0 is no edge because squares are searched. Ends where losses differ
 * by no more than rounding errors do.
 */
function minimise(loss: (at: Vertex) => number, start: Vertex, rounding: number): Vertex {
  const step = (each: number) => each + Math.max(0.05, Math.abs(each) * 0.25);
  let simplex = [
    start,
    [step(start[0]), start[1]] as const,
    [start[0], start[1] + Math.max(0.005, start[1] * 0.25)] as const,
  ].map((at: Vertex) => ({ at, loss: loss(at) }));
  const value = (at: Vertex) => ({ at, loss: loss(at) });
  for (let i = 0; i < STEPS; i += 1) {
    simplex = simplex.toSorted((a, b) => a.loss - b.loss);
    const [best, middle, worst] = simplex as [(typeof simplex)[0], (typeof simplex)[0], (typeof simplex)[0]];
    if (worst.loss - best.loss < rounding) break;
    const centre: Vertex = [(best.at[0] + middle.at[0]) / 2, (best.at[1] + middle.at[1]) / 2];
    const along = (factor: number) =>
      value([centre[0] + factor * (worst.at[0] - centre[0]), centre[1] + factor * (worst.at[1] - centre[1])]);
    const reflected = along(-1);
    if (reflected.loss < best.loss) {
      const expanded = along(-2);
      simplex = [best, middle, expanded.loss < reflected.loss ? expanded : reflected];
    } else if (reflected.loss < middle.loss) {
      simplex = [best, middle, reflected];
    } else {
      const contracted = reflected.loss < worst.loss ? along(-0.5) : along(0.5);
      if (contracted.loss < Math.min(worst.loss, reflected.loss)) simplex = [best, middle, contracted];
      else {
        const towards = ({ at }: { at: Vertex }) => value([(at[0] + best.at[0]) / 2, (at[1] + best.at[1]) / 2]);
        simplex = [best, towards(middle), towards(worst)];
      }
    }
  }
  return simplex.reduce((a, b) => (b.loss < a.loss ? b : a)).at;
}

function determination(points: readonly UslPoint[], fitted: readonly number[]): number {
  const mean = points.reduce((sum, { throughput }) => sum + throughput, 0) / points.length;
  const total = points.reduce((sum, { throughput }) => sum + (throughput - mean) ** 2, 0);
  const left = points.reduce((sum, { throughput }, i) => sum + (throughput - (fitted[i] ?? 0)) ** 2, 0);
  // What differs by rounding errors only is the same.
  const nothing = 1e-12 * points.length * mean ** 2;
  return total <= nothing ? (left <= nothing ? 1 : 0) : Math.max(0, 1 - left / total);
}

/** The middle 95%. */
function interval(values: readonly number[]): readonly [low: number, high: number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return [at(0.025), at(0.975)];
}

/** Points of the curve that a drawing needs. */
const CURVE_POINTS = 48;

function curveOf(parameters: Parameters, limit: number): UslFit['curve'] {
  const at = Array.from({ length: CURVE_POINTS }, (_, i) => limit ** (i / (CURVE_POINTS - 1)));
  return at.map((concurrency) => ({ concurrency, throughput: throughputAt(parameters, concurrency) }));
}
