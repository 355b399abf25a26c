import type { Measurement } from '../../model/trend.ts';

/** In the order of time. The base of a comparison comes before its candidate. */
export function byTime(measurements: readonly Measurement[]): readonly Measurement[] {
  return measurements.toSorted((a, b) => compareText(a.at, b.at) || baseFirst(a) - baseFirst(b));
}

/**
 * In the order of commits, those of one commit by time. A result whose commit is not among them, or that names none,
 * stays behind the one that it was measured after.
 *
 * @param commits full hashes, the oldest first
 */
export function byCommit(measurements: readonly Measurement[], commits: readonly string[]): readonly Measurement[] {
  const ranks = new Map(commits.map((commit, rank) => [commit, rank]));
  const rankOf = ({ source }: Measurement): number | undefined => {
    if (source === undefined) return undefined;
    // A hash that the user gave may be short.
    return ranks.get(source.commit) ?? nonNegative(commits.findIndex((commit) => commit.startsWith(source.commit)));
  };
  let latest = -1;
  const ranked = byTime(measurements).map((measurement) => {
    latest = rankOf(measurement) ?? latest;
    return { measurement, rank: latest };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ measurement }) => measurement);
}

function nonNegative(index: number): number | undefined {
  return index < 0 ? undefined : index;
}

function baseFirst({ build }: Measurement): number {
  return build === 'base' ? 0 : 1;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
