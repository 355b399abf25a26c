import { UsageError } from '../../core/messages.ts';
import { wantsColor } from '../color.ts';
import type { Command } from '../command.ts';
import { watchSignals } from '../interrupt.ts';
import { createProgress } from '../progress.ts';
import { resolveSettings } from '../settings.ts';
import { widthOf } from '../world.ts';

/** Width of a text that is not shown on a terminal. */
const UNKNOWN_WIDTH = 100;

/** `quiesce doctor` */
export const doctor: Command = {
  name: 'doctor',
  summary: 'is this machine fit to measure? browser, processors, noise, A/A',
  details:
    'Looks at the machine for about two seconds and starts the browser once. With --aa <url> it also compares that page ' +
    'with itself, which must come out the same, and says the smallest change that this machine can tell. Whatever the ' +
    'system does not tell is said to be unknown. The exit code is 0 when the machine is fit, 4 when it is not, and 3 ' +
    'when no browser can be started or the page cannot be loaded.',
  options: 'doctor',
  examples: [
    ['quiesce doctor', 'before the first comparison'],
    ['quiesce doctor --aa https://example.com/', 'how small a change can be told there'],
    ['quiesce doctor --json | jq .findings', 'for scripts'],
  ],
  async run(words, given, world) {
    const [extra] = words;
    if (extra !== undefined) throw new UsageError('command-unknown', { detail: `doctor ${extra}` });
    const { settings, output } = await resolveSettings('doctor', words, given, world);
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    const interrupt = watchSignals(world, {
      first: () => progress.note('Ending. Once more to stop at once.'),
      second: () => progress.close(),
    });
    try {
      const { result, exit } = await world.jobs.doctor(settings, {
        signal: interrupt.signal,
        onProgress: (event) => progress.show(event),
      });
      progress.close();
      if (output.json) world.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
      // With --json the lines are only there to be looked at.
      if (!output.json || !output.quiet) {
        const screen = output.json ? world.stderr : world.stdout;
        const color = wantsColor(screen, world.env);
        screen.write(await world.jobs.renderDoctor(result, { color, width: widthOf(screen, UNKNOWN_WIDTH) }));
      }
      return interrupt.exit() ?? exit;
    } catch (error) {
      throw interrupt.because(error, 'Nothing was found out');
    } finally {
      progress.close();
      interrupt.stop();
    }
  },
};
