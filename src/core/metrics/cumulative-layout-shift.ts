import type { Metric } from '../../model/network/visit.ts';

/** Shifts closer than this belong to one session window, which lasts at most five seconds. Source: https://web.dev/articles/cls */
const WINDOW_GAP_MS = 1_000;
const WINDOW_MAX_MS = 5_000;

/** How much the layout jumped. */
export const cumulativeLayoutShift: Metric = {
  name: 'cumulativeLayoutShift',
  title: 'Cumulative layout shift',
  abbreviation: 'CLS',
  canBeZero: true,
  unit: 'score',
  better: 'lower',
  description:
    'Largest session window of unexpected layout shifts while the page was watched (Layout Instability API).',
  headline: true,
  timing: 'layoutShifts',
  read(visit) {
    const shifts = visit.recording.page?.layoutShifts;
    if (!shifts) return undefined;
    let worst = 0;
    let sum = 0;
    let windowStart = Number.NEGATIVE_INFINITY;
    let last = Number.NEGATIVE_INFINITY;
    for (const shift of shifts) {
      const joins = shift.at - last < WINDOW_GAP_MS && shift.at - windowStart < WINDOW_MAX_MS;
      if (!joins) windowStart = shift.at;
      sum = joins ? sum + shift.score : shift.score;
      last = shift.at;
      worst = Math.max(worst, sum);
    }
    return worst;
  },
};
