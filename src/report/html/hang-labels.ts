/** A label that hangs below a vertical line, px. */
export interface HangingLabel {
  readonly at: number;
  readonly width: number;
}

/** Where it hangs: in which line of text below the drawing, and on which side of its line. */
export interface HangingPlace {
  readonly lane: number;
  readonly toLeft: boolean;
}

/**
 * Places for labels at the feet of vertical lines, in order of `at`, so that no two labels touch and lines run through
 * the labels of others only where there is no way around; on a drawing of that width and on any wider one.
 */
export function hangLabels(labels: readonly HangingLabel[], total: number): readonly HangingPlace[] {
  const spans: { at: number; from: number; to: number; toLeft: boolean; lane: number }[] = [];
  // From the right: a label goes to the left for want of room, or where it would meet one that did.
  for (const { at, width } of labels.toReversed()) {
    const meets = spans.some((other) => other.toLeft && other.at <= at + width && other.from < at);
    const toLeft = at - width > 0 && (at + width > total || meets);
    spans.unshift({ at, from: toLeft ? at - width : at, to: toLeft ? at : at + width, toLeft, lane: 0 });
  }
  // A label hangs lower than those whose lines it reaches across.
  const placed: (typeof spans)[number][] = [];
  for (const span of [...spans.filter(({ toLeft }) => !toLeft).reverse(), ...spans.filter(({ toLeft }) => toLeft)]) {
    const above = placed.filter((other) => other.from < span.to && other.to > span.from);
    span.lane = Math.max(0, ...above.map(({ lane }) => lane + 1));
    placed.push(span);
  }
  return spans.map(({ lane, toLeft }) => ({ lane, toLeft }));
}
