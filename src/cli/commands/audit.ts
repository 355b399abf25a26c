import { readCommandLine } from '../../settings/gather.ts';
import { resolveAudit } from '../../settings/resolve.ts';
import type { Command } from '../command.ts';
import { progressOf, runJob } from '../run-job.ts';
import { withStartupNotes } from '../startup-notes.ts';

/** `quiesce audit <url|dir> …` */
export const audit: Command = {
  name: 'audit',
  argument: '<url|dir> …',
  summary: 'load pages, and report when they were complete',
  details:
    'A target is a URL, a folder with a built site (Quiesce serves it), or the name of a page in the configuration file. ' +
    'Without targets, all pages of that file are audited. Several pages are loaded in turn: first the untimed runs of ' +
    'each, then rounds that load each page once, in shuffled order, so that a slow phase of the machine affects all.',
  options: 'audit',
  examples: [
    ['quiesce audit https://example.com/', 'five runs, report in reports/'],
    ['quiesce audit ./dist --runs 10 --out today', 'a folder with a built site'],
    ["quiesce audit <url> --background '*/poll*'", 'name traffic that never ends'],
    ["quiesce audit <url> --complete-on '#ready'", "the page's own mark"],
    ['quiesce audit <url> --metric checkout=measure:checkout-ready', "a metric of the page's own"],
    ['quiesce audit <url> --storage-state auth.json', 'a login saved by Playwright'],
    ['quiesce audit --sitemap https://example.com/sitemap.xml', 'many pages'],
    ["quiesce audit / /shop/ --serve-command 'npm start' --serve-url http://localhost:3000", 'your own server'],
    ['quiesce audit <url> --json | jq .targets', 'for scripts'],
  ],
  async run(targets, given, world) {
    const line = await readCommandLine('audit', targets, given, world);
    const settings = resolveAudit(line);
    const progress = withStartupNotes(line, settings, progressOf(line.output, world));
    return runJob((hooks) => world.jobs.audit(settings, hooks), line.output, world, progress);
  },
};
