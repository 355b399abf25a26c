import { runGroup } from '../process/command-group.ts';
import { gitCommand } from './git.ts';

const FULL_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The merge base of HEAD and another commit: the commit itself when HEAD contains it. Undefined when the repository does not
 * have it, as a shallow clone may not.
 *
 * @param repository a folder of the work tree
 * @param commit full hash
 * @throws QuiesceError `interrupted` when the signal ended it
 */
export async function branchPoint(
  repository: string,
  commit: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { succeeded, output } = await runGroup(gitCommand(repository, 'merge-base', commit, 'HEAD'), signal);
  return succeeded ? output.find((line) => FULL_HASH.test(line)) : undefined;
}
