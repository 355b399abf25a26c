import { UsageError } from '../../core/messages.ts';
import type { Command } from '../command.ts';
import { createProgress } from '../progress.ts';
import { runJob } from '../run-job.ts';
import { resolveSettings } from '../settings.ts';

/** `quiesce analyze <file.har[.gz]> …` */
export const analyze: Command = {
  name: 'analyze',
  argument: '<file.har[.gz]> …',
  summary: 'the same judgement on recorded HARs, offline',
  details:
    'Reads HARs of Chrome DevTools, WebPageTest, browsertime, Playwright, Charles or Quiesce, gzipped or not, folders ' +
    'with some, and - for the standard input. Every page of a file is a target; pages with the same address are its ' +
    'runs. HARs of Quiesce are judged with the policy that they carry, unless an option says otherwise. Where a file ' +
    'does not hold the evidence, the page is not confirmed, and it is said what is missing. A file that cannot be read ' +
    'is told, and the others are analysed: the exit code is 3 when none could be, and 4 when a page is not confirmed, ' +
    'never complete, or anything had to be left out.',
  options: 'analyze',
  examples: [
    ['quiesce analyze page.har', 'one file, report in reports/'],
    ['quiesce analyze recordings/ more/*.har.gz', 'folders and many files'],
    ["quiesce analyze page.har --background '*/poll*'", 'name traffic that never ends'],
    ['quiesce analyze page.har --quiet-window 1s', 'a shorter proof, for short files'],
    ['ssh ci cat page.har.gz | quiesce analyze -', 'from the standard input'],
    ['quiesce analyze a.har b.har --json | jq .targets', 'for scripts'],
  ],
  async run(files, given, world) {
    if (files.length === 0) throw new UsageError('har-missing');
    const { settings, output } = await resolveSettings('analyze', files, given, world);
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    if (output.verbose) progress.note(`settings ${JSON.stringify(settings)}`);
    return runJob(
      (hooks) => world.jobs.analyze(settings, hooks),
      progress,
      output,
      world,
      ({ warnings }) => {
        // What was wrong and did not matter is worth a line, unless only results are wanted.
        for (const warning of warnings) progress.note(`note: ${warning}`);
      },
    );
  },
};
