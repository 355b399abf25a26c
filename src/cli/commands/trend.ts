import type { TerminalOptions } from '../../reporters/terminal/screen.ts';
import { readCommandLine } from '../../settings/gather.ts';
import { resolveTrend } from '../../settings/resolve.ts';
import type { Command } from '../command.ts';
import { presentPage, showTable } from '../present.ts';
import { printError } from '../print-error.ts';
import { progressOf, runWatched } from '../run-job.ts';

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
    const progress = progressOf(output, world);
    return runWatched((hooks) => world.jobs.trend(settings, hooks), progress, world, {
      stopping: 'Stopping.',
      lost: 'Nothing was written',
      async show(outcome) {
        for (const warning of outcome.warnings) progress.note(`note: ${warning}`);
        const render = async (options: TerminalOptions) => `${await world.jobs.renderTrend(outcome.result, options)}\n`;
        const screen = await showTable(outcome.result, render, output, world);
        if (screen) await presentPage(outcome, output, screen, world);
        for (const { message } of outcome.problems) printError(message, world);
      },
    });
  },
};
