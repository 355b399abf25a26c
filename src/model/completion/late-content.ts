import type { AwaitedContent } from '../background/verdict.ts';
import type { Ms } from '../units.ts';

/** Content that came after a whole quiet window, and changed what is seen. */
export interface LateContent {
  /** How long after page complete the first of it was asked for, or drawn where nothing was asked for, ms. */
  readonly after: Ms;
  /** Share of the viewport's pixels that it changed at once, at most, 0 to 1. */
  readonly share: number;
  /** None where the page drew it by itself. */
  readonly urls: readonly string[];
  /** What timed runs wait for where it is to count. */
  readonly awaited: readonly AwaitedContent[];
}
