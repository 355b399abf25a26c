import type { CompareReport } from '../../model/report.ts';
import { compareDocument } from '../../report/compare/index.ts';
import { reachOf, shownMetrics } from '../../report/comparison.ts';
import { paragraph } from '../../report/parts.ts';
import { padLeft } from './columns.ts';
import { MORE } from './index.ts';
import { drawInterval } from './interval.ts';
import { screenOf, type TerminalOptions } from './screen.ts';
import { type Drawing, writeTerminal } from './write.ts';

/** Smallest effects of interest that a drawing reaches to either side at most; what is further out has an arrow. */
const FAR = 4;

/** What a person wants to read right after a comparison; ends with a newline. */
export function renderComparison(report: CompareReport, { detail = 'brief', ...options }: TerminalOptions): string {
  const reach = reachOf(
    shownMetrics(report).flatMap(({ comparison }) => comparison.difference ?? []),
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
  return `${writeTerminal([...compareDocument(report, detail), ...more], screenOf(options), drawing).join('\n')}\n`;
}
