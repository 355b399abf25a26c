import type { LighthouseComparisons, LighthouseResult } from '../../model/lighthouse.ts';
import { formatCount, formatInterval, formatValue } from '../../wording/format.ts';
import { plain } from '../../wording/text.ts';
import type { Ansi } from './ansi.ts';
import { wrap } from './columns.ts';

/** Opportunities that are listed; its own report has them all. */
const LISTED = 3;

/** Scores, how it waited, and what would save most. */
export function lighthouseLines(result: LighthouseResult | undefined, style: Ansi, width: number): readonly string[] {
  if (!result) return [];
  const { version, runs, categories, wallTime, pageComplete, waited, opportunities, report } = result;
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
    ...opportunities.slice(0, LISTED).flatMap(({ title: what, savingsMs, savingsBytes }) => {
      const savings = [
        ...(savingsMs === undefined ? [] : [formatValue(savingsMs, 'ms')]),
        ...(savingsBytes === undefined ? [] : [formatValue(savingsBytes, 'bytes')]),
      ].join(', ');
      return wrap(`- ${plain(what)}: saves up to ${savings}`, width);
    }),
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
