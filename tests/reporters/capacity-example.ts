import { judgeCapacity } from '../../src/core/capacity/judge.ts';
import type { CapacityResult } from '../../src/model/capacity.ts';
import { capacitySentence, findingsInWords } from '../../src/wording/capacity.ts';
import { levelsOf, lock, pool } from '../core/capacity/simulated.ts';

function figures(law: Parameters<typeof levelsOf>[0]) {
  const judged = judgeCapacity(levelsOf(law, [1, 2, 4, 8, 16, 32, 64, 128]), {
    load: 'closed',
    seed: 1,
    shared: true,
    watched: false,
  });
  return { ...judged, findings: findingsInWords(judged.findings) };
}

const base = figures(pool(32, 200));
/** The capacity of two servers at the same address. */
export const capacityOf = (url: string): CapacityResult => ({
  version: 1,
  kind: 'capacity',
  tool: { name: 'quiesce', version: '0.0.0' },
  browser: { product: 'none' },
  startedAt: '2026-01-01T00:00:00.000Z',
  settings: { targets: [url] },
  sentence: capacitySentence(base),
  url,
  load: 'closed',
  engine: 'autocannon 9.0.0',
  shared: true,
  ...base,
  ended: { code: 'flat', concurrency: 128 },
  page: {
    points: [
      { load: 'none', concurrency: 0, n: 5, of: 5, pageComplete: 1200, low: 1150, high: 1250, basePage: 200 },
      { load: 'knee', concurrency: 32, n: 4, of: 5, pageComplete: 3400, low: 3100, high: 3700, basePage: 2100 },
    ],
  },
  budgets: [
    {
      metric: 'capacity',
      unit: '1/s',
      bound: 'min',
      limit: 1000,
      severity: 'error',
      value: 160,
      state: 'fail',
      sentence: 'capacity is 160/s.',
    },
  ],
  candidate: { url, ...figures(lock(5, 15)) },
  comparison: {
    maxRatio: { value: 1.2, low: 1.1, high: 1.3 },
    decision: 'better',
    sentence: 'The candidate can take more.',
  },
});
export const CAPACITY = capacityOf('http://127.0.0.1:3000/');
