import type { Ms } from '../units.ts';

/** How a page draws the last of its content when its network is quiet, as an untimed load saw it: what timed loads learn. */
export interface Drawing {
  /** The film shows it so long after the network, ms: timed loads are filmed from their silence on. */
  readonly filmed?: Ms;
  /** It is what scripts change in the document until so long after the network, ms. Absent where the document does not tell. */
  readonly within?: Ms;
  /** Where the page moves by itself: a cell of the grid (`GRID` in core/visual/grid.ts) a character, 1 for those. */
  readonly moving?: string;
}
