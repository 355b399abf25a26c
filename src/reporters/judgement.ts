import type { MetricName } from '../model/metrics.ts';
import type { TargetReport } from '../model/report.ts';
import { outcomeOf } from '../result/outcome.ts';
import { headlineComplete } from '../result/representative.ts';
import { limitsOf, limitsProfileOf, type Rating, ratingOf, worstRating } from '../result/web-vitals.ts';
import { formatValue } from '../wording/format.ts';
import { budgetsTogether } from './budgets.ts';

/** Whether a page is good or bad for those who wait for it, and why. */
export interface Judgement {
  /** How it is dressed; `unknown` where there is no time to judge. */
  readonly tone: Rating | 'unknown';
  /** Nothing is told by colour alone. */
  readonly sign: string;
  /** In two words at most: 'Good', 'Too slow', 'Over budget', 'Never complete'. */
  readonly word: string;
  /** The figures that it rests on, and the budgets, a sentence each. */
  readonly because: readonly string[];
}

/** The sign of each class, as Lighthouse has them: they differ in shape, too. */
export const RATING_SIGNS: Readonly<Record<Rating, string>> = { good: '●', 'needs-improvement': '▲', poor: '■' };

/** What judges a page, in words that need no glossary, and in the order in which they are told. */
const JUDGES: readonly (readonly [metric: MetricName, what: string])[] = [
  ['largestContentfulPaint', 'The largest content is painted'],
  ['pageComplete', 'the page is complete'],
];

const WORDS: Readonly<Record<Rating, string>> = {
  good: 'Fast',
  'needs-improvement': 'Could be faster',
  poor: 'Too slow',
};

/**
 * A page is as good as the worse of its largest paint and its page complete; a budget that is not met makes it worse, and
 * one that is met makes nothing better: a page complete after ten seconds is slow, whoever allowed it.
 */
export function judgementOf(target: TargetReport): Judgement {
  const { result } = target;
  const outcome = outcomeOf(result);
  const complete = headlineComplete(target);
  const budgets = budgetsTogether(result.budgets);
  const told = budgets === undefined ? [] : [budgets.sentence];
  if (complete === undefined) {
    const word = { unmeasured: 'Not measured', never: 'Never complete' }[outcome as string] ?? 'Not confirmed';
    return { tone: 'unknown', sign: outcome === 'unconfirmed' ? '?' : '✗', word, because: told };
  }
  const profile = limitsProfileOf(result.conditions);
  const figures = JUDGES.flatMap(([metric, what]) => {
    const value = metric === 'pageComplete' ? complete : result.summary[metric]?.median;
    const rating = ratingOf(metric, value, profile);
    const limits = limitsOf(metric, profile);
    return rating === undefined || limits === undefined || value === undefined ? [] : [{ what, value, rating, limits }];
  });
  const speed = worstRating(figures.map(({ rating }) => rating)) ?? 'poor';
  const rating = worstRating([speed, budgetRating(budgets?.tone)]) ?? speed;
  // Of a good page one figure says it; of another, those that are not good.
  const telling = speed === 'good' ? figures.slice(0, 1) : figures.filter((figure) => figure.rating !== 'good');
  const sentences = telling.map(
    ({ what, value, limits }) =>
      `${what.charAt(0).toUpperCase()}${what.slice(1)} after ${formatValue(value, 'ms')}; good is up to ${formatValue(limits.good, 'ms')}.`,
  );
  return {
    tone: rating,
    sign: RATING_SIGNS[rating],
    word:
      budgets?.tone === 'worse'
        ? speed === 'good'
          ? 'Over budget'
          : `Over budget, ${WORDS[speed].toLowerCase()}`
        : WORDS[speed],
    because: [...told, ...sentences],
  };
}

function budgetRating(tone: 'better' | 'unsure' | 'worse' | undefined): Rating | undefined {
  if (tone === 'worse') return 'poor';
  return tone === 'unsure' ? 'needs-improvement' : undefined;
}

/** Which limits the colours stand for, in a sentence. */
export function limitsInWords(target: TargetReport, analysis: boolean): string {
  const profile = limitsProfileOf(target.result.conditions);
  const devices = profile === 'phone' ? 'phones' : 'desktops';
  return `Colours: the limits of Web Vitals, and of Lighthouse for ${devices} (total blocking time; page complete as Time to Interactive). They are made for real visits; here they judge ${analysis ? 'a recording' : 'the median of the runs'}.`;
}
