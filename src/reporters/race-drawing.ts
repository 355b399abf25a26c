import type { Build, PerBuild } from '../model/compare/build.ts';
import type { Ms } from '../model/units.ts';
import { formatValue } from '../wording/text/format.ts';
import type { Race, RaceLane } from './race.ts';

/** The small copy of a frame, as a `data:` URL, with its size. */
export interface RacePicture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** Space around and between the lanes, and what stands above and below their pictures, px. */
const GAP = 12;
const HEAD = 34;
const FOOT = 26;

const INK = '#1c2024';
const LINE = '#d5d2ca';
const COLOURS: PerBuild<string> = { base: '#59616a', candidate: '#1d5fb0' };
const NAMES: PerBuild<string> = { base: 'Base', candidate: 'Candidate' };

/** How the race looks at a time, as an SVG of this size. Text is drawn in strokes: no font may be there. */
export function drawRace(
  race: Race,
  at: Ms,
  pictureOf: (build: Build, file: string) => RacePicture | undefined,
  laneWidth: number,
): string {
  const tallest = Math.max(
    ...race.lanes.map(({ build, frames }) => heightOf(pictureOf(build, frames.at(-1)?.file ?? ''), laneWidth)),
  );
  const [width, height] = [2 * laneWidth + 3 * GAP, HEAD + tallest + FOOT];
  const lanes = race.lanes.map((lane, index) => {
    const x = GAP + index * (laneWidth + GAP);
    return `<g transform="translate(${x} 0)">${drawLane(lane, race, at, pictureOf, laneWidth, tallest)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#fff"/>${lanes.join('')}</svg>`;
}

function drawLane(
  { build, frames, finish }: RaceLane,
  race: Race,
  at: Ms,
  pictureOf: (build: Build, file: string) => RacePicture | undefined,
  width: number,
  tallest: number,
): string {
  const colour = COLOURS[build];
  const frame = frames.findLast((each) => each.at <= at) ?? frames[0];
  const picture = frame && pictureOf(build, frame.file);
  const height = heightOf(picture, width);
  const isDone = finish !== undefined && at >= finish;
  const time = isDone ? formatValue(finish, 'ms') : '';
  const sign =
    build === 'base'
      ? `<circle cx="6" cy="17" r="5" fill="none" stroke="${colour}" stroke-width="2"/>`
      : `<rect x="1" y="12" width="10" height="10" fill="${colour}"/>`;
  const run = Math.min(at, finish ?? race.length) / race.length;
  return [
    sign,
    strokes(NAMES[build], 20, 10, INK),
    strokes(time, width - widthOf(time) - 2, 10, INK),
    picture && `<image x="0" y="${HEAD}" width="${width}" height="${height}" href="${picture.url}"/>`,
    `<rect x=".5" y="${HEAD + 0.5}" width="${width - 1}" height="${tallest - 1}" fill="none" stroke="${LINE}"/>`,
    isDone &&
      `<rect x="2" y="${HEAD + 2}" width="${width - 4}" height="${tallest - 4}" fill="none" stroke="#0b6655" stroke-width="4"/>`,
    `<rect y="${HEAD + tallest + 8}" width="${width}" height="8" rx="4" fill="#eeebe4"/>`,
    run > 0 &&
      `<rect y="${HEAD + tallest + 8}" width="${Math.round(width * run)}" height="8" rx="4" fill="${colour}"/>`,
  ]
    .filter(Boolean)
    .join('');
}

const heightOf = (picture: RacePicture | undefined, width: number): number =>
  picture === undefined ? 0 : Math.round((picture.height * width) / picture.width);

/** The letters of names and times: how wide each is, and its strokes; the line they stand on is at 14. */
const LETTERS: Readonly<Record<string, readonly [width: number, path: string]>> = {
  0: [9, 'M4.5 0a4.5 4.5 0 0 1 4.5 4.5v5a4.5 4.5 0 0 1-9 0v-5A4.5 4.5 0 0 1 4.5 0'],
  1: [6, 'M1.5 3L5 0v14'],
  2: [9, 'M.2 4.4a4.3 4.3 0 1 1 7.6 2.6L.2 14H9'],
  3: [9, 'M.6 2.4A3.9 3.4 0 1 1 4.2 6.8 4.4 3.6 0 1 1 .1 11.4'],
  4: [9, 'M6.8 14V0L0 9.8h9'],
  5: [9, 'M8 0H1.4L.8 6.2A4.4 4.3 0 1 1 .2 12'],
  6: [9, 'M8 .6C4-.4.1 3 .1 9.6a4.3 4.4 0 1 0 8.6 0 4.3 4.4 0 1 0-8.6 0'],
  7: [9, 'M0 0h9L3.4 14'],
  8: [9, 'M4.5 6.6a3.6 3.3 0 1 1 .1 0zM4.5 6.6a4.4 3.7 0 1 0 .1 0z'],
  9: [9, 'M1 13.4c4 1 7.9-2.4 7.9-9a4.3 4.4 0 1 0-8.6 0 4.3 4.4 0 1 0 8.6 0'],
  '.': [2, 'M.8 13.9h.1'],
  B: [9, 'M0 0v14h4.6a3.7 3.7 0 0 0 0-7.4H0M0 0h4a3.3 3.3 0 0 1 0 6.6'],
  C: [10, 'M9.6 2.6A5.4 7 0 1 0 9.6 11.4'],
  a: [8, 'M7.4 4v10M7.4 9A3.7 5 0 1 1 0 9a3.7 5 0 1 1 7.4 0'],
  d: [8, 'M7.4 0v14M7.4 9A3.7 5 0 1 1 0 9a3.7 5 0 1 1 7.4 0'],
  e: [8, 'M.1 9h7.5a3.8 5 0 1 0-1.2 3.6'],
  i: [2, 'M.8 4v10M.8 .2v.1'],
  m: [13, 'M.4 4v10M.4 8a3 3.6 0 0 1 6 0v6M6.4 8a3 3.6 0 0 1 6 0v6'],
  n: [8, 'M.4 4v10M.4 8.2a3.5 4 0 0 1 7 0V14'],
  s: [7, 'M6.6 5.4C5.6 3.6.6 3.4.6 6.4.6 9.6 6.8 8 6.8 11.4 6.8 14.8 1 14.6.2 12.4'],
  t: [5, 'M2 .8v10.4a2.4 2.8 0 0 0 3 2.6M0 4.4h5'],
};
const SPACE = 4;
const BETWEEN = 3;

const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (LETTERS[letter]?.[0] ?? SPACE) + BETWEEN, -BETWEEN);

function strokes(text: string, left: number, top: number, colour: string): string {
  let x = left;
  const paths = [...text].map((letter) => {
    const [width, path] = LETTERS[letter] ?? [SPACE, ''];
    const drawn = path === '' ? '' : `<path transform="translate(${x} ${top})" d="${path}"/>`;
    x += width + BETWEEN;
    return drawn;
  });
  return `<g fill="none" stroke="${colour}" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round">${paths.join('')}</g>`;
}
