import type { LoadTarget } from '../../model/network/load.ts';

/** The longest list of turns: weights that need more are rounded. */
const MOST_TURNS = 1000;

/** The requests of a mix in the order in which they are sent, each as often as its weight says, and spread evenly. */
export function weightedRoundRobin(targets: readonly LoadTarget[]): readonly LoadTarget[] {
  const total = targets.reduce((sum, { weight }) => sum + weight, 0);
  const least = Math.min(...targets.map(({ weight }) => weight));
  const count = Math.min(MOST_TURNS, Math.max(targets.length, Math.ceil(total / least)));
  const given = new Map<LoadTarget, number>();
  return Array.from({ length: count }, (_, turn) => {
    // Who is farthest behind its share is next.
    const next = targets.reduce((a, b) => (lag(b, turn) > lag(a, turn) + 1e-9 ? b : a));
    given.set(next, (given.get(next) ?? 0) + 1);
    return next;
  });

  function lag(target: LoadTarget, turn: number): number {
    return (target.weight / total) * (turn + 1) - (given.get(target) ?? 0);
  }
}
