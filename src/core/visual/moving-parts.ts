import type { Ms } from '../../model/units.ts';
import type { Span } from '../../model/verdict.ts';
import type { Step } from './changes.ts';
import type { Mask } from './mask.ts';

/** Movement is looked for in squares of so many px, and each takes its neighbours along: what moves has soft edges. */
const SQUARE = 4;

/**
 * A part that moves by itself changes in quiet spans as often as at other times. Half as often leaves room for chance;
 * what answers to something that came and then fades for a second stays below. Share of the rate, 0 to 1.
 */
const AS_OFTEN = 0.5;

/**
 * How often a part must have been seen to change in quiet spans, and how far apart, ms: more than once, and more than a
 * single fade of a second shows. What appears once by a timer does not move; text that is typed out letter by letter
 * changes each place once, and to leave out only the letters that fall into quiet spans would leave those for which
 * something else is then blamed.
 */
const SEEN_TO_MOVE = { times: 3, apart: 700 } as const;

/**
 * What has been still at the end of the film for so long, ms, and twice as long as between any two of its changes before, has
 * come to its end: it was drawn, and does not move.
 */
const STOPPED = { still: 3_000, pauses: 2 } as const;

/**
 * The pixels that change again and again although nothing has come that could have changed them: an animation, a
 * carousel, a clock, in the steps of a film that ends at `until`. Undefined when there are none. `quietSpans` are the
 * stretches in which nothing came, in order; a part that changes mostly outside them is no moving part, even if it did
 * change within.
 */
export function movingPartsOf(steps: readonly Step[], until: Ms, quietSpans: readonly Span[]): Mask | undefined {
  const spans = quietSpans.map(({ from, to }) => ({ from, to: Math.max(from, to ?? until) }));
  const from = spans[0]?.from;
  if (from === undefined) return undefined;
  const quietTime = spans.reduce((sum, span) => sum + span.to - span.from, 0);
  const otherTime = Math.max(until, spans.at(-1)?.to ?? 0) - from - quietTime;
  const watched = steps.filter((step) => step.at >= from);
  const width = Math.max(0, ...watched.map(({ difference }) => difference.viewWidth));
  const height = Math.max(0, ...watched.map(({ difference }) => difference.viewHeight));
  const columns = Math.ceil(width / SQUARE);
  const rows = Math.ceil(height / SQUARE);
  const quiet = new Uint32Array(columns * rows);
  const other = new Uint32Array(columns * rows);
  const occasions = new Uint32Array(columns * rows);
  const lastOccasion = new Float64Array(columns * rows).fill(Number.NEGATIVE_INFINITY);
  const lastChange = new Float64Array(columns * rows);
  const longestPause = new Float64Array(columns * rows);
  for (const step of watched) {
    const isQuiet = spans.some((span) => step.at >= span.from && step.at < span.to);
    for (const square of squaresOf(step, columns)) {
      const counts = isQuiet ? quiet : other;
      counts[square] = (counts[square] ?? 0) + 1;
      const since = lastChange[square] ?? 0;
      if (since > 0) longestPause[square] = Math.max(longestPause[square] ?? 0, step.at - since);
      lastChange[square] = step.at;
      if (!isQuiet || step.at - (lastOccasion[square] ?? 0) < SEEN_TO_MOVE.apart) continue;
      lastOccasion[square] = step.at;
      occasions[square] = (occasions[square] ?? 0) + 1;
    }
  }
  const moves = (square: number): boolean => {
    if ((occasions[square] ?? 0) < SEEN_TO_MOVE.times) return false;
    const still = until - (lastChange[square] ?? 0);
    if (still >= Math.max(STOPPED.still, STOPPED.pauses * (longestPause[square] ?? 0))) return false;
    return (quiet[square] ?? 0) * otherTime >= AS_OFTEN * (other[square] ?? 0) * quietTime;
  };
  const bits = new Uint8Array(width * height);
  let found = false;
  for (let square = 0; square < quiet.length; square += 1) {
    if (!moves(square)) continue;
    found = true;
    fillAround(bits, width, height, (square % columns) * SQUARE, Math.floor(square / columns) * SQUARE);
  }
  return found ? { width, height, bits } : undefined;
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
