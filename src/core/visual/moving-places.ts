import type { Area } from '../../model/picture.ts';
import type { Mask } from './mask.ts';

/** A place is looked at in so many tiles a side. */
const TILES = 4;
/** What moves in fewer of them than this share stands in a place that is still, as a dot in a chart. */
const MOST = 0.5;

/**
 * What moves by itself, and with it all of each canvas in which most parts move: what is drawn at random never looks the
 * same twice, and no film sees all that it may come to. Undefined where there is no such place.
 *
 * @param moving the parts that were seen to move
 * @param places where the page shows canvases, vector pictures and films
 */
export function movingPlacesOf(moving: Mask | undefined, places: readonly Area[]): Mask | undefined {
  if (!moving) return undefined;
  const whole = places.filter((place) => movesAllOver(moving, place));
  if (whole.length === 0) return undefined;
  const bits = Uint8Array.from(moving.bits);
  for (const place of whole) {
    const { left, right, top, bottom } = pixelsOf(place, moving);
    for (let y = top; y < bottom; y += 1) bits.fill(1, y * moving.width + left, y * moving.width + right);
  }
  return { ...moving, bits };
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
  return tiles >= MOST * TILES * TILES;
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
