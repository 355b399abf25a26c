import type { PerBuild } from '../../model/compare/build.ts';
import type { Source } from '../../model/result/result.ts';
import { workTreeOf } from '../../shell/git/git.ts';
import type { Target } from './target.ts';

/** Which states of the source a job measures. */
export interface Sources {
  /** What the result's header says. */
  readonly result?: Source;
  /** Of each target, where that is something else. */
  readonly targets: readonly (Source | undefined)[];
}

/**
 * Which commits are measured: what the user says, what the continuous-integration job has checked out, or what is
 * checked out where a target's folder is. A URL is never taken to be of the folder in which Quiesce was started.
 */
export async function sourcesOf(targets: readonly Target[], said: Source | undefined): Promise<Sources> {
  if (said) return { result: said, targets: [] };
  const trees = await Promise.all(targets.map(({ folder }) => (folder === undefined ? undefined : workTreeOf(folder))));
  const [first] = trees;
  if (first && trees.every((tree) => tree?.folder === first.folder)) return { result: first.source, targets: [] };
  return { targets: trees.map((tree) => tree?.source) };
}

/**
 * The same for two builds. The header speaks of the candidate. Two folders of one work tree cannot both have been built
 * from what is checked out in it: nothing is said of the base then.
 */
export async function sourcesOfBuilds(
  { base, candidate }: PerBuild<Pick<Target, 'folder'>>,
  stated: Source | undefined,
): Promise<{ readonly candidate?: Source; readonly base?: Source }> {
  const [before, after] = await Promise.all(
    [base, candidate].map(({ folder }) => (folder === undefined ? undefined : workTreeOf(folder))),
  );
  const said = stated ?? after?.source;
  const isOther = before !== undefined && before.folder !== after?.folder && before.source.commit !== said?.commit;
  return { candidate: said, ...(isOther && { base: before.source }) };
}
