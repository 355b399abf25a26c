import type { CommandLine } from '../settings/gather.ts';
import type { ResolvedJob } from '../settings/resolved.ts';
import { shardOrigin } from '../wording/shards/numbers.ts';
import type { ProgressWriter } from './progress.ts';

/**
 * Progress that begins with notes: misspelt variables, the shard, and a missing sandbox. They wait for the browser to start, so that an error
 * before that stands alone. With `--verbose` the settings are printed at once.
 */
export function withStartupNotes(
  { sandboxOffForRoot, misspelt, output }: Pick<CommandLine, 'sandboxOffForRoot' | 'misspelt' | 'output'>,
  { stored, shard, shardFrom }: Pick<ResolvedJob, 'stored' | 'shard' | 'shardFrom'>,
  progress: ProgressWriter,
): ProgressWriter {
  if (output.verbose) progress.note(`settings ${JSON.stringify(stored)}`);
  const notes = [
    ...misspelt.map(({ name, suggestion }) => `${name} is not a variable of Quiesce; did you mean ${suggestion}?`),
    ...(shard && shardFrom !== undefined ? [shardOrigin(shard, shardFrom)] : []),
    ...(sandboxOffForRoot
      ? [
          'The browser runs without its sandbox, because Chrome cannot use it as root. To have the sandbox, run as another user.',
        ]
      : []),
  ];
  return {
    ...progress,
    show(event) {
      if (event.kind === 'browser-started') for (const note of notes.splice(0)) progress.note(note);
      progress.show(event);
    },
  };
}
