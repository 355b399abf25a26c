import { setImmediate as nextTurn } from 'node:timers/promises';

export { nextTurn };

/** Does long work piece by piece: signals, sockets and timers are handled between the pieces. */
export async function runInSlices<T>(work: Generator<undefined, T>): Promise<T> {
  for (let piece = work.next(); ; piece = work.next()) {
    if (piece.done) return piece.value;
    await nextTurn();
  }
}
