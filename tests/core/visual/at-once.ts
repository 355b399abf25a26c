/** What long work gives in the end, without a pause. */
export function atOnce<T>(work: Generator<undefined, T>): T {
  for (let piece = work.next(); ; piece = work.next()) if (piece.done) return piece.value;
}
