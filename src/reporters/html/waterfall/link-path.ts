import type { Ms } from '../../../model/units.ts';
import type { Look } from './geometry.ts';

/** A bar as arrows see it: the middle of its line, px, and its times. */
export interface LinkEnd {
  readonly y: number;
  readonly startedAt: Ms;
  readonly endsAt: Ms;
}

/** Of an arrow's head, px. */
const HEAD = 4;
/** Half the height of a bar, px. */
const HALF = 6;

/**
 * The path of an arrow, in pixels, from the bar of what asked to the start of what it requested: down (or up) at the
 * moment of asking, or where the first bar ends, then along to the start.
 */
export function linkPath(from: LinkEnd, to: LinkEnd, look: Look): string {
  const x = (at: Ms): number => Math.round(((at - look.from) / (look.to - look.from)) * look.width * 10) / 10;
  const end = x(to.startedAt);
  const leave = x(Math.max(from.startedAt, Math.min(from.endsAt, to.startedAt)));
  const down = to.y > from.y ? 1 : -1;
  if (end - leave < HEAD + 2) {
    const tip = to.y - down * HALF;
    return `M${end} ${from.y}V${tip}M${end - HEAD} ${tip - down * HEAD}L${end} ${tip}L${end + HEAD} ${tip - down * HEAD}`;
  }
  return `M${leave} ${from.y}V${to.y}H${end}M${end - HEAD} ${to.y - HEAD}L${end} ${to.y}L${end - HEAD} ${to.y + HEAD}`;
}
