import { performance } from 'node:perf_hooks';
import { expect, it, vi } from 'vitest';
import { microBenchmark } from '../../../src/shell/host/micro-benchmark.ts';

it('tells the time that the work took, and nothing that was done before', () => {
  const clock = vi.spyOn(performance, 'now');
  const told = microBenchmark();
  const [start, end] = clock.mock.results.map(({ value }) => value as number);
  clock.mockRestore();
  if (start === undefined || end === undefined) throw new Error('the clock is read twice');
  expect(told).toBe(end - start);
  expect(told).toBeGreaterThan(0);
});
