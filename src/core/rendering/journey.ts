import type { Interaction, Journey } from '../../model/metrics/metrics.ts';
import type { StepOutcome } from '../../model/recording/lab.ts';
import type { Recording } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { toMicroseconds } from '../time/time.ts';
import { scriptsOf } from './interaction-scripts.ts';

/** What was done in the steps after a load, together; undefined where there were none, or one failed. */
export function journeyOf(steps: readonly StepOutcome[]): Journey | undefined {
  if (steps.length === 0) return undefined;
  const parts: Journey[] = [];
  for (const { name, outcome } of steps) {
    if (!outcome.ok) return undefined;
    const { count, interactions } = interactionsIn(outcome.recording);
    parts.push({ count, interactions: interactions.map((each) => ({ ...each, step: name })) });
  }
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    interactions: parts.flatMap(({ interactions }) => interactions),
  };
}

/** All interactions of a recording and of the steps after it; `count` has those that were not reported, too. */
export function interactionsIn({ page, journey }: Pick<Recording, 'page' | 'journey'>): Journey {
  const frames = page?.longFrames;
  const own = [...Map.groupBy(page?.interactions ?? [], ({ id }) => id).values()]
    .map(interactionOf)
    .map((each) => (frames ? { ...each, scripts: scriptsOf(each, frames) } : each));
  // Not every browser counts, and an interaction that began just before a step may end in it.
  const count = Math.max(page?.interactionCount ?? 0, own.length);
  return { count: count + (journey?.count ?? 0), interactions: [...own, ...(journey?.interactions ?? [])] };
}

/**
 * One interaction out of its events. A click is three events and more: it is as slow as the slowest of them, and handlers
 * of the others that ran until then are part of it. It is called after the event whose handlers ran longest.
 */
function interactionOf(events: readonly Interaction[]): Interaction {
  const [slowest, ...others] = events.toSorted((a, b) => b.duration - a.duration) as [Interaction, ...Interaction[]];
  const { at, duration } = slowest;
  const started = (each: Interaction): Ms => each.at + each.inputDelay;
  const within = [slowest, ...others.filter((each) => started(each) >= at && started(each) <= at + duration)];
  const from = Math.min(...within.map(started)) - at;
  // Durations are rounded to 8 ms, handlers are not.
  const to = Math.min(duration, Math.max(...within.map((each) => started(each) + each.processing)) - at);
  const [longest = slowest] = within.toSorted((a, b) => b.processing - a.processing);
  return {
    ...slowest,
    type: longest.type,
    inputDelay: toMicroseconds(from),
    processing: toMicroseconds(Math.max(0, to - from)),
    presentation: toMicroseconds(duration - Math.max(from, to)),
  };
}
