import { messageFor } from '../core/messages.ts';
import type { Progress } from '../model/progress.ts';
import { watchSignals } from './interrupt.ts';
import { type Outcome, present } from './present.ts';
import type { ProgressWriter } from './progress.ts';
import type { OutputSettings } from './settings.ts';
import type { World } from './world.ts';

/** What a job is given to be watched and ended by. */
export interface JobHooks {
  readonly signal: AbortSignal;
  onProgress(event: Progress): void;
}

/** Of a thousand pages there are hundreds of lines; more than this push what is said of them together out of sight. */
const TOLD = 40;

/** The first of many lines, and how many more there are; all of them with `--verbose`. */
export function first(lines: readonly string[], { verbose }: Pick<OutputSettings, 'verbose'>): readonly string[] {
  const more = lines.length - TOLD;
  return verbose || more <= 1 ? lines : [...lines.slice(0, TOLD), `And ${more} more like these: --verbose tells all.`];
}

/** Runs a job before the user's eyes, shows what it leaves behind, and gives the exit code. Ctrl-C keeps what is done. */
export async function runJob<T extends Outcome>(
  job: (hooks: JobHooks) => Promise<T>,
  progress: ProgressWriter,
  output: OutputSettings,
  world: World,
  note: (outcome: T) => void = () => undefined,
): Promise<number> {
  const interrupt = watchSignals(world, {
    first: () => progress.note('Ending with what is done. Once more to stop at once.'),
    second: () => progress.close(),
  });
  let outcome: T;
  try {
    outcome = await job({ signal: interrupt.signal, onProgress: (event) => progress.show(event) });
  } catch (error) {
    throw interrupt.because(error);
  } finally {
    progress.close();
    interrupt.stop();
  }
  note(outcome);
  await present(outcome, output, world);
  for (const problem of first(outcome.problems, output)) world.stderr.write(`quiesce: ${problem}\n`);
  if (interrupt.exit() === undefined) return outcome.exit;
  // The job may have been over already when the signal came.
  const interrupted = messageFor('interrupted');
  const isTold = outcome.problems.some((line) => line.startsWith(interrupted.slice(0, interrupted.indexOf('.'))));
  if (!isTold) world.stderr.write(`quiesce: ${interrupted}\n`);
  return interrupt.exit() ?? outcome.exit;
}
