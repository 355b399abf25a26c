import { BUILDS } from '../../model/compare/build.ts';
import { formatCount, formatValue } from '../../wording/text/format.ts';
import { capitalized } from '../../wording/text/text.ts';
import { failures, waited } from '../audit/lighthouse.ts';
import { changeInterval, changeText, coverage, UNBOUNDED } from '../comparison.ts';
import { type ShownLighthouse, shownLighthouse } from '../lighthouse.ts';
import { details, paragraph, table } from '../parts.ts';
import type { CompareChapter } from './comparison.ts';

/** Lighthouse's figures of both builds; they inform and decide nothing. */
export const lighthouse: CompareChapter = (report, detail) => {
  const { lighthouse: result } = report.result;
  if (result === undefined) return [];
  const rows = shownLighthouse(result.comparisons, report.columns);
  const [level] = rows.flatMap((row) => row.level ?? []);
  const runs = formatCount(result.runs, 'run');
  return details(
    'Lighthouse',
    [
      ...paragraph(
        `${runs} of each build, alternating, after the comparison. For information only: scores from 0 to 100, where more is better, and metrics under Lighthouse’s own rules, where less is better.`,
      ),
      ...table(
        rows,
        [
          { title: 'Score or metric', cell: ({ title }) => title },
          { title: 'Base', figures: true, cell: ({ base, unit }) => formatValue(base, unit) },
          { title: 'Candidate', figures: true, cell: ({ candidate, unit }) => formatValue(candidate, unit) },
          { title: 'Change', figures: true, cell: (row) => changeText(compared(row)) },
          {
            title: level === undefined ? 'Interval' : `Interval (${coverage(level)})`,
            worth: 1,
            cell: (row) => {
              const interval = changeInterval(compared(row));
              return interval === UNBOUNDED ? 'too few runs' : interval;
            },
          },
        ],
        'all',
      ),
      ...(detail === 'all'
        ? BUILDS.flatMap((build) => {
            const own = report[build].result.lighthouse;
            return own === undefined ? [] : [...failures(own), ...waited(own, detail, capitalized(build))];
          })
        : []),
    ],
    detail,
    { line: rows.map(figureInShort).join('; ') || 'It gave no answer' },
  );
};

/** "Performance 94 → 91". */
const figureInShort = ({ title, base, candidate, unit }: ShownLighthouse): string =>
  `${title} ${formatValue(base, unit)} → ${formatValue(candidate, unit)}`;

/** The change as the comparison's own metrics have it. Nothing is decided: no change matters or does not. */
function compared({ difference, level = 0, unit }: ShownLighthouse) {
  return { unit, ...(difference && { difference: { ...difference, level, minEffect: { up: 0, down: 0 } } }) };
}
