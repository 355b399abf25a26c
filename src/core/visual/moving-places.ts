import type { Area } from '../../model/recording/picture.ts';
import type { NumberPlace } from '../../model/recording/recording.ts';
import { HALF } from '../time/lags.ts';
import type { Mask } from './mask.ts';
import { SQUARE } from './moving-parts.ts';
import { withoutNumbers } from './outline.ts';

/** A place is looked at in so many tiles a side. */
const TILES = 4;

/**
 * What moves by itself, with a margin, and with it all of each canvas in which most parts move: what is drawn at random never
 * looks the same twice, and no film sees all that it may come to. So with a clock, whose hours no film sees change.
 *
 * @param moving the parts that were seen to move
 * @param places where the page shows canvases, vector pictures, films and endless animations
 * @param clocks where it shows numbers that count
 */
export function movingPlacesOf(moving: Mask, places: readonly Area[], clocks: readonly Area[] = []): Mask {
  const whole = [
    ...places.filter((place) => movesAllOver(moving, place)),
    ...clocks.filter((clock) => movesIn(moving, clock)),
  ];
  const { bits } = widened(moving);
  for (const place of whole) {
    const { left, right, top, bottom } = pixelsOf(place, moving);
    for (let y = top; y < bottom; y += 1) bits.fill(1, y * moving.width + left, y * moving.width + right);
  }
  return { ...moving, bits };
}

/** A film sees the turning points of what moves seldom: what is next to what was seen to move belongs to it, px. */
const MARGIN = 2 * SQUARE;

function widened({ width, height, bits }: Mask): Mask {
  const across = new Uint8Array(bits.length);
  for (let i = bits.indexOf(1); i >= 0; i = bits.indexOf(1, i + 1)) {
    const x = i % width;
    across.fill(1, i - Math.min(MARGIN, x), i + Math.min(MARGIN, width - 1 - x) + 1);
  }
  const wide = new Uint8Array(bits.length);
  for (let y = 0; y < height; y += 1) {
    const row = across.subarray(y * width, (y + 1) * width);
    if (!row.includes(1)) continue;
    for (let near = Math.max(0, y - MARGIN); near <= Math.min(height - 1, y + MARGIN); near += 1) {
      for (let x = row.indexOf(1); x >= 0; x = row.indexOf(1, x + 1)) wide[near * width + x] = 1;
    }
  }
  return { width, height, bits: wide };
}

/** Two readings of one text stand in the same place when they are no farther apart than this share of the viewport. */
const SAME_PLACE = 0.02;

/** The places of numbers that changed from one reading to the next, while the words around them stayed. */
export function clocksIn(numbers: readonly NumberPlace[], earlier: readonly NumberPlace[]): readonly Area[] {
  return numbers.filter(({ text, left, top }) =>
    earlier.some(
      (before) =>
        before.text !== text &&
        withoutNumbers(before.text) === withoutNumbers(text) &&
        Math.abs(before.left - left) < SAME_PLACE &&
        Math.abs(before.top - top) < SAME_PLACE,
    ),
  );
}

function movesAllOver(moving: Mask, { left, top, width, height }: Area): boolean {
  let tiles = 0;
  for (let row = 0; row < TILES; row += 1) {
    for (let column = 0; column < TILES; column += 1) {
      const tile = {
        left: left + (column * width) / TILES,
        top: top + (row * height) / TILES,
        width: width / TILES,
        height: height / TILES,
      };
      if (movesIn(moving, tile)) tiles += 1;
    }
  }
  // What moves in fewer of them stands in a place that is still, as a dot in a chart.
  return tiles >= HALF * TILES * TILES;
}

function movesIn(moving: Mask, area: Area): boolean {
  const { left, right, top, bottom } = pixelsOf(area, moving);
  for (let y = top; y < bottom; y += 1) {
    if (moving.bits.subarray(y * moving.width + left, y * moving.width + right).includes(1)) return true;
  }
  return false;
}

function pixelsOf({ left, top, width, height }: Area, mask: Mask) {
  return {
    left: Math.max(0, Math.floor(left * mask.width)),
    right: Math.min(mask.width, Math.ceil((left + width) * mask.width)),
    top: Math.max(0, Math.floor(top * mask.height)),
    bottom: Math.min(mask.height, Math.ceil((top + height) * mask.height)),
  };
}
