import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../core/messages.ts';
import type { Progress } from '../model/progress.ts';
import type { MergeSettings } from '../model/settings.ts';
import { openStore } from '../shell/store.ts';
import { defaultFolder } from './job.ts';
import { mergeAudit } from './merge-audit.ts';
import { mergeComparison } from './merge-compare.ts';
import type { MergeJob, MergeOutcome } from './merge-job.ts';
import { findShards } from './merge-shards.ts';

export type { MergeOutcome };

/** What a caller of `merge` may hook into. */
export interface MergeHooks {
  /** Ends it; nothing is left behind then. */
  readonly signal?: AbortSignal;
  onProgress?(event: Progress): void;
}

/**
 * Joins the results of shards: all pages of an audit in the order of their list, or all blocks of a comparison, of which
 * the decision is made now. A shard that is missing costs its pages or blocks, and the result says so. The joined folder
 * is complete in itself. Rejects with a `UsageError` for what are no shards of one job.
 */
export async function merge(settings: MergeSettings, hooks: MergeHooks = {}): Promise<MergeOutcome> {
  if (settings.dirs.length === 0) throw new UsageError('merge-missing');
  const job: MergeJob = {
    settings,
    out: path.resolve(settings.out ?? defaultFolder('merged', new Date())),
    signal: hooks.signal ?? new AbortController().signal,
    tell: (event) => hooks.onProgress?.(event),
  };
  const found = await findShards(settings.dirs, job);
  const out = await realFolder(job.out);
  for (const { folder } of found.shards) {
    if ((await realFolder(folder)) === out) throw new UsageError('merge-out-taken', { path: job.out });
  }
  await openStore(job.out);
  return found.shards[0].header.kind === 'compare' ? mergeComparison(found, job) : mergeAudit(found, job);
}

/** Where a folder really lies, whatever links lead to it; one that is not there yet is nobody else's. */
async function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}
