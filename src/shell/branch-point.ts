import { runGroup } from './command-group.ts';
import { gitCall } from './git.ts';

const FULL_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The last commit that what is checked out and another commit have both grown from; the other commit itself when nothing
 * was added to it since. Undefined when the repository does not know, as a shallow clone may not.
 *
 * @param repository a folder of the work tree
 * @param commit full hash
 * @throws UsageError `interrupted` when the signal ended it
 */
export async function branchPoint(
  repository: string,
  commit: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { succeeded, output } = await runGroup(gitCall(repository, 'merge-base', commit, 'HEAD'), signal);
  return succeeded ? output.find((line) => FULL_HASH.test(line)) : undefined;
}
