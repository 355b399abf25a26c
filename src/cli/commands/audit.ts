import { namesPages } from '../../app/names-pages.ts';
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
  summary: 'load pages several times, judge when they were complete, report',
  details:
    'A target is a URL, a folder with a built site, which Quiesce serves itself, or the name of a page in the ' +
    'configuration file. Without any, the pages of that file are audited. Several pages take turns: each is proved ' +
    'first, then every round loads each page once, in shuffled order, so that drift favours none.',
  options: 'audit',
  examples: [
    ['quiesce audit https://example.com/', 'five runs, report in reports/'],
    ['quiesce audit ./dist --runs 10 --out today', 'a folder with a built site'],
    ["quiesce audit <url> --background '*/poll*'", 'name traffic that never ends'],
    ["quiesce audit <url> --complete-on '#ready'", "the page's own sign"],
    ['quiesce audit --sitemap https://example.com/sitemap.xml', 'many pages'],
    ["quiesce audit / /shop/ --serve-command 'npm start' --serve-url http://localhost:3000", 'a server of yours'],
    ['quiesce audit <url> --json | jq .targets', 'for scripts'],
  ],
  async run(targets, given, world) {
    const resolved = await resolveSettings('audit', targets, given, world);
    if (!namesPages(resolved.settings)) throw new UsageError('target-missing');
    const { output } = resolved;
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    announceBrowser(resolved, progress);
    return runJob((hooks) => world.jobs.audit(resolved.settings, hooks), progress, output, world);
  },
};
