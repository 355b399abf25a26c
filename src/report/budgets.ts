import { isCounted } from '../core/counted-runs.ts';
import type { BudgetResult } from '../model/budgets.ts';
import type { TargetReport } from '../model/result/report.ts';
import type { TargetResult } from '../model/result/result.ts';
import { pagesWithSteps } from '../result/pages-with-steps.ts';
import { formatCount, formatInterval, formatValue } from '../wording/text/format.ts';

/** How a budget, or all of a page together, came out. */
export interface BudgetLook {
  readonly tone: 'better' | 'unsure' | 'worse';
  /** Stands beside the colour. */
  readonly sign: string;
  /** "met", "exceeded", "undecided" … */
  readonly word: string;
}

/** How a budget came out. What cannot be checked fails a job as what is exceeded does, unless it only warns. */
export function budgetLook({ state, severity, bound }: BudgetResult): BudgetLook {
  const grave = severity === 'error' ? 'worse' : 'unsure';
  switch (state) {
    case 'pass':
      return { tone: 'better', sign: '✓', word: 'met' };
    case 'fail':
      return { tone: grave, sign: '✗', word: bound === 'max' ? 'exceeded' : 'missed' };
    case 'undecided':
      return { tone: 'unsure', sign: '?', word: 'undecided' };
    default:
      return { tone: grave, sign: '–', word: 'not known' };
  }
}

/** What happens if a budget is not met. */
export function severityInWords({ severity }: Pick<BudgetResult, 'severity'>): string {
  return severity === 'error' ? 'the job fails' : 'a warning';
}

/** "at most 2.00 s", "at least 0.900". */
export function limitInWords({ bound, limit, unit }: Pick<BudgetResult, 'bound' | 'limit' | 'unit'>): string {
  return `${bound === 'max' ? 'at most' : 'at least'} ${formatValue(limit, unit)}`;
}

/** The interval that a budget was judged on, where it says more than its value. */
export function judgedInterval({ value, low, high, unit }: BudgetResult): string | undefined {
  const interval = formatInterval(low, high, unit);
  return low === undefined || high === undefined || interval === formatValue(value, unit) ? undefined : interval;
}

/** Fewer runs leave open how far the next one may be. Source: `LEAST_LEVEL` and the margins in core/budgets/judge.ts. */
const ENOUGH_RUNS = 5;

/** Why the interval of a budget is wider than that of the same figure elsewhere; nothing where there are runs enough. */
export function marginInWords(target: Pick<TargetResult, 'budgets' | 'runs' | 'lighthouse'>): string | undefined {
  const counted = target.runs.filter(isCounted).length;
  const audits = target.lighthouse?.runs.length ?? 0;
  const isLighthouse = ({ metric }: BudgetResult): boolean => metric.startsWith('lighthouse:');
  const widened = (target.budgets ?? []).filter(
    (budget) => judgedInterval(budget) !== undefined && (isLighthouse(budget) ? audits : counted) < ENOUGH_RUNS,
  );
  if (widened.length === 0) return undefined;
  const points = widened.some(isLighthouse) ? ', a performance score 5 points' : '';
  return `With fewer than five runs, budgets are checked against an interval of at least 10% of the median to either side${points}.`;
}

/** All budgets of a page in one sentence; nothing where there are none. */
export function budgetsTogether(
  budgets: readonly BudgetResult[] = [],
): (Omit<BudgetLook, 'word'> & { readonly sentence: string }) | undefined {
  if (budgets.length === 0) return undefined;
  const having = (state: BudgetResult['state']): readonly BudgetResult[] =>
    budgets.filter((each) => each.state === state);
  const [failed, unknown, undecided] = [having('fail'), having('unknown'), having('undecided')];
  const looks = budgets.map(budgetLook);
  const worst = (['worse', 'unsure', 'better'] as const).find((tone) => looks.some((look) => look.tone === tone));
  const { tone = 'better', sign = '✓' } = looks.find((look) => look.tone === worst) ?? {};
  const [only] = budgets.length === 1 ? looks : [];
  if (only !== undefined) return { tone, sign, sentence: `The budget is ${only.word}.` };
  const warnings = failed.filter(({ severity }) => severity === 'warn').length;
  const warn =
    warnings === 0
      ? ''
      : warnings === failed.length
        ? ', which only warns'
        : ` (${warnings} only ${warnings === 1 ? 'warns' : 'warn'})`;
  const counts = (
    [
      [failed.length, `not met${warn}`],
      [undecided.length, 'too close to tell'],
      [unknown.length, 'not known'],
    ] as const
  ).flatMap(([count, word]) => (count === 0 ? [] : [[count, word] as const]));
  const all = formatCount(budgets.length, 'budget');
  if (counts.length === 0) return { tone, sign, sentence: `All ${all} are met.` };
  const parts = counts.map(
    ([count, word], index) => `${count}${index === 0 ? ` of ${all}` : ''} ${count === 1 ? 'is' : 'are'} ${word}`,
  );
  return { tone, sign, sentence: `${parts.join('; ')}.` };
}

/** How all budgets of a page look together in a column: the worst of those that are not met, and how many are like it. */
export function budgetsLook(
  budgets: readonly BudgetResult[] = [],
): (Omit<BudgetLook, 'word'> & { readonly text: string }) | undefined {
  if (budgets.length === 0) return undefined;
  const looks = budgets.filter(({ state }) => state !== 'pass').map(budgetLook);
  const worst = looks.find(({ tone }) => tone === 'worse') ?? looks[0];
  if (worst === undefined) return { tone: 'better', sign: '✓', text: 'met' };
  const { tone, sign, word } = worst;
  return { tone, sign, text: `${looks.filter((look) => look.word === word).length} ${word}` };
}

/** All budgets of many pages in one sentence: "Budgets: not met on 2 pages, too close to tell on 1 page."; nothing where there are none. */
export function budgetsOfPages(targets: readonly TargetReport[]): string | undefined {
  const pages = pagesWithSteps(targets).map(({ page, steps }) =>
    [page, ...steps].flatMap(({ target }) => target.result.budgets ?? []),
  );
  if (pages.every((budgets) => budgets.length === 0)) return undefined;
  const worst = pages.map((budgets) => WORST_FIRST.find((state) => budgets.some((budget) => budget.state === state)));
  const counts = (
    [
      ['fail', 'not met'],
      ['unknown', 'not known'],
      ['undecided', 'too close to tell'],
    ] as const
  ).flatMap(([state, words]) => {
    const count = worst.filter((each) => each === state).length;
    return count === 0 ? [] : [`${words} on ${formatCount(count, 'page')}`];
  });
  return counts.length === 0 ? 'All budgets are met.' : `Budgets: ${counts.join(', ')}.`;
}

const WORST_FIRST: readonly BudgetResult['state'][] = ['fail', 'unknown', 'undecided', 'pass'];

/** Those that are not met first. */
export function worstBudgetsFirst(budgets: readonly BudgetResult[]): readonly BudgetResult[] {
  return budgets.toSorted((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state));
}
