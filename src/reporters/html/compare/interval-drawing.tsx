import type { JSX } from 'preact';
import type { MetricComparison } from '../../../model/compare/comparison.ts';
import { changeInterval, changeText, minEffectText, reachOf, toneOf } from '../../../report/comparison.ts';
import { directionsOf, estimateOf } from '../../../wording/compare/comparison.ts';
import { formatChosenShare, formatValue } from '../../../wording/text/format.ts';
import { percent, place } from '../../scale.ts';

/** Smallest effects of interest that a drawing reaches to either side at most; an end further out is an arrow. */
const FAR = 12;

/** From here on the band is too narrow for labels below both its ends and its middle, in smallest effects of interest. */
const CROWDED = 3.5;

const HEIGHT = { large: 62, small: 26 } as const;

/**
 * The interval of a change against the smallest effect of interest: the band is what does not matter, the line no change
 * at all, the bar the interval with the estimate on it, an arrow an end that is further out or not bounded.
 */
export function IntervalDrawing(props: {
  readonly comparison: MetricComparison;
  readonly small?: boolean;
}): JSX.Element | undefined {
  const { comparison, small = false } = props;
  const { difference, unit } = comparison;
  if (difference === undefined) return undefined;
  const { low, high, minEffect } = difference;
  const up = Math.abs(minEffect.up);
  const down = -Math.abs(minEffect.down);
  const reach = reachOf([difference], FAR);
  const narrow = reach > CROWDED;
  const end = reach * Math.max(up, -down);
  const at = (value: number): number => (end > 0 ? place(value, { from: -end, to: end }) : 0.5);
  const openLow = low === undefined || low < -end;
  const openHigh = high === undefined || high > end;
  const from = openLow ? 0 : at(low);
  const to = openHigh ? 1 : at(high);
  const estimate = estimateOf(difference);
  const y = small ? 13 : 22;
  const { better, worse } = directionsOf(comparison);
  const tick = (value: number): string =>
    comparison.scale === 'ratio'
      ? `${value > 0 ? '+' : ''}${formatChosenShare(value)}`
      : `${value > 0 ? '+' : ''}${formatValue(value, unit)}`;
  const spoken = `Change ${changeText(comparison)}, interval ${changeInterval(comparison)}, smallest change that matters ${minEffectText(comparison)}`;
  return (
    <svg
      class={`interval ${toneOf(comparison)}${small ? ' small' : ''}`}
      height={small ? HEIGHT.small : HEIGHT.large}
      role="img"
      aria-label={spoken}
    >
      <title>{spoken}</title>
      <rect
        class="band"
        x={percent(at(down))}
        width={percent(at(up) - at(down))}
        y={small ? 3 : 4}
        height={small ? 20 : 36}
      />
      <line class="zero" x1="50%" x2="50%" y1={small ? 1 : 0} y2={small ? 25 : 44} />
      <rect
        class="bar"
        x={percent(from)}
        width={percent(to - from)}
        y={y - 4}
        height="8"
        rx={openLow || openHigh ? 0 : 4}
      />
      {openLow && <Arrow x="0%" y={y} to="left" />}
      {openHigh && <Arrow x="100%" y={y} to="right" />}
      {Math.abs(estimate) <= end && <circle class="estimate" cx={percent(at(estimate))} cy={y} r={small ? 4 : 6} />}
      {!small && (
        <g class="ticks">
          <text x="0" y="57">
            {`← ${better}`}
          </text>
          <text x="100%" y="57" text-anchor="end">
            {`${worse} →`}
          </text>
          <text x={percent(at(down))} y="57" text-anchor={narrow ? 'end' : 'middle'}>
            {tick(down)}
          </text>
          {!narrow && (
            <text x="50%" y="57" text-anchor="middle">
              0
            </text>
          )}
          <text x={percent(at(up))} y="57" text-anchor={narrow ? 'start' : 'middle'}>
            {tick(up)}
          </text>
        </g>
      )}
    </svg>
  );
}

/** An end that lies further out; nested so that it keeps its shape at a place in percent. */
function Arrow({ x, y, to }: { readonly x: string; readonly y: number; readonly to: 'left' | 'right' }): JSX.Element {
  return (
    <svg class="arrow" x={x} y={y} overflow="visible" aria-hidden="true">
      <path d={to === 'left' ? 'M-3 0l11-9v18z' : 'M3 0l-11-9v18z'} />
    </svg>
  );
}
