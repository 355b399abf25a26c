import { expect, it } from 'vitest';
import { noteOnDistance } from '../../../src/browser/connect/round-trip.ts';

it.each([
  [0.4, []],
  [19, []],
  [23.7, [expect.stringContaining('about 20 ms away')]],
  [412, [expect.stringContaining('about 400 ms away')]],
])('of a browser %d ms away it says %j', (ms, notes) => {
  expect(noteOnDistance(ms)).toEqual(notes);
});
