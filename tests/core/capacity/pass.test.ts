import { expect, test } from 'vitest';
import { bucketOf, percentiles, timeOf } from '../../../src/core/capacity/histogram.ts';
import { halfWidth } from '../../../src/core/capacity/interval.ts';
import { isInBalance, levelOf, littlesLaw } from '../../../src/core/capacity/level.ts';
import { LoadRecord } from '../../../src/core/capacity/load-record.ts';
import { isEnough, isKnownWhenSpent, passFigures, warmUntil } from '../../../src/core/capacity/pass.ts';
import { passOf, ticksOf } from './simulated.ts';

function recordOf(ticks: Iterable<Parameters<LoadRecord['add']>[0]>): LoadRecord {
  const record = new LoadRecord();
  for (const tick of ticks) record.add(tick);
  return record;
}

test('buckets hold times to half a percent, from a microsecond to an hour', () => {
  for (const ms of [0.001, 0.2, 1, 12.5, 999, 3_600_000]) {
    expect(Math.abs(timeOf(bucketOf(ms)) / ms - 1)).toBeLessThan(0.003);
  }
  const times = new Map(Array.from({ length: 100 }, (_, i) => [bucketOf(i + 1), 1]));
  const [p50, p90, p99] = percentiles(times, [0.5, 0.9, 0.99]);
  expect([p50, p90, p99].map((each) => Math.round(each ?? 0))).toEqual([50, 90, 99]);
  expect(percentiles(new Map(), [0.5])).toEqual([undefined]);
});

test('bursts are no noise: what is worked on counts while it is worked on', () => {
  // 32 connections that all get their answer every 200 ms: 160/s, in bursts of 32.
  const settings = { connections: 32, levelTime: 10_000 };
  const record = recordOf(ticksOf(32, 200, 2_600));
  const figures = passFigures(record, settings);
  expect(warmUntil(record, settings)).toBe(400);
  expect(figures.throughput).toBeCloseTo(160);
  expect(figures.mean).toBeCloseTo(200);
  expect(figures.driver?.own).toBeCloseTo(0.1);
  expect(isEnough(record, settings)).toBe(true);
  expect(isEnough(recordOf(ticksOf(32, 200, 1_000)), settings)).toBe(false);
});

test('a pass that was cut short says something after ten response times', () => {
  const settings = { connections: 4, levelTime: 10_000 };
  expect(isKnownWhenSpent(recordOf(ticksOf(4, 200, 1_500)), settings)).toBe(false);
  expect(isKnownWhenSpent(recordOf(ticksOf(4, 200, 2_500)), settings)).toBe(true);
  expect(isKnownWhenSpent(recordOf(ticksOf(4, 60_000, 2_500)), settings)).toBe(false);
});

test('the time of a pass says nothing when no request was left for it', () => {
  const settings = { connections: 4, levelTime: 300 };
  // A driver that was not let run tells of its three answers late.
  const [tick] = ticksOf(3, 40, 50);
  if (!tick) throw new Error('no tick');
  for (const at of [50, 600, 1_500, 5_000]) {
    expect(isKnownWhenSpent(recordOf([{ ...tick, at }]), settings)).toBe(false);
  }
  expect(isKnownWhenSpent(recordOf(ticksOf(4, 200, 1_000)), { ...settings, requests: 4 })).toBe(true);
});

test('at a fixed rate answers count when they come, because most of their time was a queue', () => {
  // 8 answers in each slice, and in each more begin than end: the queue grows.
  const ticks = [...ticksOf(8, 50, 2_000)].map((tick) => ({
    ...tick,
    spread: tick.spread.map(([slice, amount]) => [slice, 1.2 * amount] as const),
  }));
  const settings = { connections: 8, levelTime: 1_000 };
  expect(passFigures(recordOf(ticks), { ...settings, isOpen: true }).throughput).toBeCloseTo(160);
  expect(passFigures(recordOf(ticks), settings).throughput).toBeCloseTo(192);
});

test('a level ends by its number of requests, by its time, and by its errors', () => {
  const settings = { connections: 4, levelTime: 2_000 };
  expect(isEnough(recordOf(ticksOf(4, 100, 1_000)), { ...settings, requests: 10 })).toBe(true);
  expect(isEnough(recordOf(ticksOf(4, 100, 1_000)), { ...settings, requests: 1_000 })).toBe(false);
  expect(isEnough(recordOf(ticksOf(4, 100, 2_500)), { ...settings, requests: 1_000 })).toBe(true);
  expect(isEnough(recordOf(ticksOf(4, 20, 1_000, 'failed')), settings)).toBe(true);
  // Nothing is answered: the warm-up ends all the same.
  expect(isEnough(recordOf(ticksOf(4, 60_000, 3_000)), settings)).toBe(false);
  expect(isEnough(recordOf(ticksOf(4, 60_000, 8_100)), settings)).toBe(true);
});

test('batches that follow each other closely widen the interval', () => {
  expect(halfWidth([1, 2])).toBeUndefined();
  expect(halfWidth([5, 5, 5])).toBe(0);
  const alternating = halfWidth([1, 2, 1, 2, 1, 2, 1, 2]) ?? 0;
  const drifting = halfWidth([1, 1, 1, 1, 2, 2, 2, 2]) ?? 0;
  expect(drifting).toBeGreaterThan(1.5 * alternating);
});

test("Little's law shows connections that never got an answer", () => {
  expect(littlesLaw(160, 200, 32)).toBeCloseTo(1);
  expect(littlesLaw(160, 200, 64)).toBeCloseTo(0.5);
  expect(littlesLaw(100, 100, 60, 500)).toBeCloseTo(1);
  expect([0.89, 0.91, 1.09, 1.11].map(isInBalance)).toEqual([false, true, true, false]);
  const starved = passOf(32, () => 200);
  expect(levelOf({ concurrency: 64 }, [starved])).toMatchObject({ stable: false, unstable: ['littles-law'] });
  expect(levelOf({ concurrency: 32 }, [starved])).toMatchObject({ stable: true });
});

test('two passes that differ are drift', () => {
  const level = levelOf({ concurrency: 8 }, [passOf(8, () => 20), passOf(8, () => 26)]);
  expect(level.unstable).toContain('drift');
  expect(level.throughputLow).toBeLessThan(8 / 0.026);
  expect(level.throughputHigh).toBeGreaterThan(8 / 0.0205);
});

test('others disturb a driver that has no processor, and mark one that has', () => {
  const busy = (waiting: number) =>
    levelOf({ concurrency: 8 }, [
      {
        ...passOf(8, () => 20),
        others: 0.95,
        figures: { ...passOf(8, () => 20).figures, driver: { own: 0.05, waiting, sockets: 8 } },
      },
    ]);
  expect(busy(0.2).driverBusy).toBeCloseTo(0.8);
  expect(busy(0.2).stable).toBe(true);
  expect(busy(0.6)).toMatchObject({ stable: false, unstable: ['driver-limit'] });
});
