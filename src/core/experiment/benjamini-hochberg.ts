/** Of the differences that are reported about metrics other than gates, the share that may be chance. Source: docs/internals/statistics.md. */
export const FALSE_DISCOVERY_RATE = 0.1;

/**
 * Which p-values remain differences once their number is taken into account, in their order.
 * Source: Benjamini and Hochberg, Journal of the Royal Statistical Society B 57 (1995).
 */
export function benjaminiHochberg(pValues: readonly number[], rate = FALSE_DISCOVERY_RATE): readonly boolean[] {
  const rising = [...pValues].sort((a, b) => a - b);
  const limit = rising.findLast((p, i) => p <= ((i + 1) / rising.length) * rate);
  return pValues.map((p) => limit !== undefined && p <= limit);
}
