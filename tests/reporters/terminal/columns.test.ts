import { expect, test } from 'vitest';
import { wrap } from '../../../src/reporters/terminal/columns.ts';

test('a figure and its unit stay on one line', () => {
  expect(wrap('It took 97 ms to load 1.5 kB', 10)).toEqual(['It took', '97 ms to', 'load', '1.5 kB']);
  expect(wrap('after 3 s of 1.44 Mbit/s', 12)).toEqual(['after 3 s of', '1.44 Mbit/s']);
  // A figure before any other word may end a line.
  expect(wrap('all 5 runs agree', 5)).toEqual(['all 5', 'runs', 'agree']);
});
