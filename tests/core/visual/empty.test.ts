import { expect, it } from 'vitest';
import { isEmpty } from '../../../src/core/visual/empty.ts';
import { draw, SIZE } from './drawing.ts';

it('takes a picture of one colour for empty, whatever the colour', () => {
  expect(isEmpty(draw([]))).toBe(true);
  expect(isEmpty(draw([{ x: 0, y: 0, ...SIZE, color: [20, 30, 40] }]))).toBe(true);
  expect(
    isEmpty(
      draw([
        { x: 0, y: 0, ...SIZE, color: [20, 30, 40] },
        { x: 5, y: 5, width: 2, height: 2 },
      ]),
    ),
  ).toBe(false);
});

it('sees content that is faint', () => {
  expect(isEmpty(draw([{ x: 5, y: 5, width: 9, height: 9, color: [252, 252, 252] }]))).toBe(false);
});
