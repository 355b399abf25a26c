import type { Ms } from '../units.ts';

/** How a page draws when its network is quiet, as an untimed run saw it. */
export interface Drawing {
  /** It drew content noticeably later than its network and its paints tell, or may: timed runs film it from then on. */
  readonly late: boolean;
  /** How long after its network, ms; absent where nothing was drawn so late. */
  readonly after?: Ms;
  /**
   * It draws its last response at once: what scripts change in the document until so long after the network, ms, is the
   * drawing of that. Absent where that was not seen, or the document changes all the time.
   */
  readonly within?: Ms;
  /** The document goes on changing: it cannot tell when the last response was drawn. */
  readonly restless?: true;
  /** Paths of the elements that go on changing: a clock, figures that are updated. They are no part of it. */
  readonly ticking?: readonly string[];
  /** The parts that move by themselves: a cell of the grid (`GRID` in core/visual/grid.ts) a character, 1 for those. */
  readonly moving?: string;
  /** Those with a margin, and all of the canvases in which most parts move and of clocks; absent where there are none. */
  readonly movingPlaces?: string;
}
