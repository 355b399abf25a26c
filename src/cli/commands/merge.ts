import { readCommandLine } from '../../settings/gather.ts';
import { resolveMerge } from '../../settings/resolve.ts';
import type { Command } from '../command.ts';
import { runJob } from '../run-job.ts';

/** `quiesce merge <dir> …` */
export const merge: Command = {
  name: 'merge',
  argument: '<dir> …',
  summary: 'join the results of several machines',
  details:
    'Reads the results of "quiesce audit --shard" or "quiesce compare --shard" in the given folders and the folders ' +
    'inside them, and writes one result with its reports: all pages of an audit in the order of their list, or one ' +
    'comparison over all blocks of loads, in which loads are compared only with loads of the same machine. If a shard is ' +
    'missing, a comparison continues without it and an audit ends with exit code 3; the result says so. Shards of another ' +
    'job, or with other settings, another commit or another version, are refused. HARs and screenshots are copied.',
  options: 'merge',
  examples: [
    ['quiesce merge shards/', 'a folder with the folders of all shards'],
    ['quiesce merge shard-1 shard-2 --out merged', 'single folders, and a folder for the result'],
    ['quiesce merge shards/ --format html,md,junit', 'reports for a CI job'],
  ],
  async run(dirs, given, world) {
    const line = await readCommandLine('merge', dirs, given, world);
    const settings = resolveMerge(line);
    return runJob((hooks) => world.jobs.merge(settings, hooks), line.output, world);
  },
};
