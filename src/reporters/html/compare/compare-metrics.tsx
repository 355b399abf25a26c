import type { JSX } from 'preact';
import type { CompareReport } from '../../../model/report.ts';
import { ABSENT, formatCount, formatValue } from '../../../wording/format.ts';
import { changeBesideMedians, changeInterval, placedRuns, type ShownMetric, shownMetrics } from '../../comparison.ts';
import { foreign, Part } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';
import { DecisionBadge } from './decision-badge.tsx';
import { IntervalDrawing } from './interval-drawing.tsx';
import { LoadStrip } from './load-strip.tsx';

/** The metrics that do not decide. */
export function CompareMetricsPart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const metrics = shownMetrics(report).filter(({ comparison }) => !comparison.gate);
  if (metrics.length === 0) return undefined;
  const loads = placedRuns(report);
  const columns: readonly Column<ShownMetric>[] = [
    {
      title: 'Metric',
      className: 'wide',
      cell: ({ title, column }) => (
        <>
          {foreign(title)}
          {column !== undefined && <small>{column.description}</small>}
        </>
      ),
    },
    {
      title: 'Base → candidate',
      className: 'num',
      cell: ({ comparison: { base, candidate, unit } }) =>
        `${formatValue(base.median, unit)} → ${formatValue(candidate.median, unit)}`,
    },
    {
      title: 'Change',
      className: 'change-cell',
      cell: ({ comparison }) => (
        <>
          <b>{changeBesideMedians(comparison)}</b>
          <small>{changeInterval(comparison)}</small>
        </>
      ),
    },
    {
      title: 'Against what matters',
      className: 'drawn',
      cell: ({ comparison }) =>
        comparison.difference === undefined ? ABSENT : <IntervalDrawing comparison={comparison} small />,
    },
    {
      title: 'Every load',
      className: 'drawn',
      cell: ({ comparison }) => <LoadStrip comparison={comparison} loads={loads} small />,
    },
    ...(report.result.decision === 'invalid'
      ? []
      : [
          {
            title: 'Decision',
            className: 'decided',
            cell: ({ comparison }: ShownMetric) => <DecisionBadge comparison={comparison} />,
          },
        ]),
  ];
  return (
    <Part
      id="compare"
      title="Every other metric"
      short="Other metrics"
      line={`${formatCount(metrics.length, 'metric')} that cannot fail the comparison`}
      lead="Of so many metrics, some differ by chance. The report names only differences that remain after a correction for this."
    >
      <Table caption="Every other metric" columns={columns} rows={metrics} className="compared" />
    </Part>
  );
}
