import { agree } from '../core/background/learn.ts';
import type { Waterfall } from '../model/report.ts';
import type { RunResult } from '../model/result.ts';
import type { Learnt } from '../model/verdict.ts';
import { leanRun } from '../report/lean.ts';
import type { Spill, Spilled } from '../shell/spill.ts';
import { type Packed, pack } from './packed.ts';
import { representativeRun } from './report-model.ts';
import { type FinishedRun, finishRun, type LoadedRun } from './run.ts';

/** A run in short, and where everything else of it is. */
export interface KeptRun {
  /** What it came to. */
  readonly lean: RunResult;
  readonly run: Packed<RunResult>;
  readonly loaded: Spilled<LoadedRun>;
}

/** Puts a run away. */
export function keptRun(run: RunResult, loaded: Spilled<LoadedRun>): KeptRun {
  return { lean: leanRun(run), run: pack(run), loaded };
}

/** Runs that agree on what is background. */
export interface SettledRuns {
  readonly kept: readonly KeptRun[];
  /** The waterfalls that are shown, or none when no run was measured. */
  readonly waterfalls: Spilled<readonly Waterfall[]>;
}

/** What settling needs. */
export interface SettlingSurroundings {
  readonly spill: Spill;
  /** Draw the waterfall of every run, or only of the one that stands for them. */
  readonly allWaterfalls: boolean;
  /** Called for runs that were judged again; gives back what is to be kept of them. */
  write(done: FinishedRun): Promise<FinishedRun>;
}

/**
 * An endpoint is background in all runs or in none: what one run saw and another did not is settled over all, and they are
 * judged again.
 *
 * @param proved what each was judged with
 */
export async function settleRuns(
  kept: readonly KeptRun[],
  proved: readonly Learnt[],
  surroundings: SettlingSurroundings,
): Promise<SettledRuns> {
  const timed: FinishedRun[] = [];
  for (const { lean, loaded } of kept) {
    if (lean.role === 'timed') timed.push(finishRun(await loaded.read(), proved));
  }
  const learnt = agree(
    timed.flatMap(({ visit }) => visit ?? []),
    proved,
  );
  if (learnt.length === proved.length) return drawn(kept, timed, surroundings);
  const judged: KeptRun[] = [];
  const again: FinishedRun[] = [];
  for (const { lean, loaded } of kept) {
    const done = await surroundings.write(finishRun(await loaded.read(), learnt));
    const { order } = lean;
    judged.push(keptRun({ ...done.run, ...(order !== undefined && { order }) }, loaded));
    if (lean.role === 'timed') again.push(done);
  }
  return drawn(judged, again, surroundings);
}

async function drawn(
  kept: readonly KeptRun[],
  timed: readonly FinishedRun[],
  { spill, allWaterfalls }: SettlingSurroundings,
): Promise<SettledRuns> {
  const all = timed.flatMap(({ waterfall }) => waterfall ?? []);
  const representative = representativeRun(kept.map(({ lean }) => lean))?.index;
  const shown = allWaterfalls ? all : all.filter(({ run }) => run === representative);
  return { kept, waterfalls: await spill.put(shown) };
}
