import type { MetricComparison } from '../../model/compare/comparison.ts';
import type { ComparePagesReport, CompareReport } from '../../model/result/report.ts';
import { compareDocument } from '../../report/compare/index.ts';
import { comparePagesDocument } from '../../report/compare-pages.ts';
import { reachOf, shownMetrics } from '../../report/comparison.ts';
import { type Part, paragraph } from '../../report/parts.ts';
import { padLeft } from './columns.ts';
import { MORE } from './index.ts';
import { drawInterval } from './interval.ts';
import { screenOf, type TerminalOptions } from './screen.ts';
import { type Drawing, writeTerminal } from './write.ts';

/** Smallest effects of interest that a drawing reaches to either side at most; what is further out has an arrow. */
const FAR = 4;

/** What a person wants to read right after a comparison; ends with a newline. */
export function renderComparison(report: CompareReport, options: TerminalOptions): string {
  const { detail = 'brief' } = options;
  const metrics = shownMetrics(report).map(({ comparison }) => comparison);
  return written(compareDocument(report, detail), metrics, options);
}

/** The same of several pages. */
export function renderComparedPages(report: ComparePagesReport, options: TerminalOptions): string {
  const { detail = 'brief' } = options;
  const gates = report.result.targets.flatMap(({ comparisons }) => comparisons.filter(({ gate }) => gate));
  return written(comparePagesDocument(report, detail), gates, options);
}

function written(
  parts: readonly Part[],
  metrics: readonly MetricComparison[],
  { detail = 'brief', ...options }: TerminalOptions,
): string {
  const reach = reachOf(
    metrics.flatMap(({ difference }) => difference ?? []),
    FAR,
  );
  const drawing: Drawing = {
    name: 'interval',
    title: (width) => `${padLeft('better ◂ ', (width - 1) / 2)}0 ▸ worse`,
    draw: (of, at, width) => {
      const { difference } = (of.name === 'interval' && of.rows[at]) || {};
      return difference === undefined ? '' : drawInterval(difference, reach, width);
    },
  };
  const more = detail === 'brief' ? paragraph(MORE, { weight: 'light' }) : [];
  return `${writeTerminal([...parts, ...more], screenOf(options), drawing).join('\n')}\n`;
}
