/**
 * A promise for `Promise.race` that rejects with the signal's reason when it is aborted, at once when it is already.
 * `stop` takes the listener off the signal.
 */
export function rejectOnAbort(signal: AbortSignal): { readonly rejected: Promise<never>; stop(): void } {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  // It may be aborted when it is no longer awaited.
  promise.catch(() => undefined);
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort);
  return { rejected: promise, stop: () => signal.removeEventListener('abort', abort) };
}
