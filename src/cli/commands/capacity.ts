import { readCommandLine } from '../../settings/gather.ts';
import { resolveCapacity } from '../../settings/resolve.ts';
import { wantsColor } from '../color.ts';
import type { Command } from '../command.ts';
import { watchSignals } from '../interrupt.ts';
import { presentPage } from '../present.ts';
import { createProgress } from '../progress.ts';
import { widthOf } from '../world.ts';

/** Width of a text that is not shown on a terminal. */
const UNKNOWN_WIDTH = 100;

/** `quiesce capacity <url> [candidate]` */
export const capacity: Command = {
  name: 'capacity',
  argument: '<url> [candidate]',
  summary: 'find out how much a server can take',
  details:
    'Loads a server with 1, 2, 4, … connections until its throughput no longer grows, then around the knee, then all levels ' +
    'once more in random order. Says how much it can take, how fast it is until then, what stands in the way (CPU, a pool, a ' +
    'lock, the load generator itself), and how long people wait for the page meanwhile. With two URLs their levels take turns. ' +
    'Only servers on this machine or in a private network are loaded unless you say otherwise.',
  options: 'capacity',
  examples: [
    ['quiesce capacity http://localhost:3000/', 'up to the limit of a server'],
    ['quiesce capacity <url> --p90 500ms', 'the most within a response time'],
    ['quiesce capacity <url> --rate 100/s,200/s', 'an open load: requests come at a fixed rate'],
    ['quiesce capacity <base> <candidate>', 'two builds or settings, in turns'],
    ['quiesce capacity <url> --budget p90@500/s=300ms', 'fail if it is slower'],
    ['quiesce capacity --import ab.txt', 'judge what another tool measured'],
    ['quiesce capacity <url> --json | jq .knee', 'for scripts'],
  ],
  async run(urls, given, world) {
    const line = await readCommandLine('capacity', urls, given, world);
    const settings = resolveCapacity(line);
    const { output } = line;
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    const interrupt = watchSignals(world, {
      first: () => progress.note('Stopping. Levels that are finished are kept. Press Ctrl-C again to stop at once.'),
      second: () => progress.close(),
    });
    try {
      const outcome = await world.jobs.capacity(settings, {
        signal: interrupt.signal,
        onProgress: (event) => progress.show(event),
      });
      progress.close();
      if (output.json) world.stdout.write(`${JSON.stringify(outcome.result, null, 2)}\n`);
      // With --json the table is for people only.
      if (!output.json || !output.quiet) {
        const screen = output.json ? world.stderr : world.stdout;
        const color = wantsColor(screen, world.env);
        const table = await world.jobs.renderCapacity(outcome.result, { color, width: widthOf(screen, UNKNOWN_WIDTH) });
        screen.write(`${table}\n`);
        await presentPage(outcome, output, screen, world);
      }
      for (const { code, message } of outcome.problems) {
        // The table has told these.
        if (code !== 'budget-failed' && code !== 'gate-failed') world.stderr.write(`quiesce: ${message}\n`);
      }
      return interrupt.exit() ?? outcome.exit;
    } catch (error) {
      throw interrupt.because(error, 'No level was finished');
    } finally {
      progress.close();
      interrupt.stop();
    }
  },
};
