import type { LayoutShift } from '../../model/metrics/metrics.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { LargestPaint } from '../../model/result/result.ts';
import { defined } from '../text/defined.ts';

/** Shifts that a result keeps: a page that moves all the time has hundreds. */
const MOST_SHIFTS = 5;

/** What the largest contentful paint painted; undefined where the browser named nothing. */
export function largestPaintOf({ timeline }: Pick<Visit, 'timeline'>): LargestPaint | undefined {
  const mark = timeline.marks.findLast(({ name }) => name === 'largest-contentful-paint');
  if (mark?.detail === undefined && mark?.url === undefined) return undefined;
  return defined({ url: mark.url, selector: mark.detail, box: mark.box });
}

/** The layout shifts that moved most, the largest first; undefined where nothing moved, or it was not recorded. */
export function largestShiftsOf({ recording }: Pick<Visit, 'recording'>): readonly LayoutShift[] | undefined {
  const shifts = recording.page?.layoutShifts ?? [];
  if (shifts.length === 0) return undefined;
  return shifts.toSorted((a, b) => b.score - a.score).slice(0, MOST_SHIFTS);
}
