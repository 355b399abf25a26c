import type { PhaseName, Waterfall } from '../../../model/result/report.ts';
import type { Ms } from '../../../model/units.ts';
import type { Span } from '../../scale.ts';

/** Phases in the order of an exchange; a bar's class is `p` + the position here. */
export const PHASES: readonly PhaseName[] = ['queue', 'stall', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'];

/** A time axis from navigation start. */
export interface Axis {
  /** Its end, ms. */
  readonly span: Ms;
  /** The end of a closer look at the load itself, where that is worth having. */
  readonly near?: Ms;
}

/** The part of the axis that is looked at, and how many pixels wide it is. */
export interface Look extends Span {
  readonly width: number;
}

/** The axis that holds all of some waterfalls, so that they can be compared at a glance. */
export function axisOf(...waterfalls: readonly Waterfall[]): Axis {
  let span = 1;
  let load = 0;
  for (const waterfall of waterfalls) {
    span = Math.max(span, waterfall.observedUntil);
    for (const row of waterfall.rows) span = Math.max(span, row.endsAt);
    for (const milestone of waterfall.milestones) load = Math.max(load, milestone.at);
  }
  span = Math.max(span, load);
  const near = load * 1.3;
  return near > 0 && near < span * 0.6 ? { span, near } : { span };
}

/** Room for words beside a bar. */
export interface Room {
  readonly at: Ms;
  readonly before: boolean;
  /** Letters that fit. */
  readonly letters: number;
}

/**
 * The wider of the two sides of a bar that is in sight, on an axis `width` pixels wide; nothing where neither has room.
 */
export function labelRoom(
  row: { readonly startedAt: Ms; readonly endsAt: Ms },
  { from, to }: Span,
  width: number,
): Room | undefined {
  if (row.startedAt >= to || row.endsAt <= from) return undefined;
  const left = Math.max(0, row.startedAt - from);
  const right = Math.max(0, to - row.endsAt);
  const before = left > right;
  // A letter of the small face takes about six pixels.
  const letters = Math.floor(((Math.max(left, right) / (to - from)) * width - 20) / 6);
  return letters < 16 ? undefined : { at: before ? row.startedAt : row.endsAt, before, letters };
}

/** A place for the label of a vertical line: which line of text it stands on, and to which side of its mark. */
export interface LabelPlace {
  readonly lane: number;
  readonly toLeft: boolean;
}

/**
 * Places for labels beside vertical lines so that none covers another: a label that would touch an earlier one goes a
 * line lower. `at` and `width` are pixels, `at` ascending.
 */
export function placeLabels(
  labels: readonly { readonly at: number; readonly width: number }[],
  total: number,
): readonly LabelPlace[] {
  const placed: { from: number; to: number; lane: number }[] = [];
  const taken = (lane: number, at: number, from: number, to: number): boolean =>
    placed.some(
      (other) =>
        (other.lane === lane && from < other.to && to > other.from) ||
        // The line goes down from its label, through the labels that stand lower.
        (other.lane > lane && at > other.from && at < other.to),
    );
  const wanted = labels.map(({ at, width }, index) => {
    const toLeft = at + width > total && at - width > 0;
    return { index, at, toLeft, from: toLeft ? at - width : at, to: toLeft ? at : at + width };
  });
  // Labels to the left of their lines come first, from the right: so they stand above the lines of the others.
  const order = [...wanted.filter((label) => label.toLeft).reverse(), ...wanted.filter((label) => !label.toLeft)];
  const places: LabelPlace[] = [];
  for (const { index, at, toLeft, from, to } of order) {
    let lane = 0;
    while (taken(lane, at, from, to)) lane++;
    placed.push({ from, to, lane });
    places[index] = { lane, toLeft };
  }
  return places;
}
