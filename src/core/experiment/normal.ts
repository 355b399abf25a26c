/** Where the continued fraction of the tail takes over: from here on it has converged to double precision. */
const TAIL_FROM = 3;
const TAIL_TERMS = 80;

/** Density of the standard normal distribution. */
export function normalDensity(z: number): number {
  return Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
}

/**
 * Φ(z), to about 15 digits, in the lower tail relative to the probability itself. Sources: the series of Marsaglia,
 * "Evaluating the Normal Distribution", Journal of Statistical Software 11 (2004); in the tails the continued fraction
 * 26.2.14 of Abramowitz and Stegun.
 */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  if (z <= -TAIL_FROM) return upperTail(-z);
  if (z >= TAIL_FROM) return 1 - upperTail(z);
  const square = z * z;
  let term = z;
  let sum = z;
  for (let i = 3; Math.abs(term) > Math.abs(sum) * Number.EPSILON; i += 2) {
    term *= square / i;
    sum += term;
  }
  return 0.5 + sum * normalDensity(z);
}

/** 1 − Φ(z) for z from `TAIL_FROM` on. */
function upperTail(z: number): number {
  if (z === Number.POSITIVE_INFINITY) return 0;
  let fraction = z;
  for (let k = TAIL_TERMS; k >= 1; k -= 1) fraction = z + k / fraction;
  return normalDensity(z) / fraction;
}

/**
 * The z with Φ(z) = p, to about 14 digits; ∓∞ for 0 and 1, NaN outside of them. Source: 26.2.23 of Abramowitz and
 * Stegun (4.5e-4), polished by Halley's method on `normalCdf`.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return Number.NEGATIVE_INFINITY;
  // The lower tail keeps its digits; the upper one is its mirror.
  if (p > 0.5) return -normalQuantile(1 - p);
  const t = Math.sqrt(-2 * Math.log(p));
  let z = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let i = 0; i < 3; i += 1) {
    const step = (normalCdf(z) - p) / normalDensity(z);
    z -= step / (1 + (z * step) / 2);
  }
  return z;
}
