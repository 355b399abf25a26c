import type { MetricComparison } from '../../model/compare/comparison.ts';
import { formatValue } from '../../wording/text/format.ts';
import { changeCell } from '../comparison.ts';
import type { ColumnOf } from '../parts.ts';

/** The medians of both builds and the change, as every table of comparisons shows them. */
export const MEDIANS: readonly ColumnOf<{ readonly comparison: MetricComparison }>[] = [
  {
    title: 'Base',
    figures: true,
    worth: 2,
    cell: ({ comparison: { base, unit } }) => formatValue(base.median, unit),
  },
  {
    title: 'Candidate',
    figures: true,
    worth: 2,
    cell: ({ comparison: { candidate, unit } }) => formatValue(candidate.median, unit),
  },
  { title: 'Change', figures: true, cell: ({ comparison }) => changeCell(comparison) },
];
