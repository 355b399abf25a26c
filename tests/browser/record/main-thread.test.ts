import { expect, it } from 'vitest';
import { createMainThreadClock } from '../../../src/browser/record/main-thread.ts';

const reading = (timestamp: number, navigationStart: number, taskDuration: number) => ({
  timestamp,
  navigationStart,
  taskDuration,
});

it('adds up what the documents of a load did, each from its own zero', () => {
  const clock = createMainThreadClock((seconds) => (seconds - 10) * 1000);
  clock.keep(reading(10.5, 10, 0.2));
  clock.keep(reading(11, 10.75, 0.05));
  clock.keep(reading(11.5, 10.75, 0.1));
  expect(clock.samples()).toEqual([
    { at: 500, taskTime: 200 },
    { at: 1000, taskTime: 250 },
    { at: 1500, taskTime: 300 },
  ]);
});

it('places readings from before the axis was known, but none of the blank page', () => {
  let origin: number | undefined;
  const clock = createMainThreadClock((seconds) => (origin === undefined ? undefined : (seconds - origin) * 1000));
  clock.keep(reading(9.9, 9, 0.04));
  clock.keep(reading(10.25, 10, 0.125));
  expect(clock.samples()).toEqual([]);
  // Told from a request, a little after the document's own zero.
  origin = 10.0625;
  clock.keep(reading(10.5, 10, 0.25));
  expect(clock.samples()).toEqual([
    { at: 187.5, taskTime: 125 },
    { at: 437.5, taskTime: 250 },
  ]);
});
