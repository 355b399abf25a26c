import type { StatedConditions } from '../../model/conditions.ts';
import type { LighthouseResult } from '../../model/lighthouse.ts';
import type { CompareReport } from '../../model/report.ts';
import type { TargetResult } from '../../model/result.ts';
import {
  budgetLook,
  budgetsTogether,
  judgedInterval,
  limitInWords,
  marginInWords,
  severityInWords,
  worstBudgetsFirst,
} from '../../report/budgets.ts';
import { conditionsInWords } from '../../report/conditions.ts';
import {
  categoryTitle,
  lighthouseFailures,
  lighthouseName,
  scoreText,
  shownLighthouse,
} from '../../report/lighthouse.ts';
import { formatCount, formatValue } from '../../wording/format.ts';
import { changeInterval, changeText, coverage, UNBOUNDED } from '../comparison.ts';
import { others, table } from './blocks.ts';
import { prose } from './inert.ts';

/** Budgets that are listed before it says how many more there are; those that are not met come first. */
const LISTED = 20;

/** Pictures that every forge and mail program has; a word stands beside each. */
const EMOJI = { better: '✅', unsure: '🟡', worse: '🔴' } as const;

/** Under which conditions, as a line; nothing where that is not known. */
export const conditionsLine = (conditions: StatedConditions | undefined): string =>
  conditions === undefined ? '' : prose(conditionsInWords(conditions));

/** Every budget in a table below one sentence for all, and why intervals are wide; nothing where there are none. */
export function budgetsPart(target: TargetResult): string {
  const { budgets = [] } = target;
  const margin = marginInWords(target);
  const together = budgetsTogether(budgets);
  if (together === undefined) return '';
  const rows = worstBudgetsFirst(budgets)
    .slice(0, LISTED)
    .map((budget) => {
      const { tone, word } = budgetLook(budget);
      const interval = judgedInterval(budget);
      const value = formatValue(budget.value, budget.unit);
      return [
        `${EMOJI[tone]} ${word}`,
        prose(budget.title),
        limitInWords(budget),
        interval === undefined ? value : `${value} (${interval})`,
        severityInWords(budget),
      ];
    });
  return [
    `**Budgets** ${EMOJI[together.tone]} ${together.sentence}`,
    table(
      [
        { title: 'Outcome' },
        { title: 'Budget' },
        { title: 'Limit', figures: true },
        { title: 'Measured', figures: true },
        { title: 'If not met' },
      ],
      rows,
    ),
    ...others(budgets.length - LISTED),
    ...(margin === undefined ? [] : [margin]),
  ].join('\n\n');
}

/** Its scores, how long it took and why it failed, as a line; nothing where it was not asked for. */
export function lighthouseLine(lighthouse: LighthouseResult | undefined): string {
  if (lighthouse === undefined) return '';
  const { categories, wallTime, pageComplete, waited, runs } = lighthouse;
  const scores = Object.entries(categories).map(
    ([name, { median }]) => `${prose(categoryTitle(name))} ${scoreText(median)}`,
  );
  const over = runs.length > 1 ? ` (medians of ${formatCount(runs.filter(({ ok }) => ok).length, 'run')})` : '';
  const complete = pageComplete === undefined ? '' : `; the page is complete at ${formatValue(pageComplete, 'ms')}`;
  const took = wallTime && `It took ${formatValue(wallTime.median, 'ms')}${complete}. ${prose(waited.sentence)}`;
  const failures = lighthouseFailures(lighthouse).map((failure) => `✗ ${prose(failure)}`);
  const said = [...(scores.length === 0 ? [] : [`${scores.join(' · ')}${over}`]), ...failures].join('; ');
  return `**${prose(lighthouseName(lighthouse))}** ${said}${took === undefined ? '' : `  \n${took}`}`;
}

/** Lighthouse's figures of both builds; they inform and decide nothing. */
export function lighthouseTable({ result, columns }: CompareReport): string {
  const rows = shownLighthouse(result.lighthouse?.comparisons ?? [], columns).map((row) => {
    const { title, unit, base, candidate, difference, level = 0 } = row;
    const compared = {
      unit,
      ...(difference && { difference: { ...difference, level, minEffect: { up: 0, down: 0 } } }),
    };
    const interval = changeInterval(compared);
    return [
      prose(title),
      formatValue(base, unit),
      formatValue(candidate, unit),
      changeText(compared),
      interval === UNBOUNDED ? 'too few runs' : level === 0 ? interval : `${interval} (${coverage(level)})`,
    ];
  });
  if (rows.length === 0) return '';
  return table(
    [
      { title: 'Lighthouse' },
      { title: 'Base', figures: true },
      { title: 'Candidate', figures: true },
      { title: 'Change', figures: true },
      { title: 'Interval' },
    ],
    rows,
  );
}
