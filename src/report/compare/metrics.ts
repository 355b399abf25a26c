import { formatCount } from '../../wording/text/format.ts';
import {
  changeInterval,
  coverage,
  decisionWord,
  gateInWords,
  isInAnswer,
  mediansNote,
  minEffectsText,
  placedRuns,
  type ShownMetric,
  shownMetrics,
  toneOf,
} from '../comparison.ts';
import { type ColumnOf, type Drawing, details, list, paragraph, type Table, table } from '../parts.ts';
import { type CompareChapter, MARKS } from './comparison.ts';
import { MEDIANS } from './medians.ts';

const LIGHT = { weight: 'light' } as const;

/** The metrics that the answer rests on. */
export const gates: CompareChapter = (report, detail) => {
  const { result } = report;
  const shown = shownMetrics(report).filter(({ isAnswer }) => isAnswer);
  const deciding = shown.filter(({ comparison }) => comparison.gate);
  const tooSmall = minEffectsText(report);
  // The answer has said the others.
  const unsaid =
    result.decision === 'invalid' ? [] : deciding.filter(({ comparison }) => !isInAnswer(result, comparison));
  return [
    ...metricsTable(shown, report),
    ...(deciding.length === 0 || tooSmall === undefined
      ? []
      : paragraph(`A change within ${tooSmall} does not matter.`, LIGHT)),
    ...paragraph(mediansNote(shown.map(({ comparison }) => comparison)), LIGHT),
    ...(detail === 'brief'
      ? []
      : list(
          unsaid.map(({ comparison }) => ({ mark: MARKS[toneOf(comparison)], text: comparison.sentence })),
          detail,
        )),
  ];
};

/** All others. */
export const otherMetrics: CompareChapter = (report, detail) => {
  const shown = shownMetrics(report).filter(({ isAnswer }) => !isAnswer);
  if (shown.length === 0) return [];
  return details(
    'Every other metric',
    [
      ...paragraph(
        'Of so many metrics, some differ by chance. The report names only differences that remain after a correction for this.',
      ),
      ...metricsTable(shown, report),
    ],
    detail,
    { short: 'Other metrics', line: `${formatCount(shown.length, 'metric')} that cannot fail the comparison` },
  );
};

function metricsTable(metrics: readonly ShownMetric[], report: Parameters<CompareChapter>[0]): readonly Table[] {
  const levels = new Set(metrics.flatMap(({ comparison }) => comparison.difference?.level ?? []));
  const [shared] = levels.size === 1 ? levels : [];
  const columns: readonly ColumnOf<ShownMetric>[] = [
    {
      title: 'Metric',
      cell: ({ comparison, title, column }) => ({
        text: comparison.gate ? { strong: title } : title,
        remarks: comparison.gate || column === undefined ? [] : [column.description],
      }),
    },
    ...MEDIANS,
    {
      title: shared === undefined ? 'Interval' : `Interval (${coverage(shared)})`,
      worth: 1,
      cell: ({ comparison }) => {
        const { difference } = comparison;
        const level = difference === undefined || shared !== undefined ? '' : ` (${coverage(difference.level)})`;
        return `${changeInterval(comparison)}${level}`;
      },
    },
    {
      title: 'Decision',
      cell: ({ comparison }) => {
        const gate = gateInWords(comparison);
        const word = decisionWord(comparison);
        const text = gate === undefined ? word : [`${word}, `, comparison.fails ? { strong: gate } : gate];
        return report.result.decision === 'invalid' ? text : { mark: MARKS[toneOf(comparison)], text };
      },
    },
  ];
  const rows = metrics.map(({ comparison }) => comparison);
  const drawings: readonly Drawing[] = [
    { name: 'interval', title: 'Against what matters', rows },
    { name: 'loads', title: 'Every load', rows, loads: placedRuns(report) },
  ];
  return table(metrics, columns, 'all', { drawings });
}
