import type { Ms } from '../../../model/units.ts';
import { place } from '../../scale.ts';

/** Where the load ends on an axis that goes on to a much later end of watching, as a share of it. */
const BREAK = 0.84;
/** The load takes this much more than itself, so that what ends it does not stand at the edge. */
const MARGIN = 1.08;
/** From here on, in loads, the time after a load would press it into too small a part of the axis. */
const MUCH_LATER = 1.6;

/** The time axis of a film: to scale as far as the load goes, and what comes much later pressed together at the end. */
export interface FilmAxis {
  /** As far as it is to scale. */
  readonly near: Ms;
  /** Its end; the same when all of it is to scale. */
  readonly span: Ms;
}

/** The axis of a film whose load took until `load` and that was watched until `end`. */
export function filmAxis(load: Ms, end: Ms): FilmAxis {
  const until = finite(end);
  const near = Math.max(1, load > 0 ? finite(load) * MARGIN : until);
  if (until > near * MUCH_LATER) return { near, span: until };
  const span = Math.max(near, until);
  return { near: span, span };
}

/** Where a moment stands, as a share of the axis. */
export function placeOn({ near, span }: FilmAxis, at: Ms): number {
  const load = place(finite(at), { from: 0, to: near });
  if (near >= span) return load;
  return load * BREAK + place(finite(at), { from: near, to: span }) * (1 - BREAK);
}

/** Stored results can hold anything. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
