import type { Interaction } from '../../model/metrics.ts';
import type { Metric, Visit } from '../../model/visit.ts';

/** One bad interaction of so many may be left out. Source: https://web.dev/articles/inp */
const LEFT_OUT_OF = 50;

/** How long the page took to show what came of a click, a tap or a key. */
export const interactionToNextPaint: Metric = {
  name: 'interactionToNextPaint',
  title: 'Interaction to next paint',
  abbreviation: 'INP',
  unit: 'ms',
  better: 'lower',
  description:
    'From a click, tap or key of a step to the next paint, the longest of the step (Event Timing API, from 16 ms).',
  headline: true,
  onlyInSteps: true,
  timing: 'interactions',
  read: (visit) => slowestInteraction(visit)?.duration,
};

/** The interaction that stands for a visit: the longest one, of many without the very worst. Undefined where there was none. */
export function slowestInteraction({ recording }: Pick<Visit, 'recording'>): Interaction | undefined {
  const longest = new Map<number, Interaction>();
  for (const event of recording.page?.interactions ?? []) {
    const known = longest.get(event.id);
    // A click is three events and more: it is as slow as the slowest of them.
    if (!known || event.duration > known.duration) longest.set(event.id, event);
  }
  const sorted = [...longest.values()].toSorted((a, b) => b.duration - a.duration);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length / LEFT_OUT_OF))];
}
