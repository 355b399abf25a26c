/** How a page draws when its network is quiet, as an untimed run saw it. */
export interface Drawing {
  /** It drew content noticeably later than its network and its paints tell: timed runs film it from then on. */
  readonly late: boolean;
  /** The parts that move by themselves: a cell of the grid (`GRID` in core/visual/grid.ts) a character, 1 for those. */
  readonly moving?: string;
}
