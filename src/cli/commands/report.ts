import { readCommandLine } from '../../settings/gather.ts';
import { resolveReport } from '../../settings/resolve.ts';
import type { Command } from '../command.ts';
import { runJob } from '../run-job.ts';

/** `quiesce report <result.json>` */
export const report: Command = {
  name: 'report',
  argument: '<result.json>',
  summary: 'write the reports of a stored result again',
  details:
    'Reads the result of an audit, an analysis, a comparison or a capacity (the file, or its folder) and writes its reports again, ' +
    'next to it or to --out. Figures and verdicts are the stored ones. Waterfalls come from the HARs next to the result, ' +
    'screenshots from evidence/. Missing files are reported, and their parts of the report are left out.',
  options: 'report',
  examples: [
    ['quiesce report reports/nightly/result.json', 'write index.html again, next to the result'],
    ['quiesce report reports/nightly --format md,junit', 'other formats of the same result'],
    ['quiesce report result.json --out copy', 'a separate folder, with HARs and screenshots'],
  ],
  async run(words, given, world) {
    const line = await readCommandLine('report', words, given, world);
    const settings = resolveReport(line);
    return runJob((hooks) => world.jobs.report(settings, hooks), line.output, world);
  },
};
