import { runGroup } from '../process/command-group.ts';
import { commitOf, gitCommand, originsOf } from './git.ts';

/** Where a ref is found now. */
export interface FetchedRef {
  /** What git knows it by: the ref itself, or `origin/<ref>`. */
  readonly ref: string;
  /** What git said where it could not be fetched. */
  readonly problems: readonly string[];
}

/**
 * Fetches a branch, tag or commit from `origin` when the repository does not have it: actions/checkout leaves one commit
 * behind, and one more is all that is needed. What cannot be fetched is reported when the ref is looked up.
 *
 * @param folder where the repository is checked out
 * @throws QuiesceError `interrupted` when the signal ended it
 */
export async function fetchRef(folder: string, ref: string, signal: AbortSignal): Promise<FetchedRef> {
  if ((await commitOf(folder, ref)) !== undefined) return { ref, problems: [] };
  const name = ref.replace(/^origin\//, '');
  const depth = (await originsOf(folder)).isShallow ? ['--depth=1'] : [];
  const kinds = [`+refs/heads/${name}:refs/remotes/origin/${name}`, `+refs/tags/${name}:refs/tags/${name}`, name];
  let problems: readonly string[] = [];
  for (const kind of kinds) {
    const words = ['fetch', '--quiet', '--no-tags', ...depth, '--', 'origin', kind];
    const { succeeded, output } = await runGroup(gitCommand(folder, ...words), signal);
    problems = output;
    if (succeeded) break;
  }
  for (const known of [ref, `origin/${name}`]) {
    if ((await commitOf(folder, known)) !== undefined) return { ref: known, problems: [] };
  }
  return { ref, problems };
}
