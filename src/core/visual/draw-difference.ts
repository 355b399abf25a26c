import type { Picture } from '../../model/recording/picture.ts';
import type { Difference } from './difference.ts';
import { leftOut, type Mask } from './mask.ts';

/** How much of the picture's colour is left where nothing differs, 0 to 1. */
const PALE = 0.25;
const DIFFERENT = [214, 31, 44] as const;
const NOT_COMPARED = [190, 196, 205] as const;

/** The second picture pale, with red where it differs and grey where nothing was compared. */
export function drawDifference(a: Picture, b: Picture, difference: Difference, ignore: Mask | undefined): Picture {
  const { viewWidth: width, viewHeight: height } = difference;
  const pixels = new Uint8Array(width * height * 4);
  const isOut = leftOut(ignore, width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      const inA = x < a.width && y < a.height;
      const inB = x < b.width && y < b.height;
      const color = isOut(x, y)
        ? NOT_COMPARED
        : inA !== inB || differsAt(difference, x, y)
          ? DIFFERENT
          : inB
            ? pale(b, (y * b.width + x) * 4)
            : NOT_COMPARED;
      pixels[at] = color[0];
      pixels[at + 1] = color[1];
      pixels[at + 2] = color[2];
      pixels[at + 3] = 255;
    }
  }
  return { width, height, pixels };
}

function differsAt({ left, top, width, height, changed }: Difference, x: number, y: number): boolean {
  const [column, row] = [x - left, y - top];
  return column >= 0 && row >= 0 && column < width && row < height && changed[row * width + column] === 1;
}

function pale({ pixels }: Picture, at: number): readonly [number, number, number] {
  // Without colour, so that nothing in a red picture is taken for a difference.
  const light = 0.299 * (pixels[at] ?? 0) + 0.587 * (pixels[at + 1] ?? 0) + 0.114 * (pixels[at + 2] ?? 0);
  const value = Math.round(255 + (light - 255) * PALE);
  return [value, value, value];
}
