import type { CommandLine } from '../settings/gather.ts';
import type { ResolvedJob } from '../settings/resolved.ts';
import type { ProgressWriter } from './progress.ts';

/** Notes before a browser is started: a missing sandbox, the shard, and with `--verbose` the settings. */
export function announce(
  { sandboxOffForRoot, output }: Pick<CommandLine, 'sandboxOffForRoot' | 'output'>,
  { stored, shardNote }: Pick<ResolvedJob, 'stored' | 'shardNote'>,
  progress: Pick<ProgressWriter, 'note'>,
): void {
  if (sandboxOffForRoot) {
    progress.note(
      'The browser runs without its sandbox, because Chrome cannot use it as root. To have the sandbox, run as another user.',
    );
  }
  if (shardNote !== undefined) progress.note(shardNote);
  if (output.verbose) progress.note(`settings ${JSON.stringify(stored)}`);
}
