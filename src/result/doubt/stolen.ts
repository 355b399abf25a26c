import { isDisturbed } from '../../core/path/stolen-time.ts';
import type { TargetResult } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';

/** What the machine took from a page, medians over its runs. */
export interface Stolen {
  /** From the main thread until page complete. */
  readonly time: Ms;
  /** When the page would have been complete without that. */
  readonly undisturbed: Ms;
}

/** What the machine took from a page that it made later by more than noise; undefined where it did not, or it is not known. */
export function stolenFrom({ summary }: Pick<TargetResult, 'summary'>): Stolen | undefined {
  const { pageComplete, stolenTime } = summary;
  const undisturbed = pageComplete?.undisturbed;
  if (!undisturbed || !stolenTime || !isDisturbed(pageComplete.median, undisturbed.median)) return undefined;
  return { time: stolenTime.median, undisturbed: undisturbed.median };
}
