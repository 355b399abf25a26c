import { expect, it } from 'vitest';
import { sameShades, shadesIn } from '../../../src/core/visual/shades.ts';
import { type Box, draw } from './drawing.ts';

const size = { width: 120, height: 80 };
const all = { ...size, bits: new Uint8Array(size.width * size.height).fill(1) };
const dots = (shift: number): readonly Box[] =>
  Array.from({ length: 20 }, (_, i) => ({ x: (i * 29 + shift) % 116, y: (i * 13) % 76, width: 4, height: 4 }));
const film = (...more: readonly Box[]) =>
  [0, 7, 19].map((shift) => shadesIn(draw([...dots(shift), ...more], size), all));

it('what moves at random shows the same colours', () => {
  const other = [31, 44].map((shift) => shadesIn(draw(dots(shift), size), all));
  expect(sameShades([film(), other])).toBe(true);
});

it('what is drawn in it has colours of its own, or more of one', () => {
  expect(sameShades([film(), film({ x: 40, y: 40, width: 8, height: 8, color: [220, 40, 40] })])).toBe(false);
  expect(sameShades([film({ x: 30, y: 20, width: 40, height: 20 }), film()])).toBe(false);
  expect(sameShades([film(), [shadesIn(draw([], size), all)]])).toBe(false);
});

it('counts within its place alone, and says nothing of no pictures', () => {
  const half = { ...all, bits: all.bits.map((_, i) => (i < all.bits.length / 2 ? 1 : 0)) };
  const below = { x: 40, y: 60, width: 20, height: 10, color: [220, 40, 40] as const };
  expect(shadesIn(draw([below], size), half)).toEqual(shadesIn(draw([], size), half));
  expect(sameShades([[], film()])).toBe(false);
});
