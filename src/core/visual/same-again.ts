import type { Picture } from '../../model/recording/picture.ts';
import { FNV_1A } from '../text/fnv-1a.ts';
import { GRID } from './grid.ts';

/** What each cell of the grid shows, as a number: the same picture draws the same pixels each time. */
export type CellPrints = Uint32Array;

export function cellPrints({ width, height, pixels }: Picture): CellPrints {
  const prints = new Uint32Array(GRID.columns * GRID.rows).fill(FNV_1A.start);
  const columns = Uint8Array.from({ length: width }, (_, x) => Math.floor((x * GRID.columns) / width));
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y * GRID.rows) / height) * GRID.columns;
    for (let x = 0; x < width; x += 1) {
      const cell = row + (columns[x] ?? 0);
      const at = (y * width + x) * 4;
      const color = ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
      prints[cell] = Math.imul((prints[cell] ?? 0) ^ color, FNV_1A.prime);
    }
  }
  return prints;
}

/**
 * Do all cells show the same, those that are left out aside?
 *
 * @param out a byte a cell: 1 is left out
 */
export function showsSame(a: CellPrints, b: CellPrints, out?: Uint8Array): boolean {
  return a.every((print, cell) => print === b[cell] || out?.[cell] === 1);
}

/** Do these cells show the same? */
export function showsSameIn(cells: ReadonlySet<number>, a: CellPrints, b: CellPrints): boolean {
  for (const cell of cells) if (a[cell] !== b[cell]) return false;
  return true;
}
