import { median } from '../../core/time/median.ts';
import type { MetricTrend, TrendResult } from '../../model/trend.ts';
import { trendDocument } from '../../report/trend/index.ts';
import { screenOf, type TerminalOptions } from './screen.ts';
import { type Drawing, writeTerminal } from './write.ts';

const BLOCKS = [...'▁▂▃▄▅▆▇█'];

const HISTORY: Drawing = {
  name: 'history',
  title: () => 'Over time',
  draw: (of, at, width) => {
    const metric = of.name === 'history' ? of.rows[at] : undefined;
    return metric === undefined ? '' : sparkline(metric, width);
  },
};

/** What a person wants to read right after a trend: a line for each page and metric, then the changes; ends with a newline. */
export function renderTrend(result: TrendResult, { detail = 'brief', ...options }: TerminalOptions): string {
  return `${writeTerminal(trendDocument(result, detail), screenOf(options), HISTORY).join('\n')}\n`;
}

/** The values as blocks, several results to a block where there are more of them than room; the median of each. */
function sparkline({ values }: MetricTrend, room: number): string {
  if (values.length === 0) return '';
  const count = Math.min(room, values.length);
  const parts = Array.from({ length: count }, (_, i) => {
    const from = Math.floor((i / count) * values.length);
    const to = Math.max(from + 1, Math.floor(((i + 1) / count) * values.length));
    return median(values.slice(from, to).map((value) => value.median));
  });
  const least = Math.min(...parts);
  // A sixth of the value is the least that fills the height: calm values are a calm line.
  const span = Math.max(Math.max(...parts) - least, Math.abs(least) / 6);
  return parts
    .map((value) => BLOCKS[span === 0 ? 0 : Math.round(((value - least) / span) * (BLOCKS.length - 1))] ?? '')
    .join('');
}
