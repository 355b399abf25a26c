import { readCommandLine } from '../../settings/gather.ts';
import { resolveDoctor } from '../../settings/resolve.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import type { Command } from '../command.ts';
import { showTable } from '../present.ts';
import { progressOf, runWatched } from '../run-job.ts';

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
    return runWatched((hooks) => world.jobs.doctor(settings, hooks), progressOf(output, world), world, {
      stopping: 'Stopping. Press Ctrl-C again to stop at once.',
      lost: 'The machine was not checked',
      async show({ result }) {
        await showTable(result, (options) => world.jobs.renderDoctor(result, options), output, world);
      },
    });
  },
};
