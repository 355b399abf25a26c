import type { Area, VisualChange } from '../../model/recording/picture.ts';
import type { Ms } from '../../model/units.ts';
import { firstAfter } from '../time/first-after.ts';
import { DRAWN_WITHIN_MS } from '../time/lags.ts';
import { GRID } from './grid.ts';

/** Who changed something: arrivals of suspects, and whether others did. */
export interface Owners {
  /** Suspects by number, and which arrival of theirs. */
  readonly by: readonly { readonly suspect: number; readonly arrival: Ms }[];
  /** The page's own code did, or what came beside the suspects. */
  readonly others: boolean;
}

/** A frame that the page drew because something had changed. */
export interface DrawnFrame extends Owners {
  readonly at: Ms;
  /** Somebody did of whom nothing is known. */
  readonly unclear: boolean;
}

/** What the browser tells of whose changes the page drew. */
export interface FrameOwners {
  /** In order of time. */
  readonly frames: readonly DrawnFrame[];
  /** When something came that may be drawn without code: a picture, a font. In order of time. */
  readonly silent: readonly Ms[];
}

/** Whose a change of the picture is; undefined where the browser does not tell. */
export type OwnersOf = (change: VisualChange) => Owners | undefined;

/**
 * Whose the changes of a film are, by the page's frames that they show. What is drawn without a change of the document is in
 * none of them: on canvases, and by pictures that come.
 */
export function ownersIn({ frames, silent }: FrameOwners, canvases: readonly Area[]): OwnersOf {
  const drawnOn = cellsOf(canvases);
  const times = frames.map(({ at }) => at);
  return ({ at, since, cells }) => {
    if (since === undefined) return undefined;
    const shown = frames.slice(firstAfter(times, since), firstAfter(times, at));
    if (shown.length === 0 || shown.some(({ unclear }) => unclear)) return undefined;
    const came = silent[firstAfter(silent, at) - 1];
    if (came !== undefined && at - came <= DRAWN_WITHIN_MS) return undefined;
    if (cells && [...cells].some((cell) => drawnOn.has(cell))) return undefined;
    return { by: shown.flatMap(({ by }) => by), others: shown.some(({ others }) => others) };
  };
}

function cellsOf(areas: readonly Area[]): ReadonlySet<number> {
  const cells = new Set<number>();
  for (const { left, top, width, height } of areas) {
    const right = Math.min(GRID.columns, Math.ceil((left + width) * GRID.columns));
    const bottom = Math.min(GRID.rows, Math.ceil((top + height) * GRID.rows));
    for (let row = Math.max(0, Math.floor(top * GRID.rows)); row < bottom; row += 1) {
      for (let column = Math.max(0, Math.floor(left * GRID.columns)); column < right; column += 1) {
        cells.add(row * GRID.columns + column);
      }
    }
  }
  return cells;
}
