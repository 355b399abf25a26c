import { normalCdf, normalDensity } from './normal.ts';

/** How much of α is spent, over all looks so far, when `fraction` of the pairs is there. */
export type Spending = (fraction: number, alpha: number) => number;

/** α(t) = α·t²: little is spent on early looks, most is left for the last. Source: Kim and DeMets, Biometrika 74 (1987), ρ = 2. */
const kimDeMets: Spending = (fraction, alpha) => alpha * fraction ** 2;

/** Panels are this many of the narrowest standard deviations wide; with 16 nodes each the error is below 1e-12. */
const PANEL_WIDTH = 4;
const NODES = 16;
/** Beyond this many standard deviations there is no probability that a double could add up. */
const FAR = 9;
/** How exact a boundary is, and after how many steps it is as exact as it gets; halving alone would need 45. */
const EXACT = 1e-11;
const MOST_STEPS = 60;

/**
 * |z| beyond which builds differ at each look, so that identical builds are called different with probability α over all
 * looks. `fractions`: the share of the largest number of pairs that each look has, rising, 1 for the last; a comparison
 * that ended early has spent the less. A look without new values has the boundary of the look before; one that has
 * nothing to spend has none (∞). Source: Armitage, McPherson and Rowe, JRSS A 132 (1969), for the recursion; Lan and
 * DeMets, Biometrika 70 (1983), for spending.
 */
export function boundaries(fractions: readonly number[], alpha: number, spending = kimDeMets): readonly number[] {
  const found: number[] = [];
  let spent = 0;
  let walk = START;
  for (const [k, fraction] of fractions.entries()) {
    if (fraction <= walk.at) {
      found.push(found.at(-1) ?? Number.POSITIVE_INFINITY);
      continue;
    }
    const budget = spending(Math.min(1, fraction), alpha);
    const boundary = boundaryFor(walk, fraction, budget - spent);
    found.push(boundary);
    spent = budget;
    walk = advance(walk, fraction, boundary, nextAfter(fractions, k), 0);
  }
  return found;
}

/**
 * The probability of crossing ±boundary for the first time at each look, when the estimate, in standard errors of the
 * last look, is `drift` on average: 0 for identical builds. Adds up to α or, with a drift, to the power.
 */
export function crossingProbabilities(
  fractions: readonly number[],
  boundariesOfLooks: readonly number[],
  drift = 0,
): readonly number[] {
  let walk = START;
  return fractions.map((fraction, k) => {
    const boundary = boundariesOfLooks[k] ?? Number.POSITIVE_INFINITY;
    if (fraction <= walk.at) return 0;
    const probability = exit(walk, fraction, boundary, drift);
    walk = advance(walk, fraction, boundary, nextAfter(fractions, k), drift);
    return probability;
  });
}

/** Where the sum of differences, a Brownian motion, can be at a look if it has not crossed before: probability by place. */
interface Walk {
  /** The look's fraction. */
  readonly at: number;
  readonly places: Float64Array;
  readonly probabilities: Float64Array;
}

const START: Walk = { at: 0, places: new Float64Array([0]), probabilities: new Float64Array([1]) };

function nextAfter(fractions: readonly number[], k: number): number | undefined {
  const now = fractions[k] ?? 0;
  return fractions.slice(k + 1).find((fraction) => fraction > now);
}

/** Newton's method on `exit`, kept inside an interval that holds the root. */
function boundaryFor(walk: Walk, fraction: number, budget: number): number {
  const deviation = Math.sqrt(fraction - walk.at);
  const slope = (boundary: number): number => {
    const edge = boundary * Math.sqrt(fraction);
    let density = 0;
    for (let i = 0; i < walk.places.length; i += 1) {
      density += (walk.probabilities[i] ?? 0) * normalDensity((edge - (walk.places[i] ?? 0)) / deviation);
    }
    return (2 * density * Math.sqrt(fraction)) / deviation;
  };
  let low = 0;
  let high = FAR;
  if (exit(walk, fraction, high, 0) >= budget) return Number.POSITIVE_INFINITY;
  let boundary = 2;
  for (let i = 0; i < MOST_STEPS && high - low > EXACT; i += 1) {
    const excess = exit(walk, fraction, boundary, 0) - budget;
    if (excess > 0) low = boundary;
    else high = boundary;
    const next = boundary + excess / slope(boundary);
    if (Math.abs(next - boundary) < EXACT) return next;
    boundary = next > low && next < high ? next : (low + high) / 2;
  }
  return boundary;
}

/** The probability of being beyond ±boundary at the look at `fraction`, and not before. */
function exit(walk: Walk, fraction: number, boundary: number, drift: number): number {
  if (boundary === Number.POSITIVE_INFINITY) return 0;
  const step = fraction - walk.at;
  const deviation = Math.sqrt(step);
  const edge = boundary * Math.sqrt(fraction);
  let probability = 0;
  for (let i = 0; i < walk.places.length; i += 1) {
    const centre = (walk.places[i] ?? 0) + drift * step;
    const weight = walk.probabilities[i] ?? 0;
    probability += weight * (normalCdf((centre - edge) / deviation) + normalCdf((-edge - centre) / deviation));
  }
  return probability;
}

function advance(walk: Walk, fraction: number, boundary: number, next: number | undefined, drift: number): Walk {
  const step = fraction - walk.at;
  const deviation = Math.sqrt(step);
  // What is carried on is as smooth as the step that led here, and is weighed with the step that follows.
  const narrowest = Math.min(deviation, Math.sqrt((next ?? fraction + step) - fraction));
  const edge = Math.min(boundary, FAR + Math.abs(drift)) * Math.sqrt(fraction);
  const panels = Math.ceil((2 * edge) / (PANEL_WIDTH * narrowest));
  const half = edge / panels;
  const places = new Float64Array(panels * NODES);
  const probabilities = new Float64Array(panels * NODES);
  for (let j = 0; j < places.length; j += 1) {
    const [node, weight] = LEGENDRE[j % NODES] ?? [0, 0];
    const place = -edge + half * (2 * Math.floor(j / NODES) + 1 + node);
    let density = 0;
    for (let i = 0; i < walk.places.length; i += 1) {
      const distance = (place - (walk.places[i] ?? 0) - drift * step) / deviation;
      if (Math.abs(distance) < FAR) density += (walk.probabilities[i] ?? 0) * normalDensity(distance);
    }
    places[j] = place;
    probabilities[j] = (density / deviation) * half * weight;
  }
  return { at: fraction, places, probabilities };
}

/** Nodes and weights of Gauss–Legendre quadrature on [−1, 1]: roots by Newton's method. Source: Abramowitz and Stegun, 25.4.29. */
const LEGENDRE: readonly (readonly [number, number])[] = Array.from({ length: NODES }, (_, i) => {
  let x = Math.cos((Math.PI * (i + 0.75)) / (NODES + 0.5));
  let slope = 1;
  for (let iteration = 0; iteration < 10; iteration += 1) {
    let [before, value] = [1, x];
    for (let k = 2; k <= NODES; k += 1) [before, value] = [value, ((2 * k - 1) * x * value - (k - 1) * before) / k];
    slope = (NODES * (x * value - before)) / (x * x - 1);
    x -= value / slope;
  }
  return [x, 2 / ((1 - x * x) * slope * slope)];
});
