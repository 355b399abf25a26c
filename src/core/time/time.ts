import type { Ms } from '../../model/units.ts';

/** Chrome's clocks tick in microseconds; what floating point adds to that is noise in every file that is written. */
export function toMicroseconds(ms: number): Ms {
  return Math.round(ms * 1000) / 1000;
}
