import type { Mask } from './mask.ts';

/** Cells over the viewport in each direction: 20 px of the usual viewport, about a line of text. */
export const GRID = { columns: 64, rows: 36 } as const;

/** The mask in whole cells: those in which a part of it lies. */
export function inCells({ width, height, bits }: Mask): Mask {
  const cells = new Uint8Array(GRID.columns * GRID.rows);
  for (const [i, bit] of bits.entries()) {
    if (bit === 0) continue;
    const row = Math.floor((Math.floor(i / width) * GRID.rows) / height);
    cells[row * GRID.columns + Math.floor(((i % width) * GRID.columns) / width)] = 1;
  }
  return { width: GRID.columns, height: GRID.rows, bits: cells };
}

/** The cells in which a part of the mask lies. */
export function cellsIn(mask: Mask): ReadonlySet<number> {
  return new Set([...inCells(mask).bits.entries()].flatMap(([cell, bit]) => (bit === 1 ? cell : [])));
}

/** A mask of whole cells; undefined for a text that is none. */
export function maskFromText(text: string): Mask | undefined {
  if (text.length !== GRID.columns * GRID.rows) return undefined;
  return { width: GRID.columns, height: GRID.rows, bits: Uint8Array.from(text, (cell) => (cell === '1' ? 1 : 0)) };
}

/** Cells as a text like that of a mask. */
export function cellsToText(cells: ReadonlySet<number>): string {
  return Array.from({ length: GRID.columns * GRID.rows }, (_, i) => (cells.has(i) ? '1' : '0')).join('');
}
