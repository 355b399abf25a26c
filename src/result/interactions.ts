import { median, middleBy } from '../core/time/median.ts';
import type { Interaction, InteractionPart, LongFrame } from '../model/metrics/metrics.ts';
import type { CompareReport, TargetReport } from '../model/result/report.ts';
import type { RunResult } from '../model/result/result.ts';
import type { Ms } from '../model/units.ts';
import { countedRuns } from './counted-runs.ts';

/** An interaction and its parts: medians, each of its own, so they need not add up. */
export type InteractionSplit = Readonly<Record<InteractionPart | 'duration', Ms>>;

/**
 * The interaction that stands for a target: of the runs that count, the one in the middle by its time to the paint, so that
 * it goes with the INP that is shown. The run that stands for page complete may have an interaction that took much longer.
 * Undefined where none was reported.
 */
export function shownInteraction(target: TargetReport): Interaction | undefined {
  return runOfInteraction(target)?.interaction;
}

/** The longest frame of the same run; where no interaction was reported, of the run that stands for page complete. */
export function shownFrame(target: TargetReport): LongFrame | undefined {
  return (runOfInteraction(target) ?? target.representative)?.longestFrame;
}

function runOfInteraction(target: TargetReport): RunResult | undefined {
  const runs = countedRuns(target).filter(({ interaction }) => interaction !== undefined);
  return middleBy(runs, ({ interaction }) => interaction?.duration ?? 0);
}

/** How the interactions behind a target's INP split, over the runs that count; undefined where none was reported. */
export function interactionSplit(target: TargetReport): InteractionSplit | undefined {
  const interactions = countedRuns(target).flatMap(({ interaction }) => interaction ?? []);
  if (interactions.length === 0) return undefined;
  const of = (key: keyof InteractionSplit): Ms => median(interactions.map((each) => each[key]));
  return {
    duration: of('duration'),
    inputDelay: of('inputDelay'),
    processing: of('processing'),
    presentation: of('presentation'),
  };
}

/** Did a comparison find that interactions take longer or shorter? */
export function isInteractionChanged({ result }: CompareReport): boolean {
  const found = result.comparisons.find(({ metric }) => metric === 'interactionToNextPaint');
  return found?.decision === 'slower' || found?.decision === 'faster';
}
