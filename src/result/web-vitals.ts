import { figureOf } from '../core/metrics/figure.ts';
import type { StatedConditions } from '../model/host/conditions.ts';

/** How good a figure is for those who wait: the three classes of Web Vitals. */
export type Rating = 'good' | 'needs-improvement' | 'poor';

/** The worst first. */
const RATINGS: readonly Rating[] = ['poor', 'needs-improvement', 'good'];

/** Up to `good` a figure is good, beyond `poor` it is poor. */
export interface Limits {
  readonly good: number;
  readonly poor: number;
}

/** For which kind of device limits hold: Lighthouse has its own for each, Web Vitals has the same for all. */
export type LimitsProfile = 'phone' | 'desktop';

/**
 * Web Vitals, the same for every device; there of the 75th percentile of visits, here of the median of the runs.
 * Source: https://web.dev/articles/vitals, /lcp, /cls, /inp, /fcp and /ttfb.
 */
const WEB_VITALS: Readonly<Record<string, Limits>> = {
  largestContentfulPaint: { good: 2_500, poor: 4_000 },
  cumulativeLayoutShift: { good: 0.1, poor: 0.25 },
  interactionToNextPaint: { good: 200, poor: 500 },
  firstContentfulPaint: { good: 1_800, poor: 3_000 },
  timeToFirstByte: { good: 800, poor: 1_800 },
};

/**
 * Figures of the laboratory. Page complete has the limits of Time to Interactive, which is the nearest thing to it: the
 * network is quiet, and so is the page. Source: Lighthouse, `audits/metrics/total-blocking-time.js` and `interactive.js`:
 * good is a score of 0.9 (`p10`), poor is less than 0.5 (`median`).
 */
const LABORATORY: Readonly<Record<LimitsProfile, Readonly<Record<string, Limits>>>> = {
  phone: {
    totalBlockingTime: { good: 200, poor: 600 },
    pageComplete: { good: 3_785, poor: 7_300 },
  },
  desktop: {
    totalBlockingTime: { good: 150, poor: 350 },
    pageComplete: { good: 2_468, poor: 4_500 },
  },
};

/** The limits of a metric; undefined for one that is neither good nor bad by itself. */
export function limitsOf(metric: string, profile: LimitsProfile): Limits | undefined {
  return figureOf(WEB_VITALS, metric) ?? figureOf(LABORATORY[profile], metric);
}

/** Which limits a page is held to: recordings that do not say on what they were made are held to those of a desktop. */
export function limitsProfileOf(conditions: StatedConditions | undefined): LimitsProfile {
  return conditions?.device.mobile === true ? 'phone' : 'desktop';
}

/** How good a figure is; undefined where nothing is known, or where there is no limit for it. */
export function ratingOf(metric: string, value: number | undefined, profile: LimitsProfile): Rating | undefined {
  const limits = limitsOf(metric, profile);
  if (limits === undefined || value === undefined || !Number.isFinite(value)) return undefined;
  if (value <= limits.good) return 'good';
  return value <= limits.poor ? 'needs-improvement' : 'poor';
}

/** The worst of several; undefined of none. */
export function worstRating(ratings: readonly (Rating | undefined)[]): Rating | undefined {
  return RATINGS.find((rating) => ratings.includes(rating));
}
