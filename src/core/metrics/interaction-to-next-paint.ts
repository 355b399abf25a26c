import type { Interaction } from '../../model/metrics/metrics.ts';
import type { Metric, Visit } from '../../model/network/visit.ts';
import { interactionsIn } from '../rendering/journey.ts';

/** One bad interaction of so many may be left out. Source: https://web.dev/articles/inp */
const LEFT_OUT_OF = 50;
/** What stands for interactions that took less than the 16 ms from which on the browser reports them, ms. */
const TOO_FAST_TO_BE_TOLD = 8;

/** How long the page took to show what came of a click, a tap or a key. */
export const interactionToNextPaint: Metric = {
  name: 'interactionToNextPaint',
  title: 'Interaction to next paint',
  abbreviation: 'INP',
  unit: 'ms',
  better: 'lower',
  description:
    'From a click, tap or key to the next paint, the longest of a step; of a page, the longest of all its steps (Event Timing API; 8 ms stands for less than 16 ms).',
  headline: true,
  isPaint: true,
  onlyInSteps: true,
  timing: 'interactions',
  read: (visit) => {
    const { count } = interactionsIn(visit.recording);
    return slowestInteraction(visit)?.duration ?? (count > 0 ? TOO_FAST_TO_BE_TOLD : undefined);
  },
};

/**
 * The interaction that stands for a visit: the longest one, of many without the very worst. Undefined where there was none,
 * or it was too fast to be reported.
 */
export function slowestInteraction({ recording }: Pick<Visit, 'recording'>): Interaction | undefined {
  const { count, interactions } = interactionsIn(recording);
  const sorted = interactions.toSorted((a, b) => b.duration - a.duration);
  return sorted[Math.floor(count / LEFT_OUT_OF)];
}
