/**
 * Has something tidied up when this process ends in a way that it notices, the latest first; gives what takes that back.
 *
 * @param tidy must be done when it returns: nothing is waited for any more
 */
export function atExit(tidy: () => void): () => void {
  const forget = () => {
    process.off('exit', tidy);
    process.off('SIGHUP', hangUp);
  };
  const hangUp = () => {
    forget();
    tidy();
    process.kill(process.pid, 'SIGHUP');
  };
  process.prependOnceListener('exit', tidy);
  // A terminal that is closed ends this process without its "exit".
  process.prependOnceListener('SIGHUP', hangUp);
  return forget;
}
