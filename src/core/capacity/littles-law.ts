import type { Ms } from '../../model/units.ts';

/**
 * How far a level may be from N = X·R. Little's law holds for every system in balance, so a level that is farther off was
 * not in balance: connections that never got an answer, or a queue that still grew.
 * Source: Little, "A Proof for the Queuing Formula L = λW", 1961.
 */
const LITTLE_TOLERANCE = 0.1;

/**
 * Requests at a time by throughput and response time, over the connections that there were.
 *
 * @param throughput 1/s
 * @param thinkTime what each connection waits between an answer and its next request
 */
export function littlesLaw(throughput: number, responseTime: Ms, connections: number, thinkTime: Ms = 0): number {
  return (throughput * (responseTime + thinkTime)) / 1000 / connections;
}

/** Whether a level was in balance. */
export function isInBalance(share: number): boolean {
  return Math.abs(share - 1) <= LITTLE_TOLERANCE;
}
