import { UsageError } from '../../core/messages.ts';
import type { Command } from '../command.ts';
import { createProgress } from '../progress.ts';
import { first, runJob } from '../run-job.ts';
import { resolveSettings } from '../settings.ts';

/** `quiesce report <result.json>` */
export const report: Command = {
  name: 'report',
  argument: '<result.json>',
  summary: 'write the reports again from a stored result',
  details:
    'Reads the result of an audit, an analysis or a comparison (the file, or the folder that holds it) and writes its ' +
    'reports again, beside it or to --out. Figures and verdicts are those that were stored; waterfalls are drawn from ' +
    'the HARs beside it and pictures are taken from evidence/. What is no longer there is left out, and said.',
  options: 'report',
  examples: [
    ['quiesce report reports/nightly/result.json', 'the page again, beside the result'],
    ['quiesce report reports/nightly --format md,junit', 'other forms of the same result'],
    ['quiesce report result.json --out copy', 'a folder of its own, with HARs and pictures'],
  ],
  async run(words, given, world) {
    const [result] = words;
    if (result === undefined || words.length > 1) throw new UsageError('result-missing');
    const { settings, output } = await resolveSettings('report', words, given, world);
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    return runJob(
      (hooks) => world.jobs.report({ ...settings, result }, hooks),
      progress,
      output,
      world,
      ({ warnings }) => {
        for (const warning of first(warnings, output)) progress.note(`note: ${warning}`);
      },
    );
  },
};
