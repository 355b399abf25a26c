import type { MetricName } from '../model/metrics/metrics.ts';
import type { PageVerdict, TargetResult } from '../model/result/result.ts';
import type { Ms } from '../model/units.ts';
import { isBroken, isErrorDocument } from './health.ts';
import { outcomeOf } from './outcome.ts';
import { representativeRun } from './representative.ts';
import { type Limits, limitsOf, limitsProfileOf, type Rating, ratingOf, worstRating } from './web-vitals.ts';

/** The worst first. */
export const VERDICTS: readonly PageVerdict[] = [
  'unmeasured',
  'broken',
  'never',
  'unconfirmed',
  'poor',
  'needs-improvement',
  'good',
];

/** What a verdict is made of. */
export type Judged = Pick<TargetResult, 'runs' | 'summary' | 'conditions'>;

/** A figure that a page is judged by. */
export interface JudgedFigure {
  readonly metric: MetricName;
  readonly value: Ms;
  readonly rating: Rating;
  readonly limits: Limits;
}

/** What judges a page, in the order in which it is shown. */
const JUDGES = ['largestContentfulPaint', 'pageComplete'] as const;

/** The figures that a page is judged by, with the limits for its kind of device; none where it has no time. */
export function judgedFigures({ runs, summary, conditions }: Judged): readonly JudgedFigure[] {
  const profile = limitsProfileOf(conditions);
  return JUDGES.flatMap((metric) => {
    const own = metric === 'pageComplete' ? representativeRun(runs)?.pageComplete?.at : undefined;
    const value = summary[metric]?.median ?? own;
    const rating = ratingOf(metric, value, profile);
    const limits = limitsOf(metric, profile);
    return value === undefined || rating === undefined || limits === undefined
      ? []
      : [{ metric, value, rating, limits }];
  });
}

/**
 * A page in one word. One that does not work is broken, however fast it was. What has no time has its outcome; everything
 * else is as good as the worse of its Largest Contentful Paint and its page complete. A page that was not complete in every
 * run is not good. Budgets are the user's own limits: they have their own states.
 */
export function verdictOf(target: Judged): PageVerdict {
  if (isErrorDocument(target)) return 'broken';
  const outcome = outcomeOf(target);
  if (outcome !== 'unmeasured' && isBroken(target)) return 'broken';
  if (outcome !== 'complete' && outcome !== 'partly') return outcome;
  const speed = worstRating(judgedFigures(target).map(({ rating }) => rating)) ?? 'unmeasured';
  return outcome === 'partly' && speed === 'good' ? 'needs-improvement' : speed;
}

/** The verdicts that there are, the best first, and how many targets have each. */
export function verdictsOf(
  targets: readonly Judged[],
): readonly { readonly verdict: PageVerdict; readonly count: number }[] {
  const groups = Map.groupBy(targets, verdictOf);
  return VERDICTS.toReversed().flatMap((verdict) => {
    const group = groups.get(verdict);
    return group === undefined ? [] : [{ verdict, count: group.length }];
  });
}

/** The worst of several; `unmeasured` of none. */
export function worstVerdict(verdicts: Iterable<PageVerdict>): PageVerdict {
  const all = new Set(verdicts);
  return VERDICTS.find((verdict) => all.has(verdict)) ?? 'unmeasured';
}
