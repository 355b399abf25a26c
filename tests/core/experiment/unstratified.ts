import type { BlockValues, Shift } from '../../../src/core/experiment/hodges-lehmann.ts';
import { normalCdf } from '../../../src/core/experiment/normal.ts';

const TIE = 1e-9;

/** The estimator as it was before there were strata: what it must still say of blocks that are all in one. */
export function estimateUnstratified(blocks: readonly BlockValues[]): Shift | undefined {
  const used = blocks.filter(({ base, candidate }) => base.length > 0 && candidate.length > 0);
  if (used.length === 0) return undefined;
  const differences = sortedDifferences(used);
  const pairs = differences.length;
  const at = (rank: number): number => differences[rank - 1] ?? Number.NaN;
  const estimate = (at((pairs + 1) >> 1) + at((pairs >> 1) + 1)) / 2;
  const unshifted = rankSum(used, 0);
  const { deviation } = rankSum(used, estimate);
  // Builds that are constant apart from the shift have no variance once it is taken off. Their permutations still have:
  // without it two loads would be enough to be sure.
  const rankDeviation = deviation === 0 ? unshifted.deviation : deviation;
  const { observed, expected, deviation: nullDeviation } = unshifted;
  return {
    estimate,
    rankDeviation,
    rankSum: unshifted,
    p: nullDeviation === 0 ? 1 : Math.min(1, 2 * normalCdf(-Math.abs(observed - expected) / nullDeviation)),
    interval(z) {
      const reach = rankDeviation === 0 ? 0 : Math.abs(z) * rankDeviation;
      const rank = Math.floor(pairs / 2 - reach);
      if (rank >= 1) return { low: at(rank), high: at(pairs + 1 - rank) };
      // All values are equal: there is one difference only, whatever its rank.
      return rankDeviation === 0 ? { low: estimate, high: estimate } : {};
    },
  };
}

function sortedDifferences(blocks: readonly BlockValues[]): Float64Array {
  const base = blocks.flatMap((block) => block.base);
  const candidate = blocks.flatMap((block) => block.candidate);
  const differences = new Float64Array(base.length * candidate.length);
  let i = 0;
  for (const b of candidate) {
    for (const a of base) {
      // What floating point leaves of equal values is no difference, in no direction.
      differences[i] = Math.abs(b - a) < TIE ? 0 : b - a;
      i += 1;
    }
  }
  return differences.sort();
}

/** Ranks over all values, `shift` taken off the candidate's; expectation and variance by permutation within blocks. */
function rankSum(blocks: readonly BlockValues[], shift: number): Shift['rankSum'] {
  const values = blocks.flatMap(({ base, candidate }) => [...base, ...candidate.map((value) => value - shift)]);
  const ranks = midranks(values.map((value) => Math.round(value / TIE)));
  let observed = 0;
  let expected = 0;
  let variance = 0;
  let from = 0;
  for (const { base, candidate } of blocks) {
    const size = base.length + candidate.length;
    const own = ranks.subarray(from, from + size);
    from += size;
    const mean = own.reduce((sum, rank) => sum + rank, 0) / size;
    const squares = own.reduce((sum, rank) => sum + (rank - mean) ** 2, 0);
    observed += own.subarray(base.length).reduce((sum, rank) => sum + rank, 0);
    expected += candidate.length * mean;
    variance += ((base.length * candidate.length) / (size * (size - 1))) * squares;
  }
  return { observed, expected, deviation: Math.sqrt(variance) };
}

/** Ranks from 1; equal values share the mean of theirs. */
function midranks(values: readonly number[]): Float64Array {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const ranks = new Float64Array(values.length);
  let from = 0;
  while (from < order.length) {
    let to = from;
    while (order[to + 1]?.value === order[from]?.value && to + 1 < order.length) to += 1;
    for (const { index } of order.slice(from, to + 1)) ranks[index] = (from + to) / 2 + 1;
    from = to + 1;
  }
  return ranks;
}
