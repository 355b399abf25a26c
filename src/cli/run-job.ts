import type { Progress } from '../model/progress.ts';
import type { OutputSettings } from '../settings/gather.ts';
import { andMore } from '../wording/format.ts';
import { messageFor } from '../wording/messages.ts';
import { watchSignals } from './interrupt.ts';
import { type Outcome, present } from './present.ts';
import type { ProgressWriter } from './progress.ts';
import type { World } from './world.ts';

/** Progress and interruption of a job. */
export interface JobHooks {
  readonly signal: AbortSignal;
  onProgress(event: Progress): void;
}

/** Print at most this many problems, so that the summary stays visible. */
const MAX_LINES = 40;

/** The first of many lines, and how many more there are; all of them with `--verbose`. */
export function first(lines: readonly string[], { verbose }: Pick<OutputSettings, 'verbose'>): readonly string[] {
  const left = lines.length - MAX_LINES;
  return verbose || left <= 1 ? lines : [...lines.slice(0, MAX_LINES), `${andMore(left)}: --verbose shows them all.`];
}

/** Runs a job with progress, shows its result, and returns the exit code. Ctrl-C keeps what is finished. */
export async function runJob<T extends Outcome>(
  job: (hooks: JobHooks) => Promise<T>,
  progress: ProgressWriter,
  output: OutputSettings,
  world: World,
  note: (outcome: T) => void = () => undefined,
): Promise<number> {
  const interrupt = watchSignals(world, {
    first: () => progress.note('Stopping. What is finished is kept. Press Ctrl-C again to stop at once.'),
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
  const printed = await present(outcome, output, world);
  const lines = outcome.problems.map(({ message }) => message).filter((message) => !printed.includes(message));
  for (const problem of first(lines, output)) world.stderr.write(`quiesce: ${problem}\n`);
  if (interrupt.exit() === undefined) return outcome.exit;
  // The job may have finished before the signal.
  const isShown = outcome.problems.some(({ code }) => code === 'interrupted');
  if (!isShown) world.stderr.write(`quiesce: ${messageFor('interrupted')}\n`);
  return interrupt.exit() ?? outcome.exit;
}
