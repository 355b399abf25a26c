import { UsageError } from '../../core/messages.ts';
import { announceBrowser } from '../announce.ts';
import type { Command } from '../command.ts';
import { createProgress } from '../progress.ts';
import { runJob } from '../run-job.ts';
import { resolveSettings } from '../settings.ts';

/** `quiesce audit <url|dir> …` */
export const audit: Command = {
  name: 'audit',
  argument: '<url|dir> …',
  summary: 'load a page several times, judge when it was complete, write a report',
  details:
    'A target is a URL, or a folder with a built site, which Quiesce serves itself. Several targets are measured ' +
    'one after the other.',
  options: 'audit',
  examples: [
    ['quiesce audit https://example.com/', 'five runs, report in reports/'],
    ['quiesce audit ./dist --runs 10 --out today', 'a folder with a built site'],
    ["quiesce audit <url> --background '*/poll*'", 'name traffic that never ends'],
    ["quiesce audit <url> --complete-on '#ready'", "the page's own sign"],
    ['quiesce audit <url> --json | jq .targets', 'for scripts'],
  ],
  async run(targets, given, world) {
    if (targets.length === 0) throw new UsageError('target-missing');
    const resolved = await resolveSettings('audit', targets, given, world);
    const { output } = resolved;
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    announceBrowser(resolved, progress);
    return runJob((hooks) => world.jobs.audit(resolved.settings, hooks), progress, output, world);
  },
};
