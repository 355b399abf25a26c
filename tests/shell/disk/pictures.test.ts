import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  dataUrlOf,
  decodeFilm,
  decodePicture,
  decodePng,
  encodePng,
  encodeSmaller,
} from '../../../src/shell/disk/pictures.ts';
import { draw, noise } from '../../core/visual/drawing.ts';

const picture = draw([{ x: 3, y: 4, width: 20, height: 9, color: [200, 30, 90] }]);
const base64 = (boxes: Parameters<typeof draw>[0]): string => encodePng(draw(boxes)).toString('base64');

it('reads what it wrote', () => {
  const again = decodePng(encodePng(picture).toString('base64'));
  expect({ width: again.width, height: again.height }).toEqual({ width: picture.width, height: picture.height });
  expect(Buffer.from(again.pixels)).toEqual(Buffer.from(picture.pixels));
});

it('leaves what a browser has sent as it is', () => {
  const sent = readFileSync(new URL('./pictures/screencast.png', import.meta.url));
  expect(encodePng(decodePicture(sent))).toEqual(sent);
});

it('refuses what is no PNG', () => {
  expect(() => decodePng(Buffer.from('GIF89a').toString('base64'))).toThrow();
});

it('shows white where the browser had not drawn yet', () => {
  const pixels = Uint8Array.from([0, 0, 0, 0, 200, 0, 0, 255, 0, 0, 0, 51, 9, 9, 9, 255]);
  const { pixels: seen } = decodePng(encodePng({ width: 4, height: 1, pixels }).toString('base64'));
  expect([...seen]).toEqual([255, 255, 255, 255, 200, 0, 0, 255, 204, 204, 204, 255, 9, 9, 9, 255]);
});

it('writes photographs as JPEG and drawings as PNG, and reads both again', () => {
  const drawing = encodeSmaller(picture);
  expect(drawing.type).toBe('png');
  expect(Buffer.from(decodePicture(drawing.bytes).pixels)).toEqual(Buffer.from(picture.pixels));
  const photograph = encodeSmaller(noise());
  expect(photograph.type).toBe('jpg');
  expect(photograph.bytes.length).toBeLessThan(encodePng(noise()).length);
  const { pixels, width, height } = decodePicture(photograph.bytes);
  expect([width, height]).toEqual([120, 80]);
  const mean = (of: Uint8Array): number => of.reduce((sum, each) => sum + each, 0) / of.length;
  expect(mean(pixels)).toBeCloseTo(mean(noise().pixels), 0);
  expect(dataUrlOf(photograph)).toMatch(/^data:image\/jpeg;base64,\/9j\//);
  expect(dataUrlOf(drawing)).toMatch(/^data:image\/png;base64,iVBOR/);
});

it('refuses a JPEG that is broken or would fill the memory', () => {
  const { bytes } = encodeSmaller(noise());
  expect(() => decodePicture(bytes.slice(0, 40))).toThrow();
  const huge = Uint8Array.from(bytes);
  const frame = huge.findIndex((byte, i) => byte === 0xff && huge[i + 1] === 0xc0);
  huge.set([0xff, 0xff, 0xff, 0xff], frame + 5);
  expect(() => decodePicture(huge)).toThrow();
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
