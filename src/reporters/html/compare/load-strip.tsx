import type { JSX } from 'preact';
import { figureOf } from '../../../core/metrics/figure.ts';
import { BUILDS, type Build } from '../../../model/compare/build.ts';
import type { MetricComparison } from '../../../model/compare/comparison.ts';
import type { Placed } from '../../../report/comparison.ts';
import { formatCount, formatValue } from '../../../wording/text/format.ts';
import { percent, pixels, place, type Span, shareOf, spanWithoutFar } from '../../scale.ts';

/**
 * Values this many interquartile ranges outside the quartiles are drawn at the edge: one load that took five times as
 * long would press all others into a line. Source: "far out" in Tukey, Exploratory Data Analysis, 1977.
 */
const FAR_OUT = 3;
/** The drawing spans at least this share of the median to either side, so that calm loads look calm. */
const CALM = 0.04;
/** Blank margin above and below, as a share of the span. */
const MARGIN = 0.08;

const HEIGHT = { large: 132, small: 40 } as const;
/** Half a mark's size, px. */
const MARK = { large: 3.6, small: 2.2 } as const;

interface Load {
  readonly build: Build;
  readonly block: number;
  readonly order: number;
  readonly value: number;
  readonly counts: boolean;
  readonly index: number;
  readonly machine: number | undefined;
}

const middle = (sorted: readonly number[], share: number): number =>
  sorted[Math.round((sorted.length - 1) * share)] ?? 0;

/** The values that are drawn where they are; what is beyond is drawn at the edge. */
export function windowOf(values: readonly number[]): Span {
  const sorted = values.toSorted((a, b) => a - b);
  const median = middle(sorted, 0.5);
  const calm = Math.abs(median) * CALM;
  const usual = { from: middle(sorted, 0.25), to: middle(sorted, 0.75) };
  const reach = Math.max(usual.to - usual.from, calm / 2) * FAR_OUT;
  const { from, to } = spanWithoutFar(sorted, { usual, reach, least: { from: median - calm, to: median + calm } });
  const margin = (to - from) * MARGIN || 1;
  return { from: from - margin, to: to + margin };
}

/**
 * Every load of both builds in the order in which they were made, block by block: a ring is a load of the base, a
 * square one of the candidate, a line the median of a build. What drifts, jumps or lies far out is seen at once.
 */
export function LoadStrip(props: {
  readonly comparison: MetricComparison;
  readonly loads: readonly Placed[];
  readonly small?: boolean;
}): JSX.Element | undefined {
  const { comparison, small = false } = props;
  const { metric, unit } = comparison;
  const loads = props.loads.flatMap((run): readonly Load[] => {
    const value = figureOf(run.metrics, metric);
    if (value === undefined || !Number.isFinite(value) || run.build === undefined) return [];
    const { build, block = 0, order = 0, index, machine } = run;
    return [{ build, block, order, value, counts: run.ok && run.excluded === undefined, index, machine }];
  });
  if (loads.length === 0) return undefined;
  const window = windowOf(loads.map(({ value }) => value));
  const blocks = props.loads.map((run) => run.block ?? 0);
  const first = Math.min(...blocks);
  const count = Math.max(...blocks) - first + 1;
  const places = Math.max(4, ...props.loads.map((run) => (run.order ?? 0) + 1));
  const height = small ? HEIGHT.small : HEIGHT.large;
  const size = small ? MARK.small : MARK.large;
  const x = (load: Load): string => percent((load.block - first + (load.order + 0.5) / places) / count);
  const y = (value: number): number => pixels(size + 1 + (1 - place(value, window)) * (height - 2 * size - 2));
  const beyond = loads.filter(({ value }) => value < window.from || value > window.to);
  const spoken = `${formatCount(loads.length, 'load')} in ${formatCount(count, 'block')}: base median ${formatValue(comparison.base.median, unit)}, candidate median ${formatValue(comparison.candidate.median, unit)}`;
  const gone = [...new Set(blocks)].filter((block) =>
    props.loads.some((run) => run.block === block && run.excluded !== undefined),
  );
  const drawing = (
    <svg class={small ? 'loads small' : 'loads'} height={height} role="img" aria-label={spoken}>
      {small && <title>{spoken}</title>}
      {!small &&
        Array.from({ length: count }, (_, i) => i)
          .filter((i) => i % 2 === 1)
          .map((i) => <rect key={i} class="block-band" {...across(i, count)} height="100%" />)}
      {gone.map((block) => (
        <rect key={block} class="gone-band" {...across(block - first, count)} height="100%" />
      ))}
      {BUILDS.map((build) => {
        const { median } = comparison[build];
        return (
          median !== undefined && (
            <line key={build} class={`median of-${build}`} x1="0" x2="100%" y1={y(median)} y2={y(median)} />
          )
        );
      })}
      {loads.map((load) => (
        <Mark
          key={`${load.build} ${load.index}`}
          load={load}
          x={x(load)}
          y={y(load.value)}
          size={size}
          beyond={shareOf(load.value, window)}
        >
          {small
            ? undefined
            : `${load.build}, block ${load.block}${load.machine === undefined ? '' : `, machine ${load.machine}`}, load ${load.order + 1}: ${formatValue(load.value, unit)}${load.counts ? '' : ', does not count'}`}
        </Mark>
      ))}
    </svg>
  );
  if (small) return drawing;
  const farthest = beyond.toSorted((a, b) => b.value - a.value)[0];
  return (
    <figure class="strip">
      <div class="plot">
        <div class="axis" aria-hidden="true">
          <span>{formatValue(window.to, unit)}</span>
          <span>{formatValue(window.from, unit)}</span>
        </div>
        {drawing}
      </div>
      <figcaption>
        {orderInWords(props.loads, count)}
        {gone.length > 0 &&
          ` Tinted: ${formatCount(gone.length, 'block')} that ${gone.length === 1 ? 'does' : 'do'} not count.`}
        {farthest !== undefined &&
          ` ${formatCount(beyond.length, 'load is', 'loads are')} outside the chart, up to ${formatValue(farthest.value, unit)}.`}
      </figcaption>
    </figure>
  );
}

/** Of joined shards there is no one order in time; blocks that the result does not have are left empty. */
function orderInWords(loads: readonly Placed[], count: number): string {
  const machines = new Set(loads.map(({ machine }) => machine));
  const joined = !machines.has(undefined);
  const gaps = count > new Set(loads.map(({ block }) => block)).size;
  return [
    joined
      ? `Every load, block by block, one band per block${machines.size > 1 ? ' on one machine; the lines are medians over all machines' : ''}.`
      : 'Every load, in the order in which they were made, one band per block.',
    ...(gaps ? [`Empty bands are blocks that ${joined ? 'are missing' : 'other shards have'}.`] : []),
  ].join(' ');
}

function across(position: number, count: number): { readonly x: string; readonly width: string } {
  return { x: percent(position / count), width: percent(1 / count) };
}

/** Nested, so that a shape of fixed size stands at a place in percent. */
function Mark(props: {
  readonly load: Load;
  readonly x: string;
  readonly y: number;
  readonly size: number;
  /** Where the value lies in the drawing, 0 to 1; an arrow points to what lies outside. */
  readonly beyond: number;
  readonly children?: string | undefined;
}): JSX.Element {
  const { load, x, y, size, beyond, children } = props;
  const look = `load of-${load.build}${load.counts ? '' : ' out'}`;
  const title = children !== undefined && <title>{children}</title>;
  if (beyond > 1 || beyond < 0) {
    const sign = beyond > 1 ? -1 : 1;
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: it has one, or its drawing has
      <svg class={look} x={x} y={y} overflow="visible">
        <path d={`M0 ${sign * size}L${size} ${-sign * size}H${-size}z`} />
        {title}
      </svg>
    );
  }
  if (load.build === 'base') {
    return (
      <circle class={look} cx={x} cy={y} r={size}>
        {title}
      </circle>
    );
  }
  return (
    <rect
      class={look}
      x={x}
      y={y}
      width={2 * size - 1}
      height={2 * size - 1}
      transform={`translate(${0.5 - size} ${0.5 - size})`}
    >
      {title}
    </rect>
  );
}
