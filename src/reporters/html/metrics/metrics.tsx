import type { JSX } from 'preact';
import type { MetricColumn, TargetReport } from '../../../model/report.ts';
import type { MetricSummary, RunResult } from '../../../model/result.ts';
import { metricsLine } from '../../../report/chapter-lines.ts';
import { limitsInWords, RATING_SIGNS } from '../../../report/judgement.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { notesOf } from '../../../result/findings.ts';
import { isBroken } from '../../../result/health.ts';
import { shownColumns } from '../../../result/representative.ts';
import { type LimitsProfile, limitsOf, limitsProfileOf, ratingOf } from '../../../result/web-vitals.ts';
import { ABSENT, formatCount, formatInterval, formatValue } from '../../../wording/format.ts';
import { agreementInWords, levelInWords } from '../../../wording/outcome.ts';
import { movedName, paintedName } from '../answer/page-picture.tsx';
import { DOCS } from '../components/docs.ts';
import { Notes } from '../components/notes.tsx';
import { foreign, Part, type SectionProps, sentence } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';
import { TimeBars } from './time-bars.tsx';

/** Each run as a dot; the strip spans at least ±10% of the median so that calm runs look calm. */
function Dots(props: {
  readonly summary: MetricSummary;
  readonly column: MetricColumn;
  readonly runs: readonly RunResult[];
}): JSX.Element | undefined {
  const { summary, column, runs } = props;
  const values = runs.flatMap((run) => {
    const value = run.metrics?.[column.name];
    return value === undefined || !Number.isFinite(value) ? [] : [{ run: run.index, value }];
  });
  const far = Math.max(0, ...values.map(({ value }) => Math.abs(value - summary.median)));
  const reach = Math.max(Math.abs(summary.median) * 0.1, far * 1.05) || 1;
  const x = (value: number): number =>
    Number((85 + (Math.max(-1, Math.min(1, (value - summary.median) / reach)) || 0) * 78).toFixed(2));
  const spoken = values.map(({ run, value }) => `run ${run} ${formatValue(value, column.unit)}`).join(', ');
  return (
    <svg class="dots" viewBox="0 0 170 26" role="img" aria-label={spoken}>
      <title>{spoken}</title>
      <line class="axis" x1="3" x2="167" y1="13" y2="13" />
      {summary.low !== undefined && summary.high !== undefined && (
        <line class="range" x1={x(summary.low)} x2={x(summary.high)} y1="13" y2="13" />
      )}
      <line class="median" x1={x(summary.median)} x2={x(summary.median)} y1="4" y2="22" />
      {values.map(({ run, value }) => (
        <circle key={run} cx={x(value)} cy="13" r="3.4">
          <title>{`Run ${run}: ${formatValue(value, column.unit)}`}</title>
        </circle>
      ))}
    </svg>
  );
}

/** How well the runs agree, as a sign and a word. */
export function Agreement(props: {
  readonly summary: MetricSummary | undefined;
  readonly analysis: boolean;
}): JSX.Element {
  const words = agreementInWords(props.summary, props.analysis ? 'recording' : 'run');
  return <span class={words === ABSENT ? undefined : `agree ${words.replace(' ', '-')}`}>{words}</span>;
}

/** A step without a new document has no first byte and no paints: what is not there is not shown as missing. */
const isStep = ({ result }: TargetReport): boolean => result.step !== undefined;

/** The few figures that one wants to see at once: those with limits, or else the few that there are. */
export function HeadlineFigures(props: {
  readonly target: TargetReport;
  readonly columns: readonly MetricColumn[];
}): JSX.Element | undefined {
  const { target, columns } = props;
  const { summary } = target.result;
  const profile = limitsProfileOf(target.result.conditions);
  const known = shownColumns(columns, target.result).filter(
    ({ name, headline }) => headline && name !== 'pageComplete' && summary[name] !== undefined,
  );
  const judged = known.filter(({ name }) => limitsOf(name, profile) !== undefined);
  const shown = judged.length > 0 ? judged : known;
  if (countedRuns(target).length === 0 || shown.length === 0) return undefined;
  return (
    <dl class="figures">
      {shown.map((column) => (
        <HeadlineFigure key={column.name} {...{ target, column, profile }} />
      ))}
    </dl>
  );
}

/** One figure; where there are limits for it, with its class in colour, sign and word. */
function HeadlineFigure(props: {
  readonly target: TargetReport;
  readonly column: MetricColumn;
  readonly profile: LimitsProfile;
}): JSX.Element {
  const { target, column, profile } = props;
  const { name, title, unit, description } = column;
  const found = target.result.summary[name];
  const value = formatValue(found?.median, unit);
  const interval = formatInterval(found?.low, found?.high, unit);
  // Of a page that does not work no figure is good.
  const rating = isBroken(target.result) ? undefined : ratingOf(name, found?.median, profile);
  const limits = limitsOf(name, profile);
  const about =
    name === 'largestContentfulPaint'
      ? paintedName(target)
      : name === 'cumulativeLayoutShift' && (found?.median ?? 0) > 0
        ? movedName(target)
        : undefined;
  return (
    <div>
      <dt title={foreign(description)}>{foreign(title)}</dt>
      <dd>
        <b class={rating}>{value}</b>
        {rating !== undefined && limits !== undefined && (
          <span class={`rating ${rating}`}>
            <span aria-hidden="true">{RATING_SIGNS[rating]}</span> {rating.replace('-', ' ')}
            <small> ≤ {formatValue(limits.good, unit)}</small>
          </span>
        )}
        {about !== undefined && (
          <small class="mono about">
            <bdi dir="ltr">{foreign(about)}</bdi>
          </small>
        )}
        {interval !== ABSENT && interval !== value && <small>{interval}</small>}
      </dd>
    </div>
  );
}

/** Every metric over the timed runs. */
export function MetricsPart({ target, report, id, analysis }: SectionProps): JSX.Element | undefined {
  const columns = shownColumns(report.columns, target.result);
  const { summary } = target.result;
  const runs = countedRuns(target);
  if (runs.length === 0 || columns.every((column) => summary[column.name] === undefined)) return undefined;
  // Of one recording there is one value: no median, no interval, nothing to agree with.
  const alone = analysis && runs.length === 1;
  // Metrics that were read in every run share one level, which then need not be said in every row.
  const levels = new Set(columns.map((column) => levelInWords(summary[column.name])).filter((words) => words !== ''));
  const [level] = levels.size === 1 ? levels : [];
  const table: readonly Column<MetricColumn>[] = [
    {
      title: 'Metric',
      className: 'wide',
      cell: (column) => (
        <>
          {column.title}
          <small>{column.description}</small>
        </>
      ),
    },
    {
      title: alone ? 'Value' : 'Median',
      className: 'num strong',
      cell: (column) => formatValue(summary[column.name]?.median, column.unit),
    },
    {
      title: level === undefined ? 'Interval' : `Interval, ${level}`,
      className: 'num',
      cell: (column) => {
        const found = summary[column.name];
        const own = levelInWords(found);
        return (
          <>
            {formatInterval(found?.low, found?.high, column.unit)}
            {own !== '' && own !== level && <small>{own}</small>}
          </>
        );
      },
    },
    {
      title: analysis ? 'Recordings agree' : 'Runs agree',
      cell: (column) => <Agreement summary={summary[column.name]} analysis={analysis} />,
    },
    {
      title: analysis ? 'Each recording' : 'Each run',
      cell: (column) => {
        const found = summary[column.name];
        return found === undefined ? ABSENT : <Dots summary={found} column={column} runs={runs} />;
      },
    },
  ];
  const lead = alone
    ? 'As they were read from the recording.'
    : `Medians over ${formatCount(runs.length, analysis ? 'recording' : 'timed run')}${level === undefined ? '' : `; in ${level} of such ${analysis ? 'series' : 'audits'} the interval holds the true median`}. ${analysis ? 'Recordings' : 'Runs'} are stable when half the interval is within 5% of the median, or 4 ms, and vary up to 10%.`;
  return (
    <Part id={id} title="All figures" line={metricsLine(target) ?? ''} lead={lead} docs={DOCS.metrics}>
      <TimeBars target={target} analysis={analysis} />
      <Table
        caption="All figures"
        columns={alone ? table.slice(0, 2) : table}
        rows={analysis || isStep(target) ? columns.filter((column) => summary[column.name] !== undefined) : columns}
      />
      <Notes lines={notesOf(target).map(sentence)} />
      <p class="keys limits">{limitsInWords(target, analysis)}</p>
    </Part>
  );
}
