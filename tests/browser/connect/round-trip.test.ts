import { expect, it } from 'vitest';
import { noteOnDistance } from '../../../src/browser/connect/round-trip.ts';

it.each([
  [0.4, []],
  [19, []],
  [23.7, [{ code: 'far-browser', roundTrip: 20 }]],
  [412, [{ code: 'far-browser', roundTrip: 400 }]],
])('of a browser %d ms away it says %j', (ms, notes) => {
  expect(noteOnDistance(ms)).toEqual(notes);
});
