import type { LighthouseComparisons } from '../../model/lighthouse.ts';
import type { TargetReport } from '../../model/report.ts';
import { otherAdvice } from '../../result/fixes.ts';
import { adviceSaves } from '../../wording/fixes.ts';
import { formatCount, formatInterval, formatValue } from '../../wording/format.ts';
import { plain } from '../../wording/text.ts';
import type { Ansi } from './ansi.ts';
import { wrap } from './columns.ts';

/** Opportunities that are listed; its own report has them all. */
const LISTED = 3;

/** Scores, how it waited, and what would save most beside the fixes that are listed anyway. */
export function lighthouseLines(target: TargetReport, style: Ansi, width: number): readonly string[] {
  const result = target.result.lighthouse;
  if (!result) return [];
  const { version, runs, categories, wallTime, pageComplete, waited, report } = result;
  const measured = runs.filter(({ ok }) => ok);
  const failed = [...new Set(runs.flatMap(({ failure }) => failure?.message ?? []))];
  const scores = Object.entries(categories).map(([name, { median }]) => `${plain(name)} ${score(median)}`);
  const title = `Lighthouse${version === undefined ? '' : ` ${plain(version)}`}`;
  const over = runs.length > 1 ? ` (median of ${formatCount(measured.length, 'run')})` : '';
  const took = wallTime && `It took ${formatValue(wallTime.median, 'ms')}`;
  const beside = pageComplete === undefined ? '' : `; page complete was at ${formatValue(pageComplete, 'ms')}`;
  return [
    ...(measured.length === 0 ? [] : wrap(`${title}: ${scores.join(', ')}${over}`, width).map(style.bold)),
    ...failed.flatMap((message) => wrap(`✗ ${plain(message)}`, width).map(style.red)),
    ...(took === undefined ? [] : wrap(`${took}${beside}. ${plain(waited.sentence)}`, width).map(style.dim)),
    ...otherAdvice(target)
      .slice(0, LISTED)
      .flatMap((advice) => wrap(`- ${plain(advice.title)}: saves up to ${adviceSaves(advice)}`, width)),
    ...[...new Set(runs.flatMap(({ warnings }) => warnings))].flatMap((warning) =>
      wrap(`! ${plain(warning)}`, width).map(style.yellow),
    ),
    ...(report === undefined ? [] : [style.dim(`Its own report: ${plain(report)}`)]),
  ];
}

/** Both builds' scores and metrics, with the interval of their difference; nothing is decided by them. */
export function lighthouseComparisonLines(
  comparisons: LighthouseComparisons | undefined,
  style: Ansi,
  width: number,
): readonly string[] {
  if (!comparisons) return [];
  return [
    style.bold(`Lighthouse, ${formatCount(comparisons.runs, 'run')} of each build (for information only)`),
    ...comparisons.comparisons.flatMap(({ name, unit, base, candidate, low, high }) => {
      const values = `${formatValue(base, unit)} → ${formatValue(candidate, unit)}`;
      const range = low === undefined || high === undefined ? '' : `, differs by ${formatInterval(low, high, unit)}`;
      return wrap(`${plain(name.replace(/^lighthouse:/, ''))}  ${values}${range}`, width - 2).map(
        (line) => `  ${line}`,
      );
    }),
  ];
}

/** As Lighthouse writes scores: 0 to 100. */
function score(value: number): string {
  return formatValue(Math.round(value * 100), 'count');
}
