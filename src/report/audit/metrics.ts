import type { MetricColumn } from '../../model/report.ts';
import type { MetricSummary } from '../../model/result.ts';
import { countedRuns } from '../../result/counted-runs.ts';
import { shownColumns } from '../../result/representative.ts';
import { formatInterval, formatValue } from '../../wording/format.ts';
import { agreementInWords, levelInWords } from '../../wording/outcome.ts';
import { type Column, details, type Part, type Text } from '../parts.ts';
import type { Chapter, Page } from './page.ts';

/** The metrics of a first screen, the most telling first, and how many of them it has room for. */
const TELLING: readonly MetricColumn['name'][] = [
  'interactionToNextPaint',
  'firstContentfulPaint',
  'largestContentfulPaint',
  'totalBlockingTime',
  'transferSize',
  'requestCount',
  'load',
];
const FIRST = 4;

/** The figures: the few that everybody knows, and the others behind them. */
export const metrics: Chapter = (page) =>
  page.detail === 'brief'
    ? firstFigures(page)
    : [
        ...table(page, ({ headline }) => headline),
        ...details(
          'Every other metric',
          table(page, ({ headline }) => !headline),
          page.detail,
        ),
      ];

function firstFigures({ target, columns }: Page): readonly Part[] {
  const { summary } = target.result;
  const known = columns.filter(({ name }) => summary[name] !== undefined);
  const shown = TELLING.flatMap((name) => known.filter((column) => column.name === name)).slice(0, FIRST);
  const facts = shown.map(({ name, title, unit }) => {
    const { median, low, high, agreement } = summary[name] ?? {};
    // A figure on which the runs disagree is not one.
    const value = agreement === 'disagrees' ? formatInterval(low, high, unit) : formatValue(median, unit);
    return [title, value] as const;
  });
  return facts.length === 0 ? [] : [{ kind: 'facts', facts }];
}

function table({ target, columns: all, analysis }: Page, isShown: (column: MetricColumn) => boolean): readonly Part[] {
  const { summary, step } = target.result;
  // What was measured is reported, and of an audit's short table also what could not be.
  const metrics = shownColumns(all, target.result).filter(
    (column) =>
      isShown(column) &&
      (summary[column.name] !== undefined ||
        (column.headline && !column.onlyInSteps && !analysis && step === undefined)),
  );
  if (metrics.every(({ name }) => summary[name] === undefined)) return [];
  // Of one run there is one value: no median, no interval, nothing to agree with.
  const alone = countedRuns(target).length === 1;
  // Metrics that were read in every run share one level, which then need not be said in every row.
  const levels = new Set(metrics.map(({ name }) => levelInWords(summary[name])).filter((level) => level !== ''));
  const [shared] = levels.size === 1 ? levels : [];
  const interval = ({ low, high, ...rest }: Partial<MetricSummary>, unit: MetricColumn['unit']): string => {
    const level = shared === undefined ? levelInWords({ low, ...rest } as MetricSummary) : '';
    return `${formatInterval(low, high, unit)}${level === '' ? '' : ` (${level})`}`;
  };
  const columns: readonly Column[] = [
    { title: 'Metric' },
    { title: alone ? 'Value' : 'Median', figures: true },
    ...(alone
      ? []
      : [
          { title: `Interval${shared === undefined ? '' : ` (${shared})`}`, worth: 1 },
          { title: analysis ? 'Recordings' : 'Runs' },
        ]),
  ];
  const rows = metrics.map(({ name, title, unit }): readonly Text[] => {
    const found = summary[name];
    return [
      name === 'pageComplete' ? { strong: title } : title,
      formatValue(found?.median, unit),
      ...(alone ? [] : [interval(found ?? {}, unit), agreementInWords(found, analysis ? 'recording' : 'run')]),
    ];
  });
  return [{ kind: 'table', columns, rows }];
}
