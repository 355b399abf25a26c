import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { resultSchema, SCHEMA_FILE, SCHEMA_ID } from '../scripts/schema.ts';
import type { AuditResult } from '../src/model/result/result.ts';
import { comparisonReport } from './reporters/comparison.ts';
import { isStoredResult as validate } from './support/result-schema.ts';

const RESULT: AuditResult = {
  $schema: SCHEMA_ID,
  version: 1,
  kind: 'audit',
  tool: { name: 'quiesce', version: '0.1.0' },
  browser: { product: 'Chrome/1.2.3.4' },
  startedAt: '2026-01-01T00:00:00.000Z',
  settings: { runs: 1, background: [] },
  targets: [
    {
      target: './dist',
      url: 'http://127.0.0.1:1/',
      runs: [
        {
          index: 1,
          role: 'timed',
          ok: true,
          pageComplete: {
            state: 'complete',
            at: 100.5,
            decidedAt: 3100.5,
            observedUntil: 3100.5,
            raw: { state: 'never' },
            waitingFor: [],
          },
          metrics: { pageComplete: 100.5 },
          findings: [],
        },
      ],
      summary: { pageComplete: { unit: 'ms', n: 1, median: 100.5 } },
      background: [],
    },
  ],
};

describe('schema/result.v1.schema.json', () => {
  test('is what the types give; "npm run schema" writes it again', () => {
    const committed = readFileSync(fileURLToPath(new URL(`../${SCHEMA_FILE}`, import.meta.url)), 'utf8');
    expect(committed).toBe(resultSchema());
  });

  test('accepts a result', () => {
    expect(validate(RESULT), JSON.stringify(validate.errors)).toBe(true);
  });

  test('accepts a comparison', () => {
    const { result } = comparisonReport();
    expect(validate({ ...result }), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...result, design: { seed: 'x' } })).toBe(false);
    const [gate, ...others] = result.comparisons;
    if (gate === undefined) throw new Error('the example has a gate');
    const { base, candidate, difference, p } = gate;
    const onBoth = (beside: object): boolean =>
      validate({ ...result, comparisons: [{ ...gate, basis: 'undisturbed', beside }, ...others] });
    expect(onBoth({ basis: 'measured', base, candidate, difference, p }), JSON.stringify(validate.errors)).toBe(true);
    expect(onBoth({ basis: 'measured', base, candidate })).toBe(true);
    expect(onBoth({ basis: 'measured' })).toBe(false);
  });

  test('is open for what later versions add', () => {
    expect(validate({ ...RESULT, added: 1, tool: { ...RESULT.tool, commit: 'abc' } })).toBe(true);
  });

  test.each([
    ['another version', { ...RESULT, version: 2 }],
    ['another kind', { ...RESULT, kind: 'compare' }],
    ['no targets', { ...RESULT, targets: undefined }],
    [
      'a metric that is no number',
      {
        ...RESULT,
        targets: [{ ...RESULT.targets[0], runs: [{ index: 1, role: 'timed', ok: true, metrics: { load: '1' } }] }],
      },
    ],
    [
      'an unknown role',
      { ...RESULT, targets: [{ ...RESULT.targets[0], runs: [{ index: 1, role: 'warm-up', ok: true }] }] },
    ],
  ])('refuses %s', (_, result) => {
    expect(validate(JSON.parse(JSON.stringify(result)))).toBe(false);
  });
});
