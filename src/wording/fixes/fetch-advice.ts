/** What is known of a repository that does not know a name. */
export interface FetchState {
  readonly remotes: readonly string[];
  /** True when only the last commits were fetched, as jobs of continuous integration have it. */
  readonly isShallow: boolean;
  /** What the repository does know, out of what could be meant. */
  readonly known?: string;
}

/** What may stand in a line that is copied into a shell. */
const PLAIN = /^\w[\w./-]*$/;
/** The names of commits that a server gives out by themselves. */
const FULL_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
/** The beginning of such a name, which only a repository that has the commit can complete. */
const SHORT_HASH = /^(?=.*\d)[0-9a-f]{7,63}$/i;
/** A parent, or something else beside a name: `HEAD~1`. */
const RELATIVE = /[~^@]/;

/** What to do when a branch, tag or commit is not there: mostly it was not fetched. A sentence. */
export function fetchAdvice(ref: string, { remotes, isShallow, known }: FetchState): string {
  if (known !== undefined) return `Did you mean ${known}?`;
  const [first] = remotes;
  if (first === undefined) return 'Check the spelling: "git branch --all" and "git tag" list what exists.';
  const depth = isShallow ? ' --depth=1' : '';
  const remote = remotes.find((name) => ref.startsWith(`${name}/`));
  if (isShallow && (RELATIVE.test(ref) || (SHORT_HASH.test(ref) && !FULL_HASH.test(ref)))) {
    return 'This clone is shallow, so it may lack the commit: "git fetch --unshallow" gets the rest.';
  }
  if (!PLAIN.test(ref) || !PLAIN.test(remote ?? first)) return `Check the spelling, or get it: "git fetch${depth}".`;
  if (FULL_HASH.test(ref)) return `Get it: git fetch${depth} ${first} ${ref}`;
  const branch = remote === undefined ? ref : ref.slice(remote.length + 1);
  const tracking = `${remote ?? first}/${branch}`;
  const call = `git fetch${depth} ${remote ?? first} ${branch}:refs/remotes/${tracking}`;
  return remote === undefined ? `Get it, and name it ${tracking}: ${call}` : `Get it: ${call}`;
}
