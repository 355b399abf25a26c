import { median } from '../../core/median.ts';
import type { MetricTrend, TrendPage, TrendResult, TrendShift } from '../../model/trend.ts';
import { ABSENT, andMore, formatCount, formatValue } from '../../wording/format.ts';
import { unmeasuredSentence } from '../../wording/trend.ts';
import { CHANGE_SIGN, FEWEST_RESULTS, shiftText, shortPointName } from '../../wording/trend-words.ts';
import type { Ansi } from './ansi.ts';
import { fit, pad, padLeft, wrap } from './columns.ts';
import { INDENT, type Paint, prose, type Screen, screenOf, type TerminalOptions, widest } from './screen.ts';

/** Columns of a sparkline, at most. */
const SPARK = 24;
/** Pages that are listed; the report holds all. */
const MAX_PAGES = 20;
/** Changes of a metric that are reported in full; the report holds all. */
const MOST_CHANGES = 2;
const BLOCKS = [...'▁▂▃▄▅▆▇█'];

/** What a person wants to read right after a trend: a line for each page and metric, then the changes; ends with a newline. */
export function renderTrend(result: TrendResult, options: TerminalOptions): string {
  const screen = screenOf(options);
  const { style } = screen;
  const shown = result.pages.slice(0, MAX_PAGES);
  const left = result.pages.length - shown.length;
  const lines = [
    ...prose(result.sentence, screen, style.bold),
    ...shown.flatMap((page) => ['', ...pageLines(page, screen)]),
    ...(left > 0 ? ['', style.dim(`${andMore(left, 'page')}, which the report shows`)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function pageLines(page: TrendPage, screen: Screen): readonly string[] {
  const { style, width } = screen;
  const { metrics, points } = page;
  const title = widest(metrics.map((metric) => metric.title));
  const latest = widest(metrics.map(now));
  const spark = Math.min(SPARK, width - INDENT.length - title - latest - 18);
  const row = (metric: MetricTrend): string =>
    [
      INDENT + pad(metric.title, title),
      ...(spark >= 6 ? [pad(sparkline(metric, spark), spark)] : []),
      padLeft(now(metric), latest),
      lastText(metric, page, style),
    ].join('  ');
  return [
    `${fit(page.page, width - 14)}  ${style.dim(formatCount(points.length, 'result'))}`,
    ...wrap(unmeasuredSentence(page) ?? '', width - 2 * INDENT.length).map((line, i) =>
      style.red(`${INDENT}${i === 0 ? '✗ ' : INDENT}${line}`),
    ),
    ...metrics.map(row),
    ...metrics.flatMap((metric) => sentences(metric, screen)),
  ];
}

function now({ values, unit }: MetricTrend): string {
  const last = values.at(-1);
  return last === undefined ? ABSENT : formatValue(last.median, unit);
}

function lastText(metric: MetricTrend, page: TrendPage, style: Ansi): string {
  const last = metric.changes.at(-1);
  if (last === undefined) {
    if (metric.pending !== undefined) return style.yellow('? no change yet');
    return style.dim(metric.values.length < FEWEST_RESULTS ? 'too few results' : '= no change');
  }
  return paint(
    last,
    style,
  )(`${CHANGE_SIGN[last.direction]} ${shiftText(last, metric)} since ${shortPointName(page.points[last.point])}`);
}

function sentences({ changes, pending }: MetricTrend, { style, width }: Screen): readonly string[] {
  const newest = changes.toReversed().slice(0, MOST_CHANGES);
  const earlier = changes.length - newest.length;
  const said: readonly (readonly [string, TrendShift])[] = [
    ...(pending === undefined ? [] : [['?', pending] as const]),
    ...newest.map((change) => [CHANGE_SIGN[change.direction], change] as const),
  ];
  const lines = said.flatMap(([sign, shift]) =>
    wrap(shift.sentence, width - 2 * INDENT.length).map(
      (line, i) => `${INDENT}${i === 0 ? paint(shift, style)(`${sign} `) : INDENT}${line}`,
    ),
  );
  return earlier === 0 ? lines : [...lines, style.dim(`${INDENT}  and ${formatCount(earlier, 'earlier change')}`)];
}

function paint({ direction }: TrendShift, style: Ansi): Paint {
  return direction === 'worse' ? style.red : style.green;
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
