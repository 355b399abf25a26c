import type { Picture } from '../../model/recording/picture.ts';

/** A smaller copy, each pixel the average of those it stands for; the picture itself when it is small enough. */
export function shrink(picture: Picture, maxWidth: number): Picture {
  const width = Math.max(1, Math.floor(maxWidth));
  if (picture.width <= width) return picture;
  const height = Math.max(1, Math.round((picture.height * width) / picture.width));
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = boxOf(y, height, picture.height);
    for (let x = 0; x < width; x += 1) {
      const [left, right] = boxOf(x, width, picture.width);
      writeAverage(picture, { left, right, top, bottom }, pixels, (y * width + x) * 4);
    }
  }
  return { width, height, pixels };
}

/** Which of `size` pixels the one at `index` of `count` stands for: from the first up to, not including, the second. */
function boxOf(index: number, count: number, size: number): readonly [number, number] {
  const from = Math.min(size - 1, Math.floor((index * size) / count));
  return [from, Math.max(from + 1, Math.floor(((index + 1) * size) / count))];
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function writeAverage(picture: Picture, { left, right, top, bottom }: Box, target: Uint8Array, at: number): void {
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let i = (y * picture.width + left) * 4, end = (y * picture.width + right) * 4; i < end; i += 4) {
      red += picture.pixels[i] ?? 0;
      green += picture.pixels[i + 1] ?? 0;
      blue += picture.pixels[i + 2] ?? 0;
      alpha += picture.pixels[i + 3] ?? 0;
    }
  }
  const count = (right - left) * (bottom - top);
  target[at] = Math.round(red / count);
  target[at + 1] = Math.round(green / count);
  target[at + 2] = Math.round(blue / count);
  target[at + 3] = Math.round(alpha / count);
}
