import { readCommandLine } from '../../settings/gather.ts';
import { resolveAnalyze } from '../../settings/resolve.ts';
import type { Command } from '../command.ts';
import { progressOf, runJob } from '../run-job.ts';
import { withStartupNotes } from '../startup-notes.ts';

/** `quiesce analyze <file.har[.gz]> …` */
export const analyze: Command = {
  name: 'analyze',
  argument: '<file.har[.gz]> …',
  summary: 'judge recorded HARs, offline',
  details:
    'Reads HARs of Chrome DevTools, WebPageTest, browsertime, Playwright, Charles or Quiesce, gzipped or not. A target is ' +
    'a file, a folder with HARs, or - for the standard input. Every page of a file is a target in the report; pages with ' +
    'the same address are its runs. HARs of Quiesce are judged with the policy that they contain, unless an option ' +
    'overrides it. If a file does not show enough, the page is not confirmed, and the report says what is missing. A file ' +
    'that cannot be read is reported, and the others are analysed. The exit code is 3 if no file could be read, and 4 if ' +
    'a page is not confirmed or never complete, or if anything was left out.',
  options: 'analyze',
  examples: [
    ['quiesce analyze page.har', 'one file, report in reports/'],
    ['quiesce analyze recordings/ more/*.har.gz', 'folders and many files'],
    ["quiesce analyze page.har --background '*/poll*'", 'name traffic that never ends'],
    ['quiesce analyze page.har --quiet-window 1s', 'a shorter quiet window, for short recordings'],
    ['ssh ci cat page.har.gz | quiesce analyze -', 'from the standard input'],
    ['quiesce analyze a.har b.har --json | jq .targets', 'for scripts'],
  ],
  async run(files, given, world) {
    const line = await readCommandLine('analyze', files, given, world);
    const settings = resolveAnalyze(line);
    const progress = withStartupNotes(line, line, progressOf(line.output, world));
    return runJob((hooks) => world.jobs.analyze(settings, hooks), line.output, world, progress);
  },
};
