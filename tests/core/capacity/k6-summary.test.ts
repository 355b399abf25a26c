import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readK6Summary } from '../../../src/core/capacity/k6-summary.ts';

/** What k6 1.8.1 wrote of 2 s: 18 connections, at a server that takes 50 ms and refuses what comes while 16 are worked on. */
const RECORDED: unknown = JSON.parse(readFileSync(new URL('k6-summary.json', import.meta.url), 'utf8'));

test('what k6 wrote of a load, with reasons and with parts for the intervals', () => {
  const { figures, answered } = readK6Summary(RECORDED, 2_000) ?? {};
  expect(answered).toBe(12_512);
  expect(figures).toMatchObject({
    duration: 2_000,
    requests: 590,
    errors: 7_581,
    errorKinds: { 'HTTP 503': 7_581 },
    mean: expect.closeTo(55.06, 2),
    p50: expect.closeTo(50.25, 2),
    p90: expect.closeTo(58.76, 2),
    p99: expect.closeTo(109.3, 2),
    answeredRate: (590 + 7_581) / 2,
    answeredMean: expect.closeTo(4.36, 2),
  });
  expect(figures?.throughput).toBeCloseTo(583.925 / 2, 2);
  expect(figures?.batches).toHaveLength(10);
  expect(figures?.batches[4]).toMatchObject({ mean: expect.closeTo(50.19, 2), p90: expect.closeTo(50.58, 2) });
});

test('nothing was answered, and a file of somebody else', () => {
  const { figures } = readK6Summary({ iterations: { count: 3 }, failed_1050: { count: 3 } }, 1_000) ?? {};
  expect(figures).toMatchObject({ requests: 0, throughput: 0, errors: 3, errorKinds: { timeout: 3 } });
  expect(figures).not.toHaveProperty('mean');
  const strange = {
    iterations: { count: 3 },
    failed_1212: { count: 1 },
    failed_12xx: { count: 1 },
    failed_4xx: { count: 1 },
  };
  expect(readK6Summary(strange, 1_000)?.figures.errorKinds).toEqual({
    ECONNREFUSED: 1,
    'k6 error 12xx': 1,
    'HTTP 4xx': 1,
  });
  expect(readK6Summary({ metrics: {} }, 1_000)).toBeUndefined();
  expect(readK6Summary(null, 1_000)).toBeUndefined();
});
