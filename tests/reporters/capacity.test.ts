import { expect, test } from 'vitest';
import { judgeCapacity } from '../../src/core/capacity/judge.ts';
import type { CapacityResult } from '../../src/model/capacity.ts';
import { capacityFormats } from '../../src/reporters/formats.ts';
import { renderCapacity } from '../../src/reporters/terminal/capacity.ts';
import { capacitySentence, findingsInWords } from '../../src/wording/capacity.ts';
import { levelsOf, lock, pool } from '../core/capacity/simulated.ts';

const EVIL = 'http://127.0.0.1/<script>alert(1)</script>|`\u001b[31m\u202e';

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
const RESULT: CapacityResult = {
  version: 1,
  kind: 'capacity',
  tool: { name: 'quiesce', version: '0.0.0' },
  browser: { product: 'none' },
  startedAt: '2026-01-01T00:00:00.000Z',
  settings: { targets: [EVIL] },
  sentence: capacitySentence(base),
  url: EVIL,
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
  candidate: { url: EVIL, ...figures(lock(5, 15)) },
  comparison: {
    maxRatio: { value: 1.2, low: 1.1, high: 1.3 },
    decision: 'better',
    sentence: 'The candidate can take more.',
  },
};

test.each(capacityFormats.map(({ format, load }) => [format, load] as const))(
  '%s holds every level, and no harm',
  async (format, load) => {
    const before = structuredClone(RESULT);
    const text = (await load())(RESULT);
    expect(RESULT).toEqual(before);
    if (format !== 'json' && format !== 'csv') {
      // In Markdown it is code, and a bar would end the cell.
      if (format === 'md') expect(text).toContain('`http://127.0.0.1/<script>alert(1)</script>¦');
      else expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('\u001b');
      expect(text).not.toContain('\u202e');
    }
    for (const { concurrency } of RESULT.levels) expect(text).toContain(String(concurrency));
    if (format === 'csv') expect(text.trim().split('\r\n')).toHaveLength(1 + 8 + 8);
  },
);

test('the terminal shows the table, the knee and the findings, within its width', () => {
  const text = renderCapacity(RESULT, { color: false, width: 100 });
  expect(text).toMatch(/32 +160\/s .* ← knee/);
  expect(text).toContain('! The limit is at 32, a round number');
  expect(text).toContain('✗ capacity is 160/s.');
  expect(text).not.toContain('\u001b');
});
