/** Pixels that do not count, one byte each, row by row: 1 is left out. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly bits: Uint8Array;
}

/**
 * A test of one pixel of a picture of the given size. A mask of another size is laid over it scaled, so that one made
 * from a small film fits the full-size last picture.
 */
export function leftOut(mask: Mask | undefined, width: number, height: number): (x: number, y: number) => boolean {
  if (!mask) return () => false;
  const { bits } = mask;
  if (mask.width === width && mask.height === height) return (x, y) => bits[y * width + x] === 1;
  return (x, y) => {
    const column = Math.floor((x * mask.width) / width);
    const row = Math.floor((y * mask.height) / height);
    return bits[row * mask.width + column] === 1;
  };
}
