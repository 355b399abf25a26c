import { UsageError } from '../../core/messages.ts';
import { wantsColor } from '../color.ts';
import type { Command } from '../command.ts';
import { watchSignals } from '../interrupt.ts';
import { whereItIs } from '../present.ts';
import { createProgress } from '../progress.ts';
import { resolveSettings } from '../settings.ts';
import { widthOf } from '../world.ts';

/** Width of a text that is not shown on a terminal. */
const UNKNOWN_WIDTH = 100;

/** `quiesce trend <dir> …` */
export const trend: Command = {
  name: 'trend',
  argument: '<dir> …',
  summary: 'stored results of the same pages in order, with changes marked',
  details:
    'Reads the results of audits and comparisons (result.json) in folders at any depth, puts those of the same page in ' +
    'order, and marks from where on a metric keeps to another level by more than noise explains: three results at ' +
    'least, and 5 % and 10 ms at least. A bad night is no change, and neither is a new browser: it says where the ' +
    'conditions changed. Of a comparison the candidate counts, and its base where it is another commit. Files that ' +
    'are no such results are named and left out. The exit code is 0 whatever the trend says.',
  options: 'trend',
  examples: [
    ['quiesce trend reports/', 'all results in a folder'],
    ['quiesce trend nightly/ --by commit', 'in the order of commits'],
    ['quiesce trend nightly/ --metric TBT --metric LCP', 'other metrics'],
    ['quiesce trend nightly/ --out trend', 'where the page shall be'],
    ['quiesce trend nightly/ --json | jq .pages', 'for scripts'],
  ],
  async run(paths, given, world) {
    if (paths.length === 0) throw new UsageError('trend-missing');
    const { settings, output } = await resolveSettings('trend', paths, given, world);
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    const interrupt = watchSignals(world, {
      first: () => progress.note('Ending.'),
      second: () => progress.close(),
    });
    try {
      const outcome = await world.jobs.trend(settings, {
        signal: interrupt.signal,
        onProgress: (event) => progress.show(event),
      });
      for (const warning of outcome.warnings) progress.note(`note: ${warning}`);
      progress.close();
      if (output.json) world.stdout.write(`${JSON.stringify(outcome.result, null, 2)}\n`);
      // With --json the table is only there to be looked at.
      if (!output.json || !output.quiet) {
        const screen = output.json ? world.stderr : world.stdout;
        const color = wantsColor(screen, world.env);
        const table = await world.jobs.renderTrend(outcome.result, { color, width: widthOf(screen, UNKNOWN_WIDTH) });
        screen.write(`${table}\n${whereItIs(outcome, world.cwd)}\n`);
      }
      return interrupt.exit() ?? outcome.exit;
    } catch (error) {
      throw interrupt.because(error, 'Nothing was written');
    } finally {
      progress.close();
      interrupt.stop();
    }
  },
};
