import type { Scale } from '../../model/compare/comparison.ts';
import type {
  ConditionChangeFacts,
  Measurement,
  MetricFigures,
  PageFigures,
  ShiftFigures,
  TrendLevel,
  TrendPoint,
  TrendValue,
} from '../../model/trend.ts';
import { DEFAULT_MIN_EFFECT, effectBounds } from '../experiment/effect.ts';
import { estimateMedian } from '../time/median.ts';
import { capacityMetrics } from './capacity.ts';
import { readSeries, type SeriesShift } from './changes.ts';
import { conditionChanges } from './conditions.ts';
import type { TrendMetric } from './trend-metric.ts';

/** Probability of marking anything in the history of a page that stays as it is, over its metrics, about. Source: docs/internals/statistics.md. */
const ALPHA = 0.05;
/** Standard errors in the width of a 95% interval. */
const WIDTH = 2 * 1.96;
/** A condition that changed so many results before or after explains a change too: where it began is an estimate. */
const ABOUT = 1;

/**
 * The history of every page. `measurements` come in the order of the points; pages come out with the one that has
 * become worse most first, by the first metric that shows it, then those that have become better, then the calm ones.
 */
export function trendPages(
  measurements: readonly Measurement[],
  metrics: readonly TrendMetric[],
): readonly PageFigures[] {
  const pages = [...Map.groupBy(apart(measurements), ({ page }) => page)].map(([page, own]) =>
    pageOf(page, own, own[0]?.kind === 'capacity' ? capacityMetrics : metrics),
  );
  return pages
    .map((page) => ({ page, change: worstChange(page) }))
    .toSorted((a, b) => b.change - a.change || (a.page.page < b.page.page ? -1 : 1))
    .map(({ page }) => page);
}

/**
 * A page that was measured alternately under several conditions, such as on a desktop and on a phone, has a history for each.
 * Where the conditions changed, and did not go to and fro, that is told in the one history.
 */
function apart(measurements: readonly Measurement[]): readonly Measurement[] {
  const byPage = Map.groupBy(measurements, ({ page }) => page);
  const alternating = new Set([...byPage].flatMap(([page, own]) => (doAlternate(own) ? [page] : [])));
  return measurements.map((each) => {
    const { page, under } = each;
    const own = `${page} (${under})`;
    return under !== undefined && (alternating.has(page) || byPage.has(own)) ? { ...each, page: own } : each;
  });
}

/** Do conditions that were left come back, and more than once? A single night under others is none. */
function doAlternate(measurements: readonly Measurement[]): boolean {
  const all = measurements.map(({ under }) => under);
  return all.filter((under, i) => i > 0 && under !== all[i - 1] && all.indexOf(under) < i).length > 1;
}

function pageOf(page: string, measurements: readonly Measurement[], metrics: readonly TrendMetric[]): PageFigures {
  const points = measurements.map(pointOf);
  const title = measurements.findLast((each) => each.title !== undefined)?.title;
  const conditions = conditionChanges(measurements);
  const kind = measurements[0]?.kind;
  const shared = { measurements, alpha: ALPHA / metrics.length };
  const about = (point: number): readonly ConditionChangeFacts[] =>
    conditions.filter((change) => Math.abs(change.point - point) <= ABOUT);
  return {
    kind,
    page,
    title,
    points,
    metrics: metrics.map((metric) => metricTrend(metric, shared, about)),
    conditions,
  };
}

function pointOf({ at, source, build, result, report, runs, failed }: Measurement): TrendPoint {
  return {
    at,
    source,
    build,
    result,
    report,
    runs: runs.length,
    failed,
  };
}

function metricTrend(
  metric: TrendMetric,
  shared: {
    readonly measurements: readonly Measurement[];
    readonly alpha: number;
  },
  about: (point: number) => readonly ConditionChangeFacts[],
): MetricFigures {
  const { name, title, unit, better, canBeZero } = metric;
  const { measurements, alpha } = shared;
  const samples = measurements.flatMap(({ runs, intervals }, point) => {
    const own = runs.flatMap((run) => run[name] ?? []).filter(Number.isFinite);
    const estimate = estimateMedian(own);
    const known = intervals?.[name];
    return estimate ? [{ own, known, value: { point, ...estimate, ...known } satisfies TrendValue }] : [];
  });
  const values = samples.map(({ value }) => value);
  const scale: Scale =
    canBeZero === true || samples.some(({ own }) => own.some((each) => each <= 0)) ? 'shift' : 'ratio';
  const onScale = (value: number): number => (scale === 'ratio' ? Math.log(value) : value);
  const offScale = (value: number): number => (scale === 'ratio' ? Math.expm1(value) : value);
  const limitAt = (level: number): number => {
    const baseMedian = scale === 'ratio' ? Math.exp(level) : level;
    return effectBounds(DEFAULT_MIN_EFFECT, { scale, unit, baseMedian }).limit;
  };
  const { changes, pending, noise } = readSeries(
    samples.map(({ own, known, value }) => ({
      value: onScale(value.median),
      error: known ? (onScale(known.high) - onScale(known.low)) / WIDTH : errorOfMedian(own.map(onScale)),
    })),
    { limitAt, alpha },
  );
  const starts = [0, ...changes.map(({ from }) => from)];
  const levels = values.length === 0 ? [] : starts.map((from, i) => levelOf(values.slice(from, starts[i + 1])));
  const figuresOf = (shift: SeriesShift, before: TrendLevel | undefined): ShiftFigures => {
    const estimate = offScale(shift.estimate);
    const isUp = shift.estimate > 0;
    return {
      point: values[shift.from]?.point ?? 0,
      direction: isUp === (better === 'lower') ? 'worse' : 'better',
      ...(scale === 'ratio' && { relative: estimate }),
      absolute: scale === 'ratio' ? estimate * (before?.median ?? 0) : estimate,
      low: offScale(shift.low),
      high: offScale(shift.high),
      level: 1 - ALPHA,
    };
  };
  return {
    metric: name,
    title,
    unit,
    scale,
    values,
    levels,
    changes: changes.map((change, i) => {
      const shift = figuresOf(change, levels[i]);
      return { ...shift, conditions: about(shift.point) };
    }),
    ...(pending && { pending: figuresOf(pending, levels.at(-1)) }),
    ...(noise !== undefined && { noise: offScale(noise) }),
  };
}

function levelOf(values: readonly TrendValue[]): TrendLevel {
  return {
    from: values[0]?.point ?? 0,
    to: values.at(-1)?.point ?? 0,
    n: values.length,
    median: estimateMedian(values.map(({ median }) => median))?.median ?? 0,
  };
}

/** Standard error of the median of normal values, with a spread that a wild one does not move. */
function errorOfMedian(values: readonly number[]): number {
  const middle = estimateMedian(values)?.median ?? 0;
  const spread = estimateMedian(values.map((value) => Math.abs(value - middle)))?.median ?? 0;
  return (1.4826 * spread * Math.sqrt(Math.PI / 2)) / Math.sqrt(Math.max(1, values.length));
}

/** How much a page has become worse at its last change, in shares; a page that has become better lies below one that has not changed. */
function worstChange({ metrics }: PageFigures): number {
  const lasts = metrics.flatMap(({ changes, pending }) => pending ?? changes.at(-1) ?? []);
  const sizes = lasts.map(({ direction, relative, absolute }) => {
    const size = Math.abs(relative ?? Math.tanh(absolute));
    return direction === 'worse' ? 2 + size : 1 + size;
  });
  return Math.max(0, ...sizes);
}
