import type { JSX } from 'preact';
import type { MetricTrend, TrendPage, TrendShift, TrendValue } from '../../../model/trend.ts';
import { formatCount, formatInterval, formatValue } from '../../../wording/text/format.ts';
import { elide } from '../../../wording/text/text.ts';
import {
  CHANGE_SIGN,
  conditionStories,
  hashOf,
  pointName,
  relativeLink,
  shiftText,
  tickInWords,
} from '../../../wording/trend/words.ts';
import { percent, pixels, place, roundSpan, type Span, spanWithoutFar } from '../../scale.ts';
import { foreign } from '../components/part.tsx';

/** Of the drawing, px; the words of changes stand above it. */
const HEIGHT = 190;
const TOP = 46;
/** So many lines of such words; more stand in the list beside. */
const LINES = 2;
/** About as much of the width as such a word takes. */
const WORD = 0.11;
/** Points beyond this many are too near each other for a bar each: their intervals become a band. */
const MOST_BARS = 90;
/** About as much of the width as the name of a condition takes. */
const CONDITION_NAME = 0.13;
/** From here on a word stands to the left of its line. */
const RIGHT = 0.85;
/** More conditions than this are drawn lightly. */
const MANY_CONDITIONS = 12;
/** Steps of the axis of values, about. */
const STEPS = 4;
/** Points of the time axis that are named. */
const TICKS = 6;
/** Values that lie further beyond the others' range than its size are drawn at the edge: one bad night would flatten all. */
const FAR = 1;
/** The drawing spans at least this share of the values, so that calm nights look calm. */
const CALM = 0.16;

/** A metric of a page over all results: medians with their intervals, the levels, where they change, and what else did. */
export function TrendChart({ page, metric }: { readonly page: TrendPage; readonly metric: MetricTrend }): JSX.Element {
  const { points } = page;
  const { values, levels, changes, pending, unit, title } = metric;
  const scale = scaleOf(metric);
  const count = points.length;
  const x = (point: number): number => (point + 0.5) / count;
  const border = (point: number): number => point / count;
  const y = (value: number): number => pixels(TOP + (1 - place(value, scale)) * HEIGHT);
  const marks = [...changes, ...(pending === undefined ? [] : [pending])];
  const lines = linesOf(marks.map((mark) => border(mark.point)));
  const isDense = values.length > MOST_BARS;
  return (
    <div class="t-plot">
      <svg class="t-axis" width="62" height={TOP + HEIGHT + 8} aria-hidden="true">
        {scale.ticks.map((tick) => (
          <text key={tick} x="56" y={y(tick) + 4} text-anchor="end">
            {formatValue(tick, unit)}
          </text>
        ))}
      </svg>
      <div class="t-area">
        <svg class="t-chart" width="100%" height={TOP + HEIGHT + 8} aria-hidden="true">
          {scale.ticks.map((tick) => (
            <line key={tick} class="t-grid" x1="0" x2="100%" y1={y(tick)} y2={y(tick)} />
          ))}
          <Conditions page={page} />
          {isDense ? (
            <Band values={values} count={count} y={y} />
          ) : (
            values.map(
              ({ point, low, high }) =>
                low !== undefined &&
                high !== undefined && (
                  <line
                    key={point}
                    class="t-interval"
                    x1={percent(x(point))}
                    x2={percent(x(point))}
                    y1={y(low)}
                    y2={y(high)}
                  />
                ),
            )
          )}
          {levels.map(({ from, to, median }) => (
            <line
              key={from}
              class="t-level"
              x1={percent(border(from))}
              x2={percent(border(to + 1))}
              y1={y(median)}
              y2={y(median)}
            />
          ))}
          <svg
            viewBox={`0 0 ${count} ${TOP + HEIGHT}`}
            preserveAspectRatio="none"
            height={TOP + HEIGHT}
            aria-hidden="true"
          >
            <path
              class={isDense ? 't-dots dense' : 't-dots'}
              d={values.map(({ point, median }) => `M${point + 0.5} ${y(median)}h0`).join('')}
            />
          </svg>
          {values
            .filter(({ median }) => median > scale.to || median < scale.from)
            .map(({ point, median }) => (
              <svg
                key={point}
                class="t-beyond"
                x={percent(x(point))}
                y={y(median)}
                overflow="visible"
                aria-hidden="true"
              >
                <path d={median > scale.to ? 'M0 -7l5 8h-10z' : 'M0 7l5 -8h-10z'} />
              </svg>
            ))}
          {marks.map((mark, i) => (
            <ChangeMark
              key={i}
              mark={mark}
              metric={metric}
              at={border(mark.point)}
              line={lines[i]}
              isPending={mark === pending}
            />
          ))}
          {values.map((value) => (
            <Hit
              key={value.point}
              value={value}
              metric={metric}
              page={page}
              x={border(value.point)}
              width={1 / count}
            />
          ))}
        </svg>
        <TimeAxis page={page} x={x} />
        <p class="unseen">{`${title}: ${formatCount(values.length, 'result')}, the last ${formatValue(values.at(-1)?.median, unit)}. The table below has every value.`}</p>
      </div>
    </div>
  );
}

/** Where something besides the page changed: dashed lines, named where there is room. */
function Conditions({ page }: { readonly page: TrendPage }): JSX.Element {
  const { points } = page;
  // What goes to and fro would be a line at every second dot.
  const alone = new Set(
    conditionStories(page.conditions).flatMap(({ point, what }) => (point === undefined ? [] : what)),
  );
  const conditions = page.conditions.filter(({ what }) => alone.has(what));
  const border = (point: number): number => point / points.length;
  let room = 0;
  const named = conditions.map(({ point }) => {
    const at = border(point);
    if (at < room || at > 1 - CONDITION_NAME) return false;
    room = at + CONDITION_NAME;
    return true;
  });
  return (
    <g class={conditions.length > MANY_CONDITIONS ? 't-conditions-drawn many' : 't-conditions-drawn'}>
      {conditions.map(({ point, what, after }, i) => (
        <g key={i}>
          <line x1={percent(border(point))} x2={percent(border(point))} y1={TOP - 8} y2={TOP + HEIGHT} />
          {named[i] && (
            <text x={percent(border(point))} dx="4" y={TOP + HEIGHT - 6}>
              {foreign(elide(what === 'browser' ? after : what, 18))}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

/** Where a level ends: a line, and above it how far the next one lies off. */
function ChangeMark(props: {
  readonly mark: TrendShift;
  readonly metric: MetricTrend;
  readonly at: number;
  readonly line: number | undefined;
  readonly isPending: boolean;
}): JSX.Element {
  const { mark, metric, at, line = 0, isPending } = props;
  const isRight = at > RIGHT;
  return (
    <g class={`t-change ${mark.direction}${isPending ? ' pending' : ''}`}>
      <line x1={percent(at)} x2={percent(at)} y1={8 + line * 18} y2={TOP + HEIGHT} />
      <text x={percent(at)} dx={isRight ? -5 : 5} y={14 + line * 18} text-anchor={isRight ? 'end' : 'start'}>
        {isPending ? '?' : CHANGE_SIGN[mark.direction]}
        <tspan class="t-figure"> {shiftText(mark, metric)}</tspan>
      </text>
    </g>
  );
}

/** What a pointer reads of a point: its place from top to bottom, and a link to its report. */
function Hit(props: {
  readonly value: TrendValue;
  readonly metric: MetricTrend;
  readonly page: TrendPage;
  readonly x: number;
  readonly width: number;
}): JSX.Element {
  const { value, metric, page, x, width } = props;
  const point = page.points[value.point];
  const link = relativeLink(point?.report ?? point?.result);
  const conditions = page.conditions.filter((change) => change.point === value.point);
  const also = conditions.map(({ what, after }) => `; from here on ${what} ${after}`).join('');
  const interval = value.low === undefined ? '' : ` (${formatInterval(value.low, value.high, metric.unit)})`;
  const column = (
    <rect class="t-hit" x={percent(x)} width={percent(width)} y="0" height={TOP + HEIGHT}>
      <title>{`${pointName(point)}: ${formatValue(value.median, metric.unit)}${interval}${foreign(also)}`}</title>
    </rect>
  );
  // Keys walk through the table, which has the same links.
  return link === undefined ? (
    column
  ) : (
    <a href={link} tabIndex={-1}>
      {column}
    </a>
  );
}

/** The intervals of many points as one area, broken where there is none. */
function Band(props: {
  readonly values: readonly TrendValue[];
  readonly count: number;
  y(value: number): number;
}): JSX.Element {
  const { values, count, y } = props;
  const runs: { x: number; low: number; high: number }[][] = [];
  for (const { point, low, high } of values) {
    if (low === undefined || high === undefined) continue;
    const last = runs.at(-1);
    const next = { x: point + 0.5, low: y(low), high: y(high) };
    if (last?.at(-1)?.x === point - 0.5) last?.push(next);
    else runs.push([next]);
  }
  const path = runs
    .map((run) => {
      const there = run.map((each) => `${each.x} ${each.high}`);
      const back = run.toReversed().map((each) => `${each.x} ${each.low}`);
      return `M${[...there, ...back].join('L')}z`;
    })
    .join('');
  return (
    <svg viewBox={`0 0 ${count} ${TOP + HEIGHT}`} preserveAspectRatio="none" height={TOP + HEIGHT} aria-hidden="true">
      <path class="t-band" d={path} />
    </svg>
  );
}

/** A few points by their day and commit; fewer where there is little room. */
function TimeAxis({ page, x }: { readonly page: TrendPage; x(point: number): number }): JSX.Element {
  const { points } = page;
  const last = points.length - 1;
  const days = points.map(({ at }) => at);
  const steps = Math.min(TICKS, points.length) - 1;
  const named = [
    ...new Set(Array.from({ length: steps + 1 }, (_, i) => (steps === 0 ? 0 : Math.round((i / steps) * last)))),
  ];
  return (
    <svg class="t-time" width="100%" height="36" aria-hidden="true">
      {named.map((point, i) => {
        const measured = points[point];
        const anchor = named.length === 1 ? 'middle' : i === 0 ? 'start' : i === named.length - 1 ? 'end' : 'middle';
        const at = anchor === 'start' ? '0' : anchor === 'end' ? '100%' : percent(x(point));
        const hash = measured && hashOf(measured);
        return (
          <g key={point} class={i === 0 || i === named.length - 1 ? undefined : 'between'}>
            <text x={at} y="13" text-anchor={anchor}>
              {tickInWords(measured?.at ?? '', days)}
            </text>
            {hash !== undefined && (
              <text class="t-hash" x={at} y="29" text-anchor={anchor}>
                {hash}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** A metric over all results as one small line, for a table. */
export function Sparkline({ metric }: { readonly metric: MetricTrend | undefined }): JSX.Element | undefined {
  if (metric === undefined || metric.values.length === 0) return undefined;
  const scale = scaleOf(metric);
  const { values, changes } = metric;
  const last = values.at(-1)?.point ?? 0;
  const y = (value: number): number => pixels(2 + (1 - place(value, scale)) * 24);
  return (
    <svg class="t-spark" viewBox={`0 0 ${last + 1} 28`} preserveAspectRatio="none" aria-hidden="true">
      {changes.map(({ point, direction }) => (
        <line key={point} class={direction} x1={point} x2={point} y1="0" y2="28" />
      ))}
      <path d={values.map(({ point, median }, i) => `${i === 0 ? 'M' : 'L'}${point + 0.5} ${y(median)}`).join('')} />
      {values.length === 1 && <path class="t-dots" d={`M${last + 0.5} ${y(values[0]?.median ?? 0)}h0`} />}
    </svg>
  );
}

/** Where the drawing begins: not at 0, so that small changes are seen. */
export const axisStart = (metric: MetricTrend): number => scaleOf(metric).from;

/** Does an interval reach beyond the drawing? Its end is not where it is drawn then. */
export function isCut(metric: MetricTrend): boolean {
  const { from, to } = scaleOf(metric);
  return metric.values.some(({ low, high }) => (low ?? from) < from || (high ?? to) > to);
}

/** The values that are drawn where they are, with round ones on the axis. */
function scaleOf({ values, levels, pending, unit }: MetricTrend): Span & { readonly ticks: readonly number[] } {
  const medians = values.map(({ median }) => median).toSorted((a, b) => a - b);
  const at = (part: number): number => medians[Math.round((medians.length - 1) * part)] ?? 0;
  const last = values.filter(({ point }) => pending !== undefined && point >= pending.point);
  const kept = [at(0.05), at(0.95), ...[...levels, ...last].map(({ median }) => median)];
  const usual = { from: Math.min(...kept), to: Math.max(...kept) };
  const reach = Math.max(usual.to - usual.from, (Math.abs(usual.to) * CALM) / 2) * FAR;
  const middle = (usual.from + usual.to) / 2;
  const calm = (Math.abs(middle) * CALM) / 2;
  const drawn = values.flatMap(({ median, low = median, high = median }) => [median, low, high]);
  const { from, to } = spanWithoutFar(drawn, { usual, reach, least: { from: middle - calm, to: middle + calm } });
  return roundSpan({ from, to: to > from ? to : from + (unit === 'score' ? 0.01 : 1) }, STEPS);
}

/** On which line each word stands, so that neighbours do not meet. */
function linesOf(places: readonly number[]): readonly number[] {
  const ends: number[] = Array(LINES).fill(Number.NEGATIVE_INFINITY);
  return places.map((place) => {
    const free = ends.findIndex((end) => place >= end);
    const line = free < 0 ? LINES - 1 : free;
    ends[line] = place + WORD;
    return line;
  });
}
