import type { Span } from '../../model/background/verdict.ts';
import type { Ms } from '../../model/units.ts';
import { HABIT, HALF, LONGEST_PAUSE_MS, PATIENCE, USUAL_WINDOW_MS } from '../time/lags.ts';
import type { Step } from './changes.ts';
import type { Mask } from './mask.ts';

/** Movement is looked for in squares of so many px, and each takes its neighbours along: what moves has soft edges. */
export const SQUARE = 4;

/**
 * The pixels that change again and again although nothing has come that could have changed them: an animation, a
 * carousel, a clock, in the steps of a film that ends at `until`. Undefined when there are none. `quietSpans` are the
 * stretches in which nothing came, in order; a part that changes mostly outside them is no moving part, even if it did
 * change within.
 */
export function movingPartsOf(steps: readonly Step[], until: Ms, quietSpans: readonly Span[]): Mask | undefined {
  const width = Math.max(0, ...steps.map(({ difference }) => difference.viewWidth));
  const height = Math.max(0, ...steps.map(({ difference }) => difference.viewHeight));
  const columns = Math.ceil(width / SQUARE);
  const squares = movingSquares(steps, columns, columns * Math.ceil(height / SQUARE), until, quietSpans);
  if (squares.length === 0) return undefined;
  const bits = new Uint8Array(width * height);
  for (const square of squares) {
    fillAround(bits, width, height, (square % columns) * SQUARE, Math.floor(square / columns) * SQUARE);
  }
  return { width, height, bits };
}

/** The squares, of so many, that change again and again in quiet spans. */
function movingSquares(
  steps: readonly Step[],
  columns: number,
  all: number,
  until: Ms,
  quietSpans: readonly Span[],
): readonly number[] {
  const spans = quietSpans.map(({ from, to }) => ({ from, to: Math.max(from, to ?? until) }));
  const from = spans[0]?.from;
  if (from === undefined) return [];
  const quietTime = spans.reduce((sum, span) => sum + span.to - span.from, 0);
  const otherTime = Math.max(until, spans.at(-1)?.to ?? 0) - from - quietTime;
  const quiet = new Uint32Array(all);
  const other = new Uint32Array(all);
  const occasions = new Uint32Array(all);
  const lastOccasion = new Float64Array(all).fill(Number.NEGATIVE_INFINITY);
  const lastChange = new Float64Array(all);
  const longestPause = new Float64Array(all);
  for (const step of steps) {
    const { at } = step;
    if (at < from) continue;
    const isQuiet = spans.some((span) => at >= span.from && at < span.to);
    for (const place of squaresOf(step, columns)) {
      const counts = isQuiet ? quiet : other;
      counts[place] = (counts[place] ?? 0) + 1;
      const since = lastChange[place] ?? 0;
      if (since > 0) longestPause[place] = Math.max(longestPause[place] ?? 0, at - since);
      lastChange[place] = at;
      if (!isQuiet || at - (lastOccasion[place] ?? 0) < LONGEST_PAUSE_MS) continue;
      lastOccasion[place] = at;
      occasions[place] = (occasions[place] ?? 0) + 1;
    }
  }
  const moves = (place: number): boolean => {
    // What appears once by a timer, or fades, does not move.
    if ((occasions[place] ?? 0) < HABIT) return false;
    const still = until - (lastChange[place] ?? 0);
    // What has been still for a window, and for longer than between its changes before, was drawn.
    if (still >= Math.max(USUAL_WINDOW_MS, PATIENCE.factor * (longestPause[place] ?? 0))) return false;
    // What moves by itself changes in quiet spans as often as at other times. Half as often leaves room for chance; what answers
    // to something that came and then fades for a second stays below.
    return (quiet[place] ?? 0) * otherTime >= HALF * (other[place] ?? 0) * quietTime;
  };
  return Array.from({ length: all }, (_, place) => place).filter(moves);
}

/** The squares that a step changes, each once. */
function squaresOf({ difference }: Step, columns: number): ReadonlySet<number> {
  const { left, top, width, changed } = difference;
  const squares = new Set<number>();
  for (let i = changed.indexOf(1); i >= 0; i = changed.indexOf(1, i + 1)) {
    const x = left + (i % width);
    const y = top + Math.floor(i / width);
    squares.add(Math.floor(y / SQUARE) * columns + Math.floor(x / SQUARE));
  }
  return squares;
}

function fillAround(bits: Uint8Array, width: number, height: number, left: number, top: number): void {
  const from = Math.max(0, left - SQUARE);
  const to = Math.min(width, left + 2 * SQUARE);
  for (let y = Math.max(0, top - SQUARE); y < Math.min(height, top + 2 * SQUARE); y += 1) {
    bits.fill(1, y * width + from, y * width + to);
  }
}
