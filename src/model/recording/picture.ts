import type { Ms } from '../units.ts';

/** Decoded pixels, four bytes each (RGBA), row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** The PNG that it was decoded from, where that holds these pixels and nothing else: it need not be written again. */
  readonly png?: Uint8Array;
}

/** A decoded frame of a film. */
export interface DecodedFrame {
  readonly at: Ms;
  readonly picture: Picture;
}

/** A part of the viewport, as shares of its width and height, 0 to 1. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** One time at which what is seen changed. */
export interface VisualChange {
  readonly at: Ms;
  /** When the picture before it was drawn; undefined where it was not recorded. */
  readonly since?: Ms;
  /** Share of the viewport's pixels that changed, 0 to 1. */
  readonly share: number;
  /** Where: the numbers of the cells of a grid over the viewport in which something changed. */
  readonly cells?: ReadonlySet<number>;
  /**
   * How much of it had shown something before, 0 to 1: 0 where a place was empty, about a half where a text takes the place
   * of another. Undefined where it was not recorded.
   */
  readonly covered?: number;
  /**
   * The picture after it is one that was there before: when the first of the changes was that are undone with it. Undefined
   * where it is a new one, or it was not recorded.
   */
  readonly undoneFrom?: Ms;
  /** The places that it changed show what they had shown until then. Absent where they show something new, or it was not recorded. */
  readonly shownUntil?: Ms;
}
