import { agree } from '../core/background/learn.ts';
import type { RunResult } from '../model/result.ts';
import type { Learnt } from '../model/verdict.ts';
import type { Spilled } from '../shell/spill.ts';
import { type FinishedRun, finishRun, type LoadedRun } from './run.ts';

/** A run in short, and where everything else of it is. */
export interface KeptRun {
  readonly run: RunResult;
  readonly loaded: Spilled<LoadedRun>;
}

/** Runs that agree on what is background. */
export interface SettledRuns {
  readonly kept: readonly KeptRun[];
  /** The timed ones as a whole. */
  readonly timed: readonly FinishedRun[];
}

/**
 * An endpoint is background in all runs or in none: what one run saw and another did not is settled over all, and they are
 * judged again.
 *
 * @param proved what each was judged with
 * @param write called for runs that were judged again; gives back what is to be kept of them
 */
export async function settleRuns(
  kept: readonly KeptRun[],
  proved: readonly Learnt[],
  write: (done: FinishedRun) => Promise<FinishedRun>,
): Promise<SettledRuns> {
  const timed: FinishedRun[] = [];
  for (const { run, loaded } of kept) {
    if (run.role === 'timed') timed.push(finishRun(await loaded.read(), proved));
  }
  const learnt = agree(
    timed.flatMap(({ visit }) => visit ?? []),
    proved,
  );
  if (learnt.length === proved.length) return { kept, timed };
  const judged: KeptRun[] = [];
  const again: FinishedRun[] = [];
  for (const { run, loaded } of kept) {
    const done = await write(finishRun(await loaded.read(), learnt));
    const { order } = run;
    judged.push({ run: { ...done.run, ...(order !== undefined && { order }) }, loaded });
    if (run.role === 'timed') again.push(done);
  }
  return { kept: judged, timed: again };
}
