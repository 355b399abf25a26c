import { expect, it } from 'vitest';
import { coveredShare } from '../../../src/core/visual/covered.ts';
import { differenceOf } from '../../../src/core/visual/difference.ts';
import { draw } from './drawing.ts';

const size = { width: 120, height: 60 };
const bar = (x: number, width: number) => draw([{ x, y: 20, width, height: 12, color: [20, 20, 20] }], size);
const empty = draw([], size);

/** Between two pictures. */
function covered(before: typeof empty, after: typeof empty): number {
  return coveredShare(before, after, differenceOf(before, after));
}

it('tells how much of what changed had shown something before', () => {
  expect(covered(empty, bar(20, 40))).toBe(0);
  expect(covered(bar(20, 40), empty)).toBe(1);
  // As much goes as comes, as with the digits of a number.
  expect(covered(bar(20, 20), bar(60, 20))).toBeCloseTo(0.5, 1);
  expect(covered(bar(20, 4), bar(60, 40))).toBeLessThan(0.15);
  expect(covered(empty, empty)).toBe(0);
});

it('takes what is most frequent around it for the background, whatever its colour', () => {
  const dark = (x: number, width: number) =>
    draw(
      [
        { x: 0, y: 0, ...size, color: [17, 18, 23] },
        { x, y: 20, width, height: 12, color: [230, 230, 230] },
      ],
      size,
    );
  expect(covered(dark(0, 0), dark(20, 40))).toBe(0);
  expect(covered(dark(20, 20), dark(60, 20))).toBeCloseTo(0.5, 1);
});
