import { PNG } from 'pngjs';

/** Size of the small copies that a report holds, pixels. */
const WIDTH = 480;
const HEIGHT = 300;

type Colour = readonly [red: number, green: number, blue: number];
type Box = readonly [x: number, y: number, width: number, height: number, colour: Colour];

const INK: Colour = [43, 50, 58];
const GREY: Colour = [214, 217, 221];
const PALE: Colour = [240, 240, 238];
const GREEN: Colour = [24, 122, 98];

/** A PNG of boxes on a ground, as a `data:` URL. */
export function drawn(boxes: readonly Box[], ground: Colour = [255, 255, 255], width = WIDTH, height = HEIGHT): string {
  const image = new PNG({ width, height });
  for (const [left, top, wide, tall, [red, green, blue]] of [[0, 0, width, height, ground] as Box, ...boxes]) {
    for (let y = top; y < Math.min(top + tall, height); y++) {
      for (let x = left; x < Math.min(left + wide, width); x++) {
        image.data.set([red, green, blue, 255], (y * width + x) * 4);
      }
    }
  }
  return `data:image/png;base64,${PNG.sync.write(image).toString('base64')}`;
}

const HEADER: readonly Box[] = [
  [0, 0, WIDTH, 34, INK],
  [16, 11, 70, 12, [255, 255, 255]],
  [300, 12, 44, 10, GREY],
  [356, 12, 44, 10, GREY],
  [424, 10, 40, 14, GREEN],
];
const HERO: readonly Box[] = [
  [16, 48, 210, 150, [188, 204, 190]],
  [60, 84, 120, 78, [112, 138, 116]],
  [246, 54, 170, 18, INK],
  [246, 84, 200, 8, GREY],
  [246, 98, 190, 8, GREY],
  [246, 112, 204, 8, GREY],
  [246, 138, 66, 16, INK],
  [246, 166, 110, 26, GREEN],
];
const SHELF: readonly Box[] = [0, 1, 2, 3].flatMap((i): readonly Box[] => [
  [16 + i * 114, 214, 102, 60, [196 - i * 18, 186, 172 + i * 16]],
  [16 + i * 114, 280, 70, 7, GREY],
]);
const STOCK: Box = [330, 138, 84, 16, PALE];

/** The pictures of the example's evidence, by the file that each is a copy of. */
export const PICTURES: Readonly<Record<string, string>> = {
  'evidence/00-blank.png': drawn([]),
  'evidence/01-first-paint.png': drawn(HEADER, [250, 250, 249]),
  'evidence/01b-hero.png': drawn([...HEADER, ...HERO]),
  'evidence/02-page-complete.png': drawn([...HEADER, ...HERO, ...SHELF, STOCK]),
  'evidence/03-after-events.png': drawn([...HEADER, ...HERO, ...SHELF, [330, 138, 84, 16, GREEN]]),
  'evidence/04-end.png': drawn([...HEADER, ...HERO, ...SHELF, [330, 138, 84, 16, GREEN]]),
  'evidence/ablation.png': drawn([...HEADER, ...HERO, ...SHELF, [330, 138, 84, 16, GREEN]]),
  'evidence/difference.png': drawn(
    [...HEADER, ...HERO, ...SHELF].map(([x, y, w, h]) => [x, y, w, h, PALE] as const),
    [248, 248, 247],
  ),
};
