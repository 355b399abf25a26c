/** Width and height, pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture of the page's document as it stood there at the end. */
export interface RenderedPicture {
  readonly url: string;
  /** As it is in its file. */
  readonly natural: Size;
  /** As it is shown, in pixels of the screen. */
  readonly shown: Size;
}

/** A web font that the page's style sheets declare. */
export interface RenderedFont {
  /** Absent where the style sheet cannot be read, because it is of another origin. */
  readonly url?: string;
  readonly family: string;
  /** Its `font-display`: 'auto', 'block', 'swap' … */
  readonly display: string;
}

/** What of the page's pictures and fonts only its layout tells, read when watching ended. */
export interface Rendered {
  readonly pictures: readonly RenderedPicture[];
  readonly fonts: readonly RenderedFont[];
}
