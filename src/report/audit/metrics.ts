import type { MetricColumn } from '../../model/result/report.ts';
import type { Breakdown } from '../../model/result/result.ts';
import { countedRuns } from '../../result/counted-runs.ts';
import { notesOf } from '../../result/findings.ts';
import { shownColumns, standingOf } from '../../result/representative.ts';
import { agreementInWords, levelInWords } from '../../wording/result/outcome.ts';
import { formatCount, formatInterval, formatValue } from '../../wording/text/format.ts';
import { limitsInWords } from '../judgement.ts';
import { type ColumnOf, type Dots, details, list, type Part, type Piece, paragraph, table } from '../parts.ts';
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

/** The user's own figures, and the few that everybody knows. */
export const keyFigures: Chapter = ({ target, columns }) => {
  const { summary } = target.result;
  const known = columns.filter(({ name }) => summary[name] !== undefined);
  const telling = TELLING.flatMap((name) => known.filter((column) => column.name === name)).slice(0, FIRST);
  const shown = [...known.filter(({ own }) => own).slice(0, FIRST), ...telling];
  const facts = shown.map(({ name, title, unit }) => {
    const { median, low, high, agreement } = summary[name] ?? {};
    // A figure on which the runs disagree is not one.
    const value = agreement === 'disagrees' ? formatInterval(low, high, unit) : formatValue(median, unit);
    return [title, value] as const;
  });
  return facts.length === 0 ? [] : [{ kind: 'facts', facts }];
};

/** What decided the time, and who overruled a detector. */
export const notes: Chapter = ({ target, detail }) =>
  list(
    notesOf(target).map((text) => ({ text })),
    detail,
  );

/** Every metric over the timed runs. */
export const metrics: Chapter = (page) => {
  const { target, columns: known, analysis, detail } = page;
  const { summary, step } = target.result;
  const columns = shownColumns(known, target.result);
  const runs = countedRuns(target);
  if (runs.length === 0 || columns.every(({ name }) => summary[name] === undefined)) return [];
  // Of one recording there is one value: no median, no interval, nothing to agree with.
  const alone = analysis && runs.length === 1;
  // Metrics that were read in every run share one level, which then need not be said in every row.
  const levels = new Set(columns.map(({ name }) => levelInWords(summary[name])).filter((words) => words !== ''));
  const [level] = levels.size === 1 ? levels : [];
  const [run, many] = analysis ? (['recording', 'Recordings'] as const) : (['run', 'Runs'] as const);
  const all: readonly ColumnOf<MetricColumn>[] = [
    { title: 'Metric', cell: ({ title, description }) => ({ text: title, remarks: [description] }) },
    {
      title: alone ? 'Value' : 'Median',
      figures: true,
      cell: ({ name, unit }) => ({ text: { strong: formatValue(summary[name]?.median, unit) } }),
    },
    {
      title: `Interval${level === undefined ? '' : ` (${level})`}`,
      worth: 1,
      cell: ({ name, unit }) => {
        const found = summary[name];
        const own = level === undefined ? levelInWords(found) : '';
        return `${formatInterval(found?.low, found?.high, unit)}${own === '' ? '' : ` (${own})`}`;
      },
    },
    { title: many, cell: ({ name }) => agreementInWords(summary[name], run) },
  ];
  // What could not be read of a recording, or is not of a step, is not missing.
  const rows = analysis || step !== undefined ? columns.filter(({ name }) => summary[name] !== undefined) : columns;
  const dots = rows.map((column): Dots | undefined => {
    const found = summary[column.name];
    return found && { summary: found, column, runs };
  });
  const counted = formatCount(runs.length, analysis ? 'recording' : 'timed run');
  const held =
    level === undefined
      ? ''
      : `; in ${level} of such ${analysis ? 'series' : 'audits'} the interval holds the true median`;
  return details(
    'All figures',
    [
      ...paragraph(
        alone
          ? 'As they were read from the recording.'
          : `Medians over ${counted}${held}. ${many} are stable when half the interval is within 5% of the median, or 4 ms, and vary up to 10%.`,
      ),
      ...timeSplits(page),
      ...table(rows, alone ? all.slice(0, 2) : all, 'all', {
        ...(!alone && { drawings: [{ name: 'dots', title: `Each ${run}`, rows: dots }] }),
      }),
      ...notes(page),
      ...paragraph(limitsInWords(target, analysis), { weight: 'light' }),
    ],
    detail,
    { line: inShort(page), docs: 'read-the-answer.md#what-it-measures' },
  );
};

function inShort({ target: { result } }: Page): string {
  const all = Object.values(result.summary).filter((each) => each !== undefined);
  const apart = all.filter(({ agreement }) => agreement === 'disagrees').length;
  const figures = formatCount(all.length, 'figure');
  if (all.every(({ agreement }) => agreement === undefined)) return figures;
  return apart === 0 ? `${figures}, on which the runs agree` : `${figures}; the runs disagree on ${apart}`;
}

/** What page complete is made of in the run that stands for the page: by what was downloading, and by what the main thread did. */
function timeSplits({ target, analysis }: Page): readonly Part[] {
  const run = target.representative;
  if (run === undefined) return [];
  const { breakdown, metrics: figures = {} } = run;
  const { mainThreadTime: busy, waitTime: waiting, stolenTime: stolen, cpuTime = busy } = figures;
  const standing = analysis ? undefined : standingOf(target, run);
  const of = `${formatValue(run.pageComplete?.at, 'ms')} in ${analysis ? 'recording' : 'run'} ${run.index}${standing === undefined ? '' : `, the ${standing}`}`;
  return [
    ...(breakdown === undefined
      ? []
      : [{ kind: 'split' as const, title: of, pieces: stages(breakdown, target.result.step !== undefined) }]),
    ...(cpuTime === undefined || waiting === undefined
      ? []
      : [
          {
            kind: 'split' as const,
            title: 'Main thread',
            pieces: [
              { name: 'b5', title: 'CPU time', value: cpuTime, means: 'Running scripts, style, layout and paint' },
              ...(stolen === undefined
                ? []
                : [
                    {
                      name: 'b7',
                      title: 'Stolen time',
                      value: stolen,
                      means: 'Ready to run, but the CPU was busy with other work',
                    },
                  ]),
              {
                name: 'b6',
                title: 'Wait time',
                value: waiting,
                means: 'The main thread idle: waiting for the network or a timer',
              },
            ],
          },
        ]),
  ];
}

/** The stages of a load; a step that loads no document has none of the first two. */
function stages({ basePage, parse, components, render }: Breakdown, isStep: boolean): readonly Piece[] {
  const ofDocument: readonly Piece[] = [
    { name: 'b1', title: 'Base page', value: basePage, means: 'From the request to the last byte of the document' },
    { name: 'b2', title: 'Parse', value: parse, means: 'Parsing HTML, nothing downloading' },
  ];
  return [
    ...ofDocument.filter(({ value }) => !isStep || value > 0),
    { name: 'b3', title: 'Components', value: components, means: 'Downloading scripts, styles, images, data' },
    { name: 'b4', title: 'Render', value: render, means: 'Nothing downloading, the page still changes' },
  ];
}
