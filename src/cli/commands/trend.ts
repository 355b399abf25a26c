import { readCommandLine } from '../../settings/gather.ts';
import { resolveTrend } from '../../settings/resolve.ts';
import { wantsColor } from '../color.ts';
import type { Command } from '../command.ts';
import { watchSignals } from '../interrupt.ts';
import { presentPage } from '../present.ts';
import { createProgress } from '../progress.ts';
import { widthOf } from '../world.ts';

/** Width of a text that is not shown on a terminal. */
const UNKNOWN_WIDTH = 100;

/** `quiesce trend <dir> …` */
export const trend: Command = {
  name: 'trend',
  argument: '<dir> …',
  summary: 'show results over time, and mark changes',
  details:
    'Reads the results of audits, comparisons and capacities (result.json) in folders at any depth, sorts those of the ' +
    'same page or server, and ' +
    'marks where a metric moves to another level and stays there: at least three results, at least 5% and 10 ms, and more ' +
    'than noise explains. One bad night is ignored. If the conditions changed too, such as the browser, the mark says so. ' +
    'Of a comparison, the candidate counts, and also its base if it is another commit. Other files are reported and left ' +
    'out. With --fail-on slower the exit code is 1 while a metric is worse since its last change.',
  options: 'trend',
  examples: [
    ['quiesce trend reports/', 'all results in a folder'],
    ['quiesce trend nightly/ --by commit', 'sorted by commit'],
    ['quiesce trend nightly/ --metric TBT --metric LCP', 'other metrics'],
    ['quiesce trend nightly/ --out trend', 'the folder for the page'],
    ['quiesce trend nightly/ --fail-on slower', 'exit with 1 after a regression'],
    ['quiesce trend nightly/ --json | jq .pages', 'for scripts'],
  ],
  async run(paths, given, world) {
    const line = await readCommandLine('trend', paths, given, world);
    const settings = resolveTrend(line);
    const { output } = line;
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    const interrupt = watchSignals(world, {
      first: () => progress.note('Stopping.'),
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
      // With --json the table is for people only.
      if (!output.json || !output.quiet) {
        const screen = output.json ? world.stderr : world.stdout;
        const color = wantsColor(screen, world.env);
        const table = await world.jobs.renderTrend(outcome.result, { color, width: widthOf(screen, UNKNOWN_WIDTH) });
        screen.write(`${table}\n`);
        await presentPage(outcome, output, screen, world);
      }
      for (const { message } of outcome.problems) world.stderr.write(`quiesce: ${message}\n`);
      return interrupt.exit() ?? outcome.exit;
    } catch (error) {
      throw interrupt.because(error, 'Nothing was written');
    } finally {
      progress.close();
      interrupt.stop();
    }
  },
};
