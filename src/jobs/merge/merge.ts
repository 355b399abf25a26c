import path from 'node:path';
import type { ResolvedMerge } from '../../settings/resolved.ts';
import { realPath } from '../../shell/disk/real-path.ts';
import { openStore } from '../../shell/disk/store.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { defaultFolder, type Hooks } from '../engine/job.ts';
import { earlierResult } from '../engine/result/earlier-result.ts';
import { mergeAudit } from './merge-audit.ts';
import { mergeComparison } from './merge-compare.ts';
import type { MergeJob, MergeOutcome } from './merge-job.ts';
import { findShards } from './merge-shards.ts';

export type { MergeOutcome };

/** What a caller of `merge` may hook into. When the signal ends it, nothing is left behind. */
export type MergeHooks = Hooks;

/**
 * Joins the results of shards: all pages of an audit in the order of their list, or all blocks of a comparison, of which
 * the decision is made now. A shard that is missing costs its pages or blocks, and the result says so. The joined folder
 * is complete in itself. Rejects with a `QuiesceError` for what are no shards of one job.
 */
export async function merge(settings: ResolvedMerge, hooks: MergeHooks = {}): Promise<MergeOutcome> {
  const job: MergeJob = {
    formats: settings.formats,
    failOn: settings.failOn,
    out: path.resolve(settings.out ?? defaultFolder('merged', new Date())),
    signal: hooks.signal ?? new AbortController().signal,
    onProgress: (event) => hooks.onProgress?.(event),
  };
  const found = await findShards(settings.dirs, job);
  const out = await realPath(job.out);
  for (const { folder } of found.shards) {
    if ((await realPath(folder)) === out) throw new QuiesceError('merge-out-taken', { path: job.out });
  }
  const store = await openStore(job.out);
  try {
    const clearEarlier = await earlierResult(job.out, settings);
    await clearEarlier?.();
    return await (found.shards[0].header.kind === 'compare' ? mergeComparison(found, job) : mergeAudit(found, job));
  } catch (error) {
    await store.discard();
    throw error;
  }
}
