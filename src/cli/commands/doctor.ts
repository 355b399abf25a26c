import { readCommandLine } from '../../settings/gather.ts';
import { resolveDoctor } from '../../settings/resolve.ts';
import { QuiesceError } from '../../wording/messages.ts';
import { wantsColor } from '../color.ts';
import type { Command } from '../command.ts';
import { watchSignals } from '../interrupt.ts';
import { createProgress } from '../progress.ts';
import { widthOf } from '../world.ts';

/** Width of a text that is not shown on a terminal. */
const UNKNOWN_WIDTH = 100;

/** `quiesce doctor` */
export const doctor: Command = {
  name: 'doctor',
  summary: 'check if this machine is fit to measure',
  details:
    'Watches the machine for about two seconds and starts the browser once. With --aa <url> it also compares that page ' +
    'with itself (the result must be "same"), and shows the smallest change that this machine can detect. Figures that ' +
    'the system does not provide are shown as unknown. The exit code is 0 if the machine is fit, 4 if it is not, and 3 ' +
    'if no browser can be started or the page cannot be loaded.',
  options: 'doctor',
  examples: [
    ['quiesce doctor', 'before the first comparison'],
    ['quiesce doctor --aa https://example.com/', 'how small a change can be detected'],
    ['quiesce doctor --json | jq .findings', 'for scripts'],
  ],
  async run(words, given, world) {
    const [extra] = words;
    if (extra !== undefined) throw new QuiesceError('command-unknown', { detail: `doctor ${extra}` });
    const line = await readCommandLine('doctor', words, given, world);
    const settings = resolveDoctor(line);
    const { output } = line;
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    const interrupt = watchSignals(world, {
      first: () => progress.note('Stopping. Press Ctrl-C again to stop at once.'),
      second: () => progress.close(),
    });
    try {
      const { result, exit } = await world.jobs.doctor(settings, {
        signal: interrupt.signal,
        onProgress: (event) => progress.show(event),
      });
      progress.close();
      if (output.json) world.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
      // With --json the lines are for people only.
      if (!output.json || !output.quiet) {
        const screen = output.json ? world.stderr : world.stdout;
        const color = wantsColor(screen, world.env);
        screen.write(await world.jobs.renderDoctor(result, { color, width: widthOf(screen, UNKNOWN_WIDTH) }));
      }
      return interrupt.exit() ?? exit;
    } catch (error) {
      throw interrupt.because(error, 'The machine was not checked');
    } finally {
      progress.close();
      interrupt.stop();
    }
  },
};
