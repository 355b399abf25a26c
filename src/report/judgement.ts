import type { TargetReport } from '../model/result/report.ts';
import type { PageVerdict } from '../model/result/result.ts';
import { outcomeOf } from '../result/outcome.ts';
import { judgedFigures, verdictOf } from '../result/verdict.ts';
import { limitsProfileOf, type Rating, worstRating } from '../result/web-vitals.ts';
import { formatValue } from '../wording/text/format.ts';
import { budgetsTogether, limitInWords, worstBudgetsFirst } from './budgets.ts';
import { fairnessOf } from './fairness.ts';

/** Whether a page is good or bad for those who wait for it, and why. */
export interface Judgement {
  /** Its colour; `unknown` where there is no time to judge, `calm` where it is good and users may still see it slow. */
  readonly tone: Rating | 'unknown' | 'calm';
  /** Stands beside the colour. */
  readonly sign: string;
  /** A few words: 'Fast here, without throttling', 'Too slow', 'Over budget', 'Broken', 'Never complete'. */
  readonly word: string;
  /** The figures that it rests on, and the budgets, a sentence each. */
  readonly because: readonly string[];
}

/** The sign of each class, as Lighthouse has them: they differ in shape, too. */
export const RATING_SIGNS: Readonly<Record<Rating, string>> = { good: '●', 'needs-improvement': '▲', poor: '■' };

/** How each verdict is shown. */
const LOOKS: Readonly<Record<PageVerdict, Omit<Judgement, 'because'>>> = {
  good: { tone: 'good', sign: RATING_SIGNS.good, word: 'Fast' },
  'needs-improvement': { tone: 'needs-improvement', sign: RATING_SIGNS['needs-improvement'], word: 'Could be faster' },
  poor: { tone: 'poor', sign: RATING_SIGNS.poor, word: 'Too slow' },
  broken: { tone: 'poor', sign: '⚠', word: 'Broken' },
  never: { tone: 'poor', sign: '✗', word: 'Never complete' },
  unconfirmed: { tone: 'unknown', sign: '?', word: 'Not confirmed' },
  unmeasured: { tone: 'unknown', sign: '✗', word: 'Not measured' },
};

/**
 * The verdict of a page as its headline shows it. A budget that is not met makes it worse, and one that is met makes nothing
 * better: a page complete after ten seconds is slow, even where a budget allows it.
 */
export function judgementOf(target: TargetReport): Judgement {
  const { result } = target;
  const verdict = verdictOf(result);
  const look = LOOKS[verdict];
  const budgets = budgetsTogether(result.budgets);
  const reasons = budgets === undefined ? [] : [budgets.sentence, ...brokenBudgets(result.budgets)];
  // Of a page that does not work, or has no time, no figure is good or bad.
  if (verdict !== 'good' && verdict !== 'needs-improvement' && verdict !== 'poor') return { ...look, because: reasons };
  const figures = judgedFigures(result);
  const open = outcomeOf(result) === 'partly';
  // Of a good page one figure says it, unless a budget says otherwise; of another, those that are not good.
  const isDoubtful = budgets !== undefined && budgets.tone !== 'better';
  const telling =
    verdict === 'good' ? figures.slice(0, isDoubtful ? 0 : 1) : figures.filter(({ rating }) => rating !== 'good');
  const sentences = telling.map(({ metric, value, limits }) => {
    const good = formatValue(limits.good, 'ms');
    // The headline has the time.
    return metric === 'pageComplete'
      ? `A fast page is complete within ${good}.`
      : `The largest content is painted after ${formatValue(value, 'ms')}; good is up to ${good}.`;
  });
  const because = [...reasons, ...(open ? ['It was not complete in every run.'] : []), ...sentences];
  const word = open && telling.length === 0 ? 'Not always complete' : look.word;
  const rating = worstRating([verdict, budgetRating(budgets?.tone)]) ?? verdict;
  if (rating === verdict && budgets?.tone !== 'worse') {
    const but = verdict === 'good' ? reservationOf(target) : undefined;
    return { ...look, because, ...(but === undefined ? { word } : { word: `${word}${but}`, tone: 'calm', sign: '○' }) };
  }
  const shown = { tone: rating, sign: RATING_SIGNS[rating], because };
  if (budgets?.tone !== 'worse') return { ...shown, word: `${word}, ${doubtOf(result.budgets)}` };
  return { ...shown, word: verdict === 'good' ? 'Over budget' : `Over budget, ${word.toLowerCase()}` };
}

/** Why a fast page need not be fast elsewhere, or is not surely so: nobody's phone is this machine. */
function reservationOf(target: TargetReport): string | undefined {
  const { conditions } = target.result;
  if (conditions !== undefined && conditions.network === undefined && conditions.cpu <= 1) {
    return ' here, without throttling';
  }
  const fairness = fairnessOf(target);
  if (fairness?.tone === 'worse' || fairness?.aside !== undefined) return ', as far as this measurement shows';
  return target.representative?.pageComplete?.doubt === 'doubtful' ? ', but the time is doubtful' : undefined;
}

/** Budgets that are not met and are named in the headline. */
const NAMED_BUDGETS = 3;

/** "Page complete 3.23 s (at most 2.00 s), transfer size 235 kB (at most 150 kB)." */
function brokenBudgets(budgets: TargetReport['result']['budgets'] = []): readonly string[] {
  const failed = worstBudgetsFirst(budgets).filter(({ state }) => state === 'fail');
  const named = failed.slice(0, NAMED_BUDGETS).map(({ basis, ...budget }) => {
    const title = basis === undefined ? budget.title : `${budget.title}, undisturbed,`;
    return `${title} ${formatValue(budget.value, budget.unit)} (${limitInWords(budget)})`;
  });
  const more = failed.length - named.length;
  return failed.length === 0 ? [] : [`${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`];
}

/** Why a good page is not green, though no budget fails it. */
function doubtOf(budgets: TargetReport['result']['budgets'] = []): string {
  if (budgets.some(({ state }) => state === 'fail')) return 'over a budget that warns';
  return budgets.some(({ state }) => state === 'undecided') ? 'close to a budget' : 'a budget is not known';
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
