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

it('adds up the processor’s clock, too, as long as it was read', () => {
  const clock = createMainThreadClock((seconds) => (seconds - 10) * 1000);
  clock.keep({ ...reading(10.5, 10, 0.25), processorTime: 0.125 });
  clock.keep({ ...reading(11, 10.75, 0.0625), processorTime: 0.03125 });
  clock.keep(reading(11.5, 11.25, 0.125));
  clock.keep({ ...reading(12, 11.75, 0.125), processorTime: 0.0625 });
  expect(clock.samples()).toEqual([
    { at: 500, taskTime: 250, cpuTime: 125 },
    { at: 1000, taskTime: 312.5, cpuTime: 156.25 },
    { at: 1500, taskTime: 437.5 },
    // What the document in between used is not known.
    { at: 2000, taskTime: 562.5 },
  ]);
});

it('tells since when a task ran that an answer had to wait for', () => {
  const clock = createMainThreadClock((seconds) => (seconds - 10) * 1000);
  clock.keep(reading(10.25, 10, 0.1));
  clock.keep(reading(11.5, 10, 0.9));
  expect(clock.busySince(750)).toBe(700);
  // It had ended, or begun, when it was asked: nothing is known of a time before.
  expect(clock.busySince(600)).toBe(600);
  clock.keep(reading(11.75, 10, 1.15));
  expect(clock.busySince(1_600)).toBe(1_500);
});

it('tells when it was busy without a pause', () => {
  const clock = createMainThreadClock((seconds) => (seconds - 10) * 1000);
  clock.keep(reading(10.25, 10, 0.1));
  clock.keep(reading(11.5, 10, 1.34));
  // Busy for long, and with pauses.
  clock.keep(reading(13.5, 10, 2.84));
  expect(clock.busyStretches(500)).toEqual([{ from: 250, to: 1_500 }]);
  expect(clock.busyStretches(1_300)).toEqual([]);
});
