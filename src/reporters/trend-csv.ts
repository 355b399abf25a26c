import type { MetricTrend, TrendPage, TrendPoint, TrendResult, TrendValue } from '../model/trend.ts';
import { type CsvColumn, csvTable } from './csv.ts';

interface Row {
  readonly page: TrendPage;
  readonly point: TrendPoint;
  readonly metric: MetricTrend;
  readonly value: TrendValue;
}

const COLUMNS: readonly CsvColumn<Row>[] = [
  ['page', ({ page }) => page.page],
  ['at', ({ point }) => point.at],
  ['commit', ({ point }) => point.source?.commit],
  ['ref', ({ point }) => point.source?.ref],
  ['build', ({ point }) => point.build],
  ['metric', ({ metric }) => metric.metric],
  ['unit', ({ metric }) => metric.unit],
  ['runs', ({ value }) => value.n],
  ['median', ({ value }) => value.median],
  ['low', ({ value }) => value.low],
  ['high', ({ value }) => value.high],
  ['level', ({ metric, value }) => levelAt(metric, value.point)],
  ['change', ({ metric, value }) => changeAt(metric, value.point)?.direction],
  ['changeBy', ({ metric, value }) => changeAt(metric, value.point)?.absolute],
  ['result', ({ point }) => point.result],
];

/**
 * A trend as a table for spreadsheets and statistics programs: a row for each page, metric and result. RFC 4180, CRLF,
 * numbers plain in the unit that the row names; what is not known is empty.
 */
export function renderTrendCsv({ pages }: TrendResult): string {
  const rows = pages.flatMap((page) =>
    page.metrics.flatMap((metric) =>
      metric.values.flatMap((value): readonly Row[] => {
        const point = page.points[value.point];
        return point === undefined ? [] : [{ page, point, metric, value }];
      }),
    ),
  );
  return csvTable(COLUMNS, rows);
}

function levelAt({ levels }: MetricTrend, point: number): number | undefined {
  return levels.find(({ from, to }) => point >= from && point <= to)?.median;
}

function changeAt({ changes }: MetricTrend, point: number) {
  return changes.find((change) => change.point === point);
}
