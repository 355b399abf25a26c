import type { Metric } from '../../model/network/visit.ts';
import type { FigureUnit } from '../../model/units.ts';

/** What of a metric a trend has to know: of a page's, or of a server's. */
export type TrendMetric = Pick<Metric, 'title' | 'better' | 'canBeZero'> & {
  readonly name: string;
  readonly unit: FigureUnit;
};
