/**
 * Calls `cleanUp` when this process exits, or its terminal is closed; what was registered last is called first. Returns a
 * function that cancels it.
 *
 * @param cleanUp must be synchronous
 */
export function atExit(cleanUp: () => void): () => void {
  const cancel = () => {
    process.off('exit', cleanUp);
    process.off('SIGHUP', hangUp);
  };
  const hangUp = () => {
    cancel();
    cleanUp();
    process.kill(process.pid, 'SIGHUP');
  };
  process.prependOnceListener('exit', cleanUp);
  // When the terminal is closed, the process ends without "exit".
  process.prependOnceListener('SIGHUP', hangUp);
  return cancel;
}
