import type { Picture } from '../../model/recording/picture.ts';

/** How much a channel may differ in a picture of one colour, of 255: what is encoded may round. */
const ROUNDING = 2;

/** Does a picture show one colour and nothing else? */
export function isEmpty({ pixels }: Picture): boolean {
  for (let i = 4; i < pixels.length; i += 1) {
    if (Math.abs((pixels[i] ?? 0) - (pixels[i % 4] ?? 0)) > ROUNDING) return false;
  }
  return true;
}
