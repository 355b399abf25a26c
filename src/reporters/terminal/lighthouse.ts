import type { LighthouseComparisons } from '../../model/lighthouse.ts';
import type { TargetReport } from '../../model/report.ts';
import { lighthouseName, lighthouseWarnings, scoreText } from '../../report/lighthouse.ts';
import { otherAdvice } from '../../result/fixes.ts';
import { adviceSaves } from '../../wording/fixes.ts';
import { formatCount, formatInterval, formatValue } from '../../wording/format.ts';
import { plain } from '../../wording/text.ts';
import { indented, prose, type Screen } from './screen.ts';

/** Opportunities that are listed; its own report has them all. */
const LISTED = 3;

/** Scores, how it waited, and what would save most beside the fixes that are listed anyway. */
export function lighthouseLines(target: TargetReport, screen: Screen): readonly string[] {
  const result = target.result.lighthouse;
  if (!result) return [];
  const { style } = screen;
  const { runs, categories, wallTime, pageComplete, waited, report } = result;
  const measured = runs.filter(({ ok }) => ok);
  const failed = [...new Set(runs.flatMap(({ failure }) => failure?.message ?? []))];
  const scores = Object.entries(categories).map(([name, { median }]) => `${name} ${scoreText(median)}`);
  const over = runs.length > 1 ? ` (median of ${formatCount(measured.length, 'run')})` : '';
  const took = wallTime && `It took ${formatValue(wallTime.median, 'ms')}`;
  const beside = pageComplete === undefined ? '' : `; page complete was at ${formatValue(pageComplete, 'ms')}`;
  return [
    ...(measured.length === 0
      ? []
      : prose(`${lighthouseName(result)}: ${scores.join(', ')}${over}`, screen, style.bold)),
    ...failed.flatMap((message) => prose(`✗ ${message}`, screen, style.red)),
    ...(took === undefined ? [] : prose(`${took}${beside}. ${waited.sentence}`, screen, style.dim)),
    ...otherAdvice(target)
      .slice(0, LISTED)
      .flatMap((advice) => prose(`- ${advice.title}: saves up to ${adviceSaves(advice)}`, screen)),
    ...lighthouseWarnings(result).flatMap((warning) => prose(`! ${warning}`, screen, style.yellow)),
    ...(report === undefined ? [] : [style.dim(`Its own report: ${plain(report)}`)]),
  ];
}

/** Both builds' scores and metrics, with the interval of their difference; nothing is decided by them. */
export function lighthouseComparisonLines(
  comparisons: LighthouseComparisons | undefined,
  screen: Screen,
): readonly string[] {
  if (!comparisons) return [];
  return [
    screen.style.bold(`Lighthouse, ${formatCount(comparisons.runs, 'run')} of each build (for information only)`),
    ...comparisons.comparisons.flatMap(({ name, unit, base, candidate, low, high }) => {
      const values = `${formatValue(base, unit)} → ${formatValue(candidate, unit)}`;
      const range = low === undefined || high === undefined ? '' : `, differs by ${formatInterval(low, high, unit)}`;
      return indented(`${name.replace(/^lighthouse:/, '')}  ${values}${range}`, screen);
    }),
  ];
}
