import { UsageError } from '../../core/messages.ts';
import type { Command } from '../command.ts';
import { createProgress } from '../progress.ts';
import { runJob } from '../run-job.ts';
import { resolveSettings } from '../settings.ts';

/** `quiesce merge <dir> …` */
export const merge: Command = {
  name: 'merge',
  argument: '<dir> …',
  summary: 'join the results of several machines',
  details:
    'Reads what "quiesce audit" or "quiesce compare" wrote with --shard, in the folders that are named or in folders ' +
    'inside them, and writes one result and its reports: all pages of an audit in the order of their list, or the ' +
    'comparison over all blocks of loads, whose builds are compared within machines. A missing shard costs its part, and is told: a comparison goes on without it, an audit ends with exit code 3. Shards of another job, with other settings, of another commit or version are refused. Recordings and pictures are brought along.',
  options: 'merge',
  examples: [
    ['quiesce merge shards/', 'a folder that holds the folders of all shards'],
    ['quiesce merge shard-1 shard-2 --out merged', 'folders by name, and where the joined result goes'],
    ['quiesce merge shards/ --format html,md,junit', 'reports for a CI job'],
  ],
  async run(dirs, given, world) {
    if (dirs.length === 0) throw new UsageError('merge-missing');
    const { settings, output } = await resolveSettings('merge', dirs, given, world);
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    return runJob(
      (hooks) => world.jobs.merge(settings, hooks),
      progress,
      output,
      world,
      ({ warnings }) => {
        for (const warning of warnings) progress.note(`note: ${warning}`);
      },
    );
  },
};
