import type { Progress } from '../model/result/progress.ts';
import type { OutputSettings } from '../settings/gather.ts';
import { messageFor } from '../wording/messages/messages.ts';
import { andMore } from '../wording/text/format.ts';
import { watchSignals } from './interrupt.ts';
import { type Outcome, present } from './present.ts';
import { printError } from './print-error.ts';
import { createProgress, type ProgressWriter } from './progress.ts';
import type { World } from './world.ts';

/** Progress and interruption of a job. */
export interface JobHooks {
  readonly signal: AbortSignal;
  onProgress(event: Progress): void;
}

/** How a job ends on the command line. */
interface Ending<T> {
  /** Printed after the first Ctrl-C. */
  readonly stopping: string;
  /** What became of the work when a signal ended it, as a part of the error. */
  readonly lost?: string;
  show(outcome: T, isInterrupted: boolean): Promise<void>;
}

/** Print at most this many problems, so that the summary stays visible. */
const MAX_LINES = 40;

/** The first of many lines, and how many more there are; all of them with `--verbose`. */
function first(lines: readonly string[], { verbose }: Pick<OutputSettings, 'verbose'>): readonly string[] {
  const left = lines.length - MAX_LINES;
  return verbose || left <= 1 ? lines : [...lines.slice(0, MAX_LINES), `${andMore(left)}: --verbose shows them all.`];
}

/** The progress of a command, on stderr. */
export function progressOf(output: OutputSettings, world: World): ProgressWriter {
  return createProgress(world.stderr, { ...output, env: world.env });
}

/** Runs a job with progress, shows what it leaves behind, and returns the exit code: of the signal, where one came. */
export async function runWatched<T extends { readonly exit: number }>(
  job: (hooks: JobHooks) => Promise<T>,
  progress: ProgressWriter,
  world: World,
  { stopping, lost, show }: Ending<T>,
): Promise<number> {
  const interrupt = watchSignals(world, {
    first: () => progress.note(stopping),
    second: () => progress.close(),
  });
  let outcome: T;
  try {
    outcome = await job({ signal: interrupt.signal, onProgress: (event) => progress.show(event) });
  } catch (error) {
    throw interrupt.because(error, lost);
  } finally {
    progress.close();
    interrupt.stop();
  }
  await show(outcome, interrupt.exit() !== undefined);
  return interrupt.exit() ?? outcome.exit;
}

/** Runs a job that writes reports of pages. Ctrl-C keeps what is finished. */
export function runJob<T extends Outcome & { readonly warnings?: readonly string[] }>(
  job: (hooks: JobHooks) => Promise<T>,
  output: OutputSettings,
  world: World,
  progress = progressOf(output, world),
): Promise<number> {
  return runWatched(job, progress, world, {
    stopping: 'Stopping. What is finished is kept. Press Ctrl-C again to stop at once.',
    async show(outcome, isInterrupted) {
      const { warnings = [], problems } = outcome;
      for (const warning of first(warnings, output)) progress.note(`note: ${warning}`);
      const isSaid = await present(outcome, output, world);
      const left = problems.filter((problem) => !isSaid(problem)).map(({ message }) => message);
      for (const problem of first(left, output)) printError(problem, world);
      // The job may have finished before the signal.
      const isShown = problems.some(({ code }) => code === 'interrupted');
      if (isInterrupted && !isShown) printError(messageFor('interrupted'), world);
    },
  });
}
