import { execFile } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';

/**
 * Seconds that a program of Node takes. Rejects when it fails.
 *
 * @param isAnswer exit codes that say something of its subject, not of itself
 */
export async function seconds(
  args: readonly string[],
  isAnswer = (exit: number): boolean => exit !== 2 && exit !== 3,
): Promise<number> {
  const from = performance.now();
  await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28 }).catch(
    (error: { readonly code?: unknown }) => {
      if (typeof error.code !== 'number' || !isAnswer(error.code)) throw error;
    },
  );
  return (performance.now() - from) / 1000;
}
