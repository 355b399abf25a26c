import { describe, expect, test } from 'vitest';
import { readImport } from '../../../src/core/capacity/import/read-import.ts';
import { type JudgedCapacity, judgeCapacity } from '../../../src/core/capacity/judge.ts';
import type { CapacityContext } from '../../../src/core/capacity/judge-context.ts';
import { levelOf } from '../../../src/core/capacity/level.ts';
import type { CapacityLevel } from '../../../src/model/capacity.ts';
import { capacitySentence, findingsInWords } from '../../../src/wording/capacity.ts';
import { around, levelsOf, passOf, pool } from './simulated.ts';

const CONTEXT: CapacityContext = { load: 'closed', seed: 1, shared: false, watched: false, cores: 4 };
const RAMP = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Levels by connections and throughput; `spread`: half of the interval, as a share. */
function levels(rows: readonly (readonly [n: number, x: number])[], spread = 0): readonly CapacityLevel[] {
  return rows.map(([concurrency, throughput]) => ({
    concurrency,
    throughput,
    throughputLow: throughput * (1 - spread),
    throughputHigh: throughput * (1 + spread),
    errors: 0,
    errorShare: 0,
    stable: true,
  }));
}
const judge = (rows: readonly (readonly [n: number, x: number])[], spread?: number) =>
  judgeCapacity(levels(rows, spread), CONTEXT);
const codes = ({ findings }: JudgedCapacity) => findings.map(({ code }) => code);

/** No figure of a result may be what JSON cannot hold, and no sentence may have a hole. */
function expectWhole(judged: JudgedCapacity): void {
  expect(JSON.parse(JSON.stringify(judged))).toEqual(judged);
  for (const text of [capacitySentence(judged), ...findingsInWords(judged.findings).map(({ message }) => message)]) {
    expect(text).not.toMatch(/NaN|undefined|Infinity|–/);
  }
}

describe('few levels', () => {
  test.each<[what: string, rows: readonly (readonly [number, number])[], limit: string]>([
    ['one', [[10, 100]], 'not-reached'],
    [
      'two that grow',
      [
        [1, 10],
        [2, 20],
      ],
      'not-reached',
    ],
    [
      'two that do not',
      [
        [1, 10],
        [2, 10],
      ],
      'wait',
    ],
    [
      'two that do not, from many connections on',
      [
        [100, 10],
        [200, 10],
      ],
      'already-saturated',
    ],
    [
      'none with an answer',
      [
        [1, 0],
        [2, 0],
      ],
      'not-reached',
    ],
    ['tiny figures', RAMP.map((n) => [n, Math.min(n, 4) * 1e-6]), 'configured'],
    ['the largest figures', RAMP.map((n) => [n * 30_000, Math.min(n, 4) * 2e11]), 'configured'],
  ])('%s', (_what, rows, limit) => {
    const judged = judge(rows);
    expect(judged.limit).toBe(limit);
    if (rows.length < 4) expect(judged.usl).toBeUndefined();
    expectWhole(judged);
  });
});

test('throughput that falls from the lowest level on is not the same at every level', () => {
  const judged = judge([
    [100, 10],
    [200, 5],
  ]);
  expect(judged).toMatchObject({ limit: 'already-saturated', limitFacts: { falls: true } });
  expect(capacitySentence(judged)).toMatch(
    /^10 requests\/s at most, and less with more load: the server was saturated/,
  );
});

test('a ramp that ends in silence or errors does not call for more connections', () => {
  const silent = judge([
    [1, 10],
    [2, 20],
    [4, 0],
  ]);
  expect(silent).toMatchObject({ limit: 'not-reached', limitFacts: { failingFrom: 4 }, max: { concurrency: 2 } });
  expect(capacitySentence(silent)).toBe(
    "20 requests/s at 2 connections, and throughput still grew there. From 4 on requests fail: look for the cause in the server's log.",
  );
  expect(codes(silent)).toContain('timeouts');
  const failed = [3, 5, 9].map((n) => {
    const { figures } = passOf(n, () => 20);
    const errors = n === 9 ? 1e6 : 0;
    return levelOf({ concurrency: n }, [{ figures: { ...figures, errors, errorKinds: { ECONNRESET: errors } } }]);
  });
  expect(judgeCapacity(failed, CONTEXT)).toMatchObject({ limitFacts: { failingFrom: 9 }, max: { concurrency: 5 } });
});

test('nothing but errors', () => {
  const all = RAMP.map((n) =>
    levelOf({ concurrency: n }, [
      {
        figures: {
          ...passOf(n, () => 20).figures,
          requests: 0,
          throughput: 0,
          errors: 50,
          errorKinds: { 'HTTP 500': 50 },
        },
      },
    ]),
  );
  const judged = judgeCapacity(all, CONTEXT);
  expect(judged).toMatchObject({ limit: 'not-reached', limitFacts: {} });
  expect([judged.knee, judged.max, judged.usl]).toEqual([undefined, undefined, undefined]);
  expectWhole(judged);
});

test('a lucky level that is not certain does not move the knee', () => {
  const lucky = (n: number) => Math.min(n, 32) * 5 * (n === 128 ? 1.12 : 1);
  const rows = RAMP.map((n) => [n, lucky(n)] as const);
  expect(judge(rows, 0.15).knee?.concurrency).toBe(32);
  // Of one that is certain the server can do more there.
  expect(judge(rows, 0.01).knee?.concurrency).toBe(128);
  // As precise as it should be: the knee is where it always was.
  expect(
    judge(
      RAMP.map((n) => [n, Math.min(n, 32) * 5]),
      0.05,
    ).knee?.concurrency,
  ).toBe(32);
});

test('a level of which little is known hides no growth', () => {
  const measured = around([
    [4, 8.7, 3.9, 13.5],
    [8, 16.5, 4.3, 28.7],
  ]);
  expect(judgeCapacity(measured, CONTEXT)).toMatchObject({ limit: 'not-reached', knee: { concurrency: 8 } });
});

test('a law of a flat curve is not called poor', () => {
  const judged = judge([
    [1, 100],
    [2, 100.2],
    [4, 99.9],
    [8, 100.1],
    [16, 100],
  ]);
  expect(judged.usl?.sigma).toBeCloseTo(1, 1);
  expect(codes(judged)).not.toContain('usl-poor');
  const wild = judge([
    [1, 100],
    [2, 30],
    [4, 300],
    [8, 20],
    [16, 250],
  ]);
  expect(codes(wild)).toContain('usl-poor');
});

test('nothing is said beyond twice the highest level, however the curve goes on', () => {
  const { usl } = judgeCapacity(
    levelsOf((n) => 20 * (1 + 1e-7 * n * n), RAMP),
    CONTEXT,
  );
  expect(Math.max(...(usl?.curve.map(({ concurrency }) => concurrency) ?? []))).toBeCloseTo(512, 6);
  expect(usl?.peak ?? 0).toBeLessThanOrEqual(512);
  expect(usl?.ceiling).toBeLessThanOrEqual(Math.max(...(usl?.curve.map(({ throughput }) => throughput) ?? [])) * 1.001);
});

test('levels that are there twice, and in any order, give what they give in order', () => {
  const sorted = levelsOf(pool(32, 200), RAMP);
  expect(judgeCapacity(sorted.toReversed(), CONTEXT)).toEqual(judgeCapacity(sorted, CONTEXT));
});

describe('figures of other tools that cannot be', () => {
  test.each([
    ['no number', 'level,throughput\n1,NaN\n2,20'],
    ['infinite', 'level,throughput\n1,Infinity\n2,20'],
    ['beyond what a number holds', 'level,throughput\n1,1e400\n2,20'],
    ['negative', 'level,throughput\n1,-5\n2,20'],
    ['a negative time', 'level,throughput,mean\n1,5,-4\n2,10,1'],
    ['negative errors', 'level,throughput,errors\n1,5,-4\n2,10,1'],
    ['more connections than any machine has', 'level,throughput\n1e300,5\n2e300,9'],
    ['more requests than any server answers', 'level,throughput\n1,5e300\n2,9'],
    ['no connections', 'level,throughput\n0,5\n2,9'],
  ])('%s', (_what, text) => {
    expect(readImport(text)).toEqual({
      problem: 'line 2 has no number of connections from 1 on, no throughput, or a figure that cannot be',
    });
  });

  test('in JSON', () => {
    const k6 = JSON.stringify({ metrics: { http_reqs: { rate: 1e15, count: 5 }, vus: { value: 1 } } });
    expect(readImport(k6)).toEqual({
      problem: 'it has no number of connections from 1 on, no throughput, or a figure that cannot be',
    });
    // A run that came to nothing is one.
    const none = readImport(JSON.stringify({ metrics: { http_reqs: { rate: 0, count: 0 }, vus: { value: 1 } } }));
    expect(none).toMatchObject({ levels: [{ figures: { throughput: 0, duration: 1000 } }] });
  });
});

test('an open load is told by its rates', () => {
  const at = (rate: number, throughput: number) =>
    levelOf({ concurrency: 32, rate }, [{ figures: { ...passOf(4, () => 20).figures, throughput } }]);
  const open = (...rows: readonly CapacityLevel[]) => judgeCapacity(rows, { ...CONTEXT, load: 'open' });
  expect(capacitySentence(open(at(5, 5), at(10, 10)))).toBe(
    '10 requests/s when 10/s were requested, and no limit was reached. Try higher rates.',
  );
  const past = open(at(50, 50), at(100, 30));
  expect(capacitySentence(past)).toMatch(/^At most 50 requests\/s, when 50\/s were requested\. /);
  expect(findingsInWords(past.findings).map(({ message }) => message)).toContain(
    'Throughput falls from 50/s when 50/s were requested to 30/s at 100/s: limit the number of requests at a time.',
  );
});

test('a table of percentiles alone has no mean', () => {
  const read = readImport('users,throughput,p90 (s)\n1,10,0.1\n4,40,0.2');
  if ('problem' in read) throw new Error(read.problem);
  const [level] = read.levels.map(({ concurrency = 0, figures }) => levelOf({ concurrency }, [{ figures }]));
  expect(level).toMatchObject({ p90: 100 });
  expect(level?.mean).toBeUndefined();
});
