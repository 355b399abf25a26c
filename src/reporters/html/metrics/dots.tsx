import type { JSX } from 'preact';
import type { Dots as Shown } from '../../../report/parts.ts';
import { formatValue } from '../../../wording/text/format.ts';
import { pixels, place } from '../../scale.ts';

/** Each run as a dot; the strip spans at least ±10% of the median so that calm runs look calm. */
export function Dots({ summary, column, runs }: Shown): JSX.Element | undefined {
  const values = runs.flatMap((run) => {
    const value = run.metrics?.[column.name];
    return value === undefined || !Number.isFinite(value) ? [] : [{ run: run.index, value }];
  });
  const far = Math.max(0, ...values.map(({ value }) => Math.abs(value - summary.median)));
  const reach = Math.max(Math.abs(summary.median) * 0.1, far * 1.05) || 1;
  const axis = { from: summary.median - reach, to: summary.median + reach };
  const x = (value: number): number => pixels(7 + place(value, axis) * 156);
  const spoken = values.map(({ run, value }) => `run ${run} ${formatValue(value, column.unit)}`).join(', ');
  return (
    <svg class="dots" viewBox="0 0 170 26" role="img" aria-label={spoken}>
      <title>{spoken}</title>
      <line class="axis" x1="3" x2="167" y1="13" y2="13" />
      {summary.low !== undefined && summary.high !== undefined && (
        <line class="range" x1={x(summary.low)} x2={x(summary.high)} y1="13" y2="13" />
      )}
      <line class="median" x1={x(summary.median)} x2={x(summary.median)} y1="4" y2="22" />
      {values.map(({ run, value }) => (
        <circle key={run} cx={x(value)} cy="13" r="3.4">
          <title>{`Run ${run}: ${formatValue(value, column.unit)}`}</title>
        </circle>
      ))}
    </svg>
  );
}
