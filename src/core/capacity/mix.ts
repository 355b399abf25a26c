import type { LoadTarget } from '../../model/network/load.ts';

/** The longest list of turns: weights that need more are rounded. */
const MOST_TURNS = 1000;

/** The URLs of a mix in the order in which they are asked for, each as often as its weight says, and spread evenly. */
export function weightedRoundRobin(targets: readonly LoadTarget[]): readonly string[] {
  const total = targets.reduce((sum, { weight }) => sum + weight, 0);
  const least = Math.min(...targets.map(({ weight }) => weight));
  const count = Math.min(MOST_TURNS, Math.max(targets.length, Math.ceil(total / least)));
  const shares = targets.map(({ url, weight }) => ({ url, share: weight / total }));
  const given = new Map<string, number>();
  return Array.from({ length: count }, (_, turn) => {
    // Who is farthest behind its share is next.
    const next = shares.reduce((a, b) => (lag(b, turn) > lag(a, turn) + 1e-9 ? b : a));
    given.set(next.url, (given.get(next.url) ?? 0) + 1);
    return next.url;
  });

  function lag({ url, share }: { readonly url: string; readonly share: number }, turn: number): number {
    return share * (turn + 1) - (given.get(url) ?? 0);
  }
}
