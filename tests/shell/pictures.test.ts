import { expect, it } from 'vitest';
import { decodeFilm, decodePng, encodePng } from '../../src/shell/pictures.ts';
import { draw } from '../core/visual/drawing.ts';

const picture = draw([{ x: 3, y: 4, width: 20, height: 9, color: [200, 30, 90] }]);
const base64 = (boxes: Parameters<typeof draw>[0]): string => encodePng(draw(boxes)).toString('base64');

it('reads what it wrote', () => {
  const again = decodePng(encodePng(picture).toString('base64'));
  expect({ width: again.width, height: again.height }).toEqual({ width: picture.width, height: picture.height });
  expect(Buffer.from(again.pixels)).toEqual(Buffer.from(picture.pixels));
});

it('refuses what is no PNG', () => {
  expect(() => decodePng(Buffer.from('GIF89a').toString('base64'))).toThrow();
});

it('decodes a film frame by frame, without frames that show nothing new', () => {
  const blank = base64([]);
  const drawn = base64([{ x: 1, y: 1, width: 9, height: 9 }]);
  const film = decodeFilm([
    { at: 0, image: blank },
    { at: 40, image: blank },
    { at: 90, image: drawn },
    { at: 120, image: blank },
  ]);
  expect(film.map(({ at }) => at)).toEqual([0, 90, 120]);
  expect(film.map(({ picture: { pixels } }) => pixels[(5 * 120 + 5) * 4])).toEqual([255, 0, 255]);
});
