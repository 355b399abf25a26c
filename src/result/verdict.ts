import type { PageVerdict, TargetResult } from '../model/result.ts';
import type { Ms } from '../model/units.ts';
import { isBroken, isErrorDocument } from './health.ts';
import { outcomeOf } from './outcome.ts';
import { representativeRun } from './representative.ts';

/**
 * Largest Contentful Paint up to which a page is good, and from beyond which it is poor. Source: Web Vitals,
 * https://web.dev/articles/lcp; there of the 75th percentile of visits, here of the median of the runs.
 */
const GOOD_MS = 2_500;
const POOR_MS = 4_000;

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

/**
 * A page in one word. One that does not work is broken, however fast it was. What has no time has its outcome; everything else is judged by its Largest Contentful Paint. Where
 * that is not known, as in recordings, page complete stands for it, which is never earlier. A page that was not complete in
 * every run is not good.
 */
export function verdictOf(target: Pick<TargetResult, 'runs' | 'summary'>): PageVerdict {
  if (isErrorDocument(target)) return 'broken';
  const outcome = outcomeOf(target);
  if (outcome !== 'unmeasured' && isBroken(target)) return 'broken';
  if (outcome !== 'complete' && outcome !== 'partly') return outcome;
  const { largestContentfulPaint, pageComplete } = target.summary;
  const speed = speedAt(
    (largestContentfulPaint ?? pageComplete)?.median ?? representativeRun(target.runs)?.pageComplete?.at,
  );
  return outcome === 'partly' && speed === 'good' ? 'needs-improvement' : speed;
}

function speedAt(at: Ms | undefined): PageVerdict {
  if (at === undefined) return 'unmeasured';
  if (at <= GOOD_MS) return 'good';
  return at <= POOR_MS ? 'needs-improvement' : 'poor';
}

/** The verdicts that there are, the best first, and how many targets have each. */
export function verdictsOf(
  targets: readonly Pick<TargetResult, 'runs' | 'summary'>[],
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
