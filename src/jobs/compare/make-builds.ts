import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { defined } from '../../core/text/defined.ts';
import type { PerBuild } from '../../model/compare/build.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { ResolvedCompare } from '../../settings/resolved.ts';
import { openLogFile } from '../../shell/disk/log-file.ts';
import type { JobOutput } from '../engine/reports/output.ts';
import { type MadeBuilds, type NamedBuilds, perBuild } from './builds.ts';
import type { StoredComparison } from './compare-state.ts';

/** Builds as they are made for a comparison, and where they answered before an interruption. */
export interface BuildsInUse {
  readonly made: MadeBuilds;
  readonly before: PerBuild<string> | undefined;
}

/**
 * Makes the builds, which takes minutes where there is something to build or to start: all that could be refused must have
 * been by then. What `output` holds is let go when it fails.
 *
 * @param stored what an interrupted comparison left
 */
export async function makeBuilds(
  named: NamedBuilds,
  { formats, redact, out }: Pick<ResolvedCompare, 'formats' | 'redact' | 'out'>,
  output: JobOutput,
  stored: StoredComparison | undefined,
  hooks: { readonly signal: AbortSignal; onProgress(event: Progress): void },
): Promise<BuildsInUse> {
  const before = stored && perBuild((build) => stored.head.sides[build].url);
  const openLog = (name: string) =>
    openLogFile(formats.length === 0 ? undefined : path.join(output.folder, name), redact, stored !== undefined);
  try {
    return { made: await named.make({ ...hooks, openLog, ...defined({ before }) }), before };
  } catch (error) {
    await output.store.release();
    // The user did not name this folder. A folder that is not empty stays.
    if (out === undefined) await rmdir(output.folder).catch(() => undefined);
    throw error;
  }
}

/** Can it go on after an interruption? A work tree that was built may have changed by the next time. */
export function isResumable(
  { builds, formats }: Pick<ResolvedCompare, 'builds' | 'formats'>,
  { states }: NamedBuilds,
): boolean {
  return (!('refs' in builds) || states !== undefined) && formats.length > 0;
}
