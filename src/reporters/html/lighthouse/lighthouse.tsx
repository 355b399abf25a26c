import type { JSX } from 'preact';
import { figureOf } from '../../../core/metrics/figure.ts';
import type { LighthouseOpportunity, LighthouseResult } from '../../../model/lighthouse.ts';
import type { MetricColumn, TargetReport } from '../../../model/report.ts';
import { lighthouseLine } from '../../../report/chapter-lines.ts';
import {
  categoryTitle,
  lighthouseFailures,
  lighthouseMetricTitle,
  lighthouseName,
  lighthouseWarnings,
  scoreLook,
  scoreText,
} from '../../../report/lighthouse.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { otherAdvice } from '../../../result/fixes.ts';
import { ABSENT, formatCount, formatInterval, formatValue } from '../../../wording/format.ts';
import { storedName } from '../../../wording/text.ts';
import { BesideLink } from '../components/beside.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { Notes } from '../components/notes.tsx';
import { foreign, Part, type SectionProps, sentence } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';
import { ScoreRing } from './score-ring.tsx';

/** Endpoints and warnings that are listed before it says how many more there are. */
const LISTED = 6;

/** A figure with its interval, where there is one. */
function WithInterval(props: { readonly value: string; readonly interval: string }): JSX.Element {
  return (
    <>
      <b>{props.value}</b>
      {props.interval !== ABSENT && props.interval !== props.value && <small>{props.interval}</small>}
    </>
  );
}

function Scores({ lighthouse }: { readonly lighthouse: LighthouseResult }): JSX.Element {
  return (
    <ul class="scores">
      {Object.entries(lighthouse.categories).map(([name, { median, low, high }]) => {
        const { tone, sign, word } = scoreLook(median);
        const title = foreign(categoryTitle(name));
        const [from, to] = [scoreText(low), scoreText(high)];
        return (
          <li key={name} class={tone}>
            <ScoreRing title={title} score={median} />
            <b>{title}</b>
            <span class="outcome">
              <span aria-hidden="true">{sign}</span> {word}
            </span>
            {from !== to && <small>{`${from} to ${to}`}</small>}
          </li>
        );
      })}
    </ul>
  );
}

interface Metric {
  readonly name: string;
  readonly theirs: LighthouseResult['metrics'][string];
}

/** Lighthouse's metrics beside ours: of an untimed run under other rules, and so not the same. */
function Metrics(props: {
  readonly lighthouse: LighthouseResult;
  readonly target: TargetReport;
  readonly columns: readonly MetricColumn[];
}): JSX.Element | undefined {
  const { lighthouse, target, columns } = props;
  const rows = Object.entries(lighthouse.metrics).map(([name, theirs]): Metric => ({ name, theirs }));
  if (rows.length === 0) return undefined;
  const { summary, evidence } = target.result;
  const timed = countedRuns(target).length;
  const table: readonly Column<Metric>[] = [
    { title: 'Metric', className: 'some', cell: ({ name }) => foreign(lighthouseMetricTitle(name, columns)) },
    {
      title: 'Lighthouse',
      className: 'num',
      cell: ({ theirs: { median, low, high, unit } }) => (
        <WithInterval value={formatValue(median, unit)} interval={formatInterval(low, high, unit)} />
      ),
    },
    {
      title: `Quiesce, ${timed === 1 ? 'one run' : `median of ${timed}`}`,
      className: 'num',
      cell: ({ name, theirs: { unit } }) => {
        const ours = figureOf(summary, name);
        if (ours !== undefined) {
          return (
            <WithInterval value={formatValue(ours.median, unit)} interval={formatInterval(ours.low, ours.high, unit)} />
          );
        }
        if (name !== 'speedIndex' || evidence?.speedIndex === undefined) return ABSENT;
        return (
          <>
            <b>{formatValue(evidence.speedIndex, 'ms')}</b>
            <small>of the run that filmed</small>
          </>
        );
      },
    },
  ];
  return <Table caption="Metrics of Lighthouse and of Quiesce" columns={table} rows={rows} />;
}

const OPPORTUNITIES: readonly Column<LighthouseOpportunity>[] = [
  { title: 'What it would change', className: 'some', cell: ({ title }) => sentence(title) },
  { title: 'Time, at most', className: 'num', cell: ({ savingsMs }) => formatValue(savingsMs, 'ms') },
  { title: 'Bytes', className: 'num', cell: ({ savingsBytes }) => formatValue(savingsBytes, 'bytes') },
];

/** How Lighthouse waited for a page, and how long: what background traffic costs it. */
export function LighthouseWaited({ lighthouse }: { readonly lighthouse: LighthouseResult }): JSX.Element {
  const { waited, wallTime, pageComplete, runs, representative } = lighthouse;
  const stands = runs.find(({ index }) => index === representative);
  const blocked = waited.blocked.slice(0, LISTED);
  const more = waited.blocked.length - blocked.length;
  const facts: readonly Fact[] = [
    ['How it waited', sentence(waited.sentence)],
    ...(blocked.length === 0
      ? []
      : [
          [
            'Blocked meanwhile',
            <>
              {blocked.map((endpoint, index) => (
                <bdi key={index} dir="ltr" class="mono line">
                  {foreign(endpoint)}
                </bdi>
              ))}
              {more > 0 && `and ${formatValue(more, 'count')} more`}
            </>,
          ] as const,
        ]),
    ...(waited.cap === undefined || stands === undefined
      ? []
      : [
          [
            'Longest it may wait',
            `${formatValue(waited.cap, 'ms')}; ${stands.capReached === true ? 'that ended its waiting' : 'it was done before'}`,
          ] as const,
        ]),
    ...(wallTime === undefined
      ? []
      : [
          [
            'It took',
            `${formatValue(wallTime.median, 'ms')} for waiting and judging${pageComplete === undefined ? '' : `; the page is complete at ${formatValue(pageComplete, 'ms')}`}`,
          ] as const,
        ]),
  ];
  return <Facts facts={facts} look="fair" />;
}

/** The way to Lighthouse's own report. */
export function LighthouseLink(props: {
  readonly report: string | undefined;
  readonly says: string;
}): JSX.Element | undefined {
  const { report, says } = props;
  if (report === undefined) return undefined;
  const href = storedName('lighthouse', report);
  return (
    <p class="keys">
      {href === undefined ? `${says}: ${foreign(report)}` : <BesideLink href={href}>{says}</BesideLink>}
    </p>
  );
}

/** Why Lighthouse failed, where it did. */
export function LighthouseFailures({ lighthouse }: { readonly lighthouse: LighthouseResult }): JSX.Element | undefined {
  const failures = lighthouseFailures(lighthouse);
  if (failures.length === 0) return undefined;
  return (
    <div class="notice bad" role="note">
      <b>{lighthouse.runs.some(({ ok }) => ok) ? 'Lighthouse failed in part.' : 'Lighthouse gave no answer.'}</b>
      <ul>
        {failures.slice(0, LISTED).map((failure) => (
          <li key={failure}>{sentence(failure)}</li>
        ))}
      </ul>
    </div>
  );
}

/** What Lighthouse says of the page, beside what Quiesce does. */
export function LighthousePart({ target, report: { columns }, id }: SectionProps): JSX.Element | undefined {
  const { lighthouse } = target.result;
  if (lighthouse === undefined) return undefined;
  const { runs, opportunities, report } = lighthouse;
  const others = otherAdvice(target);
  const measured = runs.filter(({ ok }) => ok).length;
  const times = runs.length === 1 ? 'One run' : `Medians of ${formatCount(measured, 'run')}`;
  return (
    <Part
      id={id}
      title="Lighthouse"
      line={lighthouseLine(target) ?? ''}
      lead={`${times} of ${foreign(lighthouseName(lighthouse))} under the same conditions and in the same session, apart from the timed runs. It measures one load by its own rules, so its figures differ from those above. They affect only budgets that name them.`}
    >
      <LighthouseFailures lighthouse={lighthouse} />
      {measured > 0 && (
        <>
          <Scores lighthouse={lighthouse} />
          <div class="columns beside">
            <section>
              <h4>Its metrics next to ours</h4>
              <Metrics lighthouse={lighthouse} target={target} columns={columns} />
            </section>
            <section>
              <h4>What else would save</h4>
              {others.length === 0 ? (
                <p class="hint">
                  {opportunities.length === 0
                    ? 'It names nothing that would save time or bytes.'
                    : 'All that it names is among the fixes above.'}
                </p>
              ) : (
                <Table caption="Opportunities that no fix above names" columns={OPPORTUNITIES} rows={others} />
              )}
            </section>
          </div>
        </>
      )}
      <LighthouseWaited lighthouse={lighthouse} />
      <Notes lines={lighthouseWarnings(lighthouse).map(sentence)} most={LISTED} label="Warnings of Lighthouse" />
      <LighthouseLink report={report} says="Lighthouse’s own report" />
    </Part>
  );
}
