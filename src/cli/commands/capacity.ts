import type { TerminalOptions } from '../../reporters/terminal/screen.ts';
import { readCommandLine } from '../../settings/gather.ts';
import { resolveCapacity } from '../../settings/resolve.ts';
import type { Command } from '../command.ts';
import { presentPage, showTable } from '../present.ts';
import { printError } from '../print-error.ts';
import { progressOf, runWatched } from '../run-job.ts';

/** `quiesce capacity <url> [candidate]` */
export const capacity: Command = {
  name: 'capacity',
  argument: '<url> [candidate]',
  summary: 'find out how much a server can take',
  details:
    'Loads a server with 1, 2, 4, … connections until its throughput no longer grows, then around the knee, then all levels ' +
    'once more in random order. Says how much it can take, how fast it is until then, what limits it (CPU, a pool, a ' +
    'lock, the load generator itself), and how long users then wait for the page. With two URLs, their levels alternate. ' +
    'Only servers on this machine or in a private network are loaded unless you say otherwise.',
  options: 'capacity',
  examples: [
    ['quiesce capacity http://localhost:3000/', 'up to the limit of a server'],
    ['quiesce capacity <url> --p90 500ms', 'the most within a response time'],
    ['quiesce capacity <url> --rate 100/s,200/s', 'an open load: a fixed rate of requests'],
    ['quiesce capacity <base> <candidate>', 'two builds or settings, alternating'],
    ['quiesce capacity <url> --budget p90@500/s=300ms', 'fail if it is slower'],
    ['quiesce capacity --import k6.json', 'judge what another tool measured'],
    ['quiesce capacity <url> --json | jq .knee', 'for scripts'],
  ],
  async run(urls, given, world) {
    const line = await readCommandLine('capacity', urls, given, world);
    const settings = resolveCapacity(line);
    const { output } = line;
    return runWatched((hooks) => world.jobs.capacity(settings, hooks), progressOf(output, world), world, {
      stopping: 'Stopping. Levels that are finished are kept. Press Ctrl-C again to stop at once.',
      lost: 'No level was finished',
      async show(outcome) {
        const render = async (options: TerminalOptions) =>
          `${await world.jobs.renderCapacity(outcome.result, options)}\n`;
        const screen = await showTable(outcome.result, render, output, world);
        if (screen) await presentPage(outcome, output, screen, world);
        for (const { code, message } of outcome.problems) {
          // The table shows these.
          if (code !== 'budget-failed' && code !== 'gate-failed') printError(message, world);
        }
      },
    });
  },
};
