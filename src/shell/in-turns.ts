import { setImmediate as turn } from 'node:timers/promises';

/** Does long work piece by piece: between the pieces the program hears signals, sockets and timers. */
export async function inTurns<T>(work: Generator<undefined, T>): Promise<T> {
  for (let piece = work.next(); ; piece = work.next()) {
    if (piece.done) return piece.value;
    await turn();
  }
}
