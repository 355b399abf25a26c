import type { MinEffect, Scale } from '../../model/compare/comparison.ts';
import type { FigureUnit } from '../../model/units.ts';

/**
 * The smallest change of interest unless the user says otherwise: 5 %, the default of docs/internals/statistics.md, and never less
 * than 10 ms: below that are the timers and the scheduling of the browser itself, and nobody sees it. A paint, and page
 * complete with it, happens with a frame of the display (16.7 ms at 60 Hz), so that one is the least that can be seen of it.
 */
export const DEFAULT_MIN_EFFECT = { relative: 0.05, absolute: 10, paint: 17 } as const satisfies MinEffect;

/** What is no change whatever its share, in units other than time: a packet's worth of bytes, less than one request, the last digit of a layout shift or a rate that anybody prints. */
const FLOOR: Readonly<Record<Exclude<FigureUnit, 'ms'>, number>> = { bytes: 1024, count: 1, score: 0.01, '1/s': 0.1 };

/** The smallest effect of interest for one metric of one page. */
export interface EffectBounds {
  /** On the scale on which builds are compared (ln for ratios, the unit for shifts); the same upward and downward. */
  readonly limit: number;
  /** As it is reported: a share for ratios, in the unit for shifts. Up is positive (worse), down negative: −4.8 % mirrors 5 %. */
  readonly up: number;
  readonly down: number;
}

/** Of what the smallest effect of interest is asked. */
interface ComparedValues {
  readonly scale: Scale;
  readonly unit: FigureUnit;
  /** In the unit; above 0 for ratios. */
  readonly baseMedian: number;
  readonly isPaint?: boolean | undefined;
}

/**
 * The smallest effect of interest where the base's median is `baseMedian`: its share,
 * or the unit's floor where that is more. Downward it is mirrored as ratios are, so that swapping builds mirrors the
 * answer.
 */
export function effectBounds(
  { relative, absolute, paint = absolute }: MinEffect,
  { scale, unit, baseMedian, isPaint = false }: ComparedValues,
): EffectBounds {
  const floor = unit === 'ms' ? (isPaint ? paint : absolute) : FLOOR[unit];
  if (scale === 'shift') {
    const limit = Math.max(relative * Math.abs(baseMedian), floor);
    return { limit, up: limit, down: -limit };
  }
  const up = Math.max(relative, floor / baseMedian);
  return { limit: Math.log1p(up), up, down: 1 / (1 + up) - 1 };
}
