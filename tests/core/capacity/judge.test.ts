import { describe, expect, test } from 'vitest';
import { readImport } from '../../../src/core/capacity/import/read-import.ts';
import { judgeCapacity } from '../../../src/core/capacity/judge.ts';
import type { CapacityContext } from '../../../src/core/capacity/judge-context.ts';
import { levelOf } from '../../../src/core/capacity/level.ts';
import type { CapacityLevel } from '../../../src/model/capacity.ts';
import { capacitySentence, findingsInWords } from '../../../src/wording/capacity.ts';
import { around, coherence, type Law, levelsOf, lock, passOf, pool, type Use } from './simulated.ts';

const CONTEXT: CapacityContext = { load: 'closed', seed: 1, shared: false, watched: true, cores: 4 };
const RAMP = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512];

function judge(law: Law, levels: readonly number[] = RAMP, use?: Use, context: Partial<CapacityContext> = {}) {
  return judgeCapacity(levelsOf(law, levels, use), { ...CONTEXT, ...context });
}

function table(text: string, context: Partial<CapacityContext> = {}) {
  const read = readImport(text);
  if ('problem' in read) throw new Error(read.problem);
  const levels = read.levels.map(({ concurrency = 0, figures }) => levelOf({ concurrency }, [{ figures }]));
  return judgeCapacity(levels, { ...CONTEXT, watched: false, ...context });
}

describe('the stories of the field', () => {
  test('5,000 users and more: saturated below the lowest level', () => {
    const judged = table('users,throughput\n5000,88318\n15000,88400\n25000,88440\n35000,88420', { cores: 12 });
    expect(judged.limit).toBe('already-saturated');
    expect(judged.limitFacts.tryLevels).toEqual([1, 12, 24, 48, 96, 120]);
    // Without a level below nobody knows where the knee is.
    expect(judged.knee).toBeUndefined();
    expect(judged.usl).toBeUndefined();
    expect(capacitySentence(judged)).toMatch(
      /^88,440 requests\/s at every level.*Try 1, 12, 24, 48, 96 and 120 connections\.$/,
    );
  });

  test('1 … 300: the knee is near 100', () => {
    const judged = table('level,throughput\n1,1833\n10,18226\n50,74684\n100,86069\n200,88455\n300,88375');
    expect(judged.knee?.concurrency).toBe(100);
    expect(judged.usl?.sigma).toBeCloseTo(0.017, 2);
    expect(judged.usl?.kappa).toBeCloseTo(3.6e-5, 5);
    expect(judged.usl?.r2).toBeGreaterThan(0.98);
    expect(judged.usl?.peak).toBeLessThan(600);
  });

  test('ab 4 … 512: a configured limit at 256, above which throughput falls', () => {
    const judged = table(
      'concurrency;throughput;mean\n4;19.87;201.3\n8;39.72;201.4\n32;158.22;202.2\n128;627.36;204\n256;1189.24;215.3\n512;663.02;772.2',
    );
    expect(judged).toMatchObject({ limit: 'configured', limitFacts: { concurrency: 256, falls: true } });
    expect(judged.findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['configured-limit', 'past-the-knee']),
    );
  });
});

describe('what stands in the way', () => {
  const cpu: Use = (_n, throughput) => ({ processors: (throughput * 200) / 1000, cpuPerRequest: 200 });
  const idle: Use = (_n, throughput) => ({ processors: throughput * 0.001, cpuPerRequest: 1 });

  test('the CPU: cores over CPU time is the ceiling', () => {
    const judged = judge(pool(4, 200), RAMP, cpu);
    expect(judged.limit).toBe('cpu');
    expect(judged.limitFacts.ceiling).toBeCloseTo(20);
    expect(judged.knee?.concurrency).toBe(4);
    expect(capacitySentence(judged)).toContain(
      '4 cores, 200 ms of CPU a request: 20/s is the ceiling, and 20 was reached',
    );
  });

  test('one thread of a machine with more', () => {
    const judged = judge(pool(1, 20), [1, 2, 4, 8, 16], (_n, throughput) => ({
      processors: throughput * 0.02 * 0.97,
      cpuPerRequest: 19.4,
      fullThreads: 1,
      workers: 1,
    }));
    expect(judged).toMatchObject({ limit: 'cpu', limitFacts: { threads: 1 }, knee: { concurrency: 1 } });
    expect(judged.limitFacts.ceiling).toBeCloseTo(51.5, 0);
  });

  test('a pool: configured where it is a round number, else a wait', () => {
    expect(judge(pool(32, 200), RAMP, idle)).toMatchObject({
      limit: 'configured',
      limitFacts: { concurrency: 32 },
      knee: { concurrency: 32 },
    });
    expect(judge(pool(100, 50), [1, 2, 4, 8, 16, 32, 64, 91, 100, 128, 256, 512])).toMatchObject({
      limit: 'configured',
      limitFacts: { concurrency: 100 },
    });
    expect(judge(pool(37, 50), [1, 2, 4, 8, 16, 32, 37, 45, 64, 128, 256])).toMatchObject({
      limit: 'wait',
      limitFacts: { concurrency: 37 },
    });
    expect(capacitySentence(judge(pool(32, 200), RAMP, idle))).toContain(
      'CPU is 96% idle at the plateau: 32 requests at a time',
    );
  });

  test('a lock around 5 of 20 ms: σ = 0.25', () => {
    const judged = judge(lock(5, 15), [1, 2, 3, 4, 6, 8, 12, 16, 32, 64]);
    expect(judged.limit).toBe('contention');
    expect(judged.usl?.sigma).toBeGreaterThan(0.2);
    expect(judged.usl?.sigma).toBeLessThan(0.3);
    expect(judged.usl?.sigmaLow).toBeLessThanOrEqual(judged.usl?.sigma ?? 0);
    expect(judged.usl?.sigmaHigh).toBeGreaterThanOrEqual(judged.usl?.sigma ?? 0);
  });

  test('a fall within the intervals is no coherence', () => {
    // The lock of fixtures/servers, measured beside other programs: [connections, throughput, low, high].
    const measured: readonly (readonly (readonly [number, number, number, number])[])[] = [
      [
        [1, 45.9, 40.3, 51.4],
        [2, 86.1, 79, 93.2],
        [4, 159, 149, 169],
        [5, 171.1, 157.6, 184.5],
        [6, 183.5, 168.9, 198.2],
        [7, 197.1, 184.5, 209.8],
        [8, 220.2, 202.9, 237.6],
        [9, 195.1, 178.1, 212.1],
        [11, 204.2, 189.3, 219],
        [16, 207.1, 190.1, 224.1],
        [32, 204.3, 187.6, 221.1],
        [64, 212.9, 194.5, 231.2],
        [128, 190.1, 183.3, 196.8],
      ],
      [
        [1, 46.5, 39.5, 53.5],
        [2, 90.4, 83.1, 97.8],
        [4, 151.5, 141.7, 161.3],
        [5, 186.3, 177.5, 195],
        [8, 212.2, 194.3, 230],
        [11, 214.2, 200.9, 227.5],
        [13, 193.6, 177.8, 209.3],
        [16, 215.6, 200.4, 230.8],
        [32, 225.8, 212.1, 239.6],
        [64, 216.9, 207.9, 225.9],
        [128, 198.8, 161, 236.7],
        [256, 200.6, 193.8, 207.4],
      ],
    ];
    for (const levels of measured) {
      const judged = judgeCapacity(around(levels), CONTEXT);
      expect(judged.limit).toBe('contention');
      expect(judged.limitFacts.falls).toBeUndefined();
      expect(judged.findings.map(({ code }) => code)).not.toContain('past-the-knee');
    }
    // The same levels with a real fall.
    const [first = []] = measured;
    expect(judgeCapacity(around([...first.slice(0, -1), [128, 140, 133, 147]]), CONTEXT).limit).toBe('coherence');
  });

  test('a pool of which one level was disturbed is no contention', () => {
    // The pool of fixtures/servers; at 32, something else took a tenth.
    const levels = around([
      [1, 4.9, 4.9, 5],
      [2, 9.9, 9.9, 10],
      [4, 19.7, 19.7, 19.8],
      [8, 39.5, 39.3, 39.7],
      [16, 78.8, 78.4, 79.3],
      [23, 113.5, 112.7, 114.4],
      [27, 133.4, 132.4, 134.4],
      [32, 142, 132, 152],
      [38, 158.8, 158.1, 159.4],
      [45, 159.5, 158.9, 160],
      [64, 159.2, 158.7, 159.8],
      [128, 159.3, 159.1, 159.6],
      [256, 159.4, 159, 159.7],
    ]);
    expect(judgeCapacity(levels, CONTEXT)).toMatchObject({ limit: 'configured', limitFacts: { concurrency: 32 } });
  });

  test('agreement: κ, and a maximum', () => {
    const judged = judge(coherence(20, 0.002), [1, 2, 4, 8, 16, 23, 32, 64, 128]);
    expect(judged.limit).toBe('coherence');
    expect(judged.usl?.kappa).toBeCloseTo(0.002, 4);
    expect(judged.usl?.sigma).toBeCloseTo(0, 3);
    expect(judged.usl?.peak).toBeCloseTo(22.4, 0);
  });

  test('nothing yet, and nothing beyond twice what was measured', () => {
    const judged = judge(() => 200, [1, 2, 4, 8, 16]);
    expect(judged.limit).toBe('not-reached');
    expect(judged.usl?.peak).toBeUndefined();
    expect(judged.usl?.curve.at(-1)?.concurrency).toBeCloseTo(32);
  });

  test('the driver ends the result where it is the limit', () => {
    const levels = [1, 2, 4, 8].map((n) =>
      levelOf({ concurrency: n }, [
        {
          ...passOf(n, () => 10),
          figures: { ...passOf(n, () => 10).figures, driver: { own: n / 9, sockets: n } },
        },
      ]),
    );
    const judged = judgeCapacity(levels, CONTEXT);
    expect(judged).toMatchObject({ limit: 'driver', limitFacts: { from: 8, driver: 'own' }, max: { concurrency: 4 } });
    expect(capacitySentence(judged)).toContain('From 8 on the load generator is the limit, not the server');
    // Half of it is a mark, and no doubt in the level.
    expect(levels.map(({ stable }) => stable)).toEqual([true, true, true, false]);
  });

  test('a machine whose processors are taken away is no limit of the server', () => {
    const stolen = (share: number) =>
      [1, 2, 4, 8].map((n) => levelOf({ concurrency: n }, [{ ...passOf(n, () => 10), steal: n === 8 ? share : 0 }]));
    const taken = judgeCapacity(stolen(0.9), CONTEXT);
    expect(taken).toMatchObject({ limit: 'driver', limitFacts: { from: 8, driver: 'steal' }, max: { concurrency: 4 } });
    expect(capacitySentence(taken)).toContain('the host takes away CPU time of its machine');
    const some = findingsInWords(judgeCapacity(stolen(0.1), CONTEXT).findings);
    expect(some.map(({ code }) => code)).toContain('stolen-time');
    const none = findingsInWords(judgeCapacity(stolen(0), CONTEXT).findings);
    expect(none.map(({ code }) => code)).not.toContain('stolen-time');
  });

  test('a server that refuses what is too much', () => {
    const levels = [1, 2, 4, 8, 16, 18].map((n) => {
      const pass = passOf(Math.min(n, 16), () => 50);
      const errors = n > 16 ? 1e4 : 0;
      return levelOf({ concurrency: n }, [
        { figures: { ...pass.figures, errors, errorKinds: errors > 0 ? { 'HTTP 503': errors } : {} } },
      ]);
    });
    const judged = judgeCapacity(levels, CONTEXT);
    expect(judged).toMatchObject({ limit: 'configured', limitFacts: { concurrency: 16 }, max: { concurrency: 16 } });
    // The driver is busy with refusals alone. Busy before them, or with other errors, it is the limit.
    const [good, refusing] = [levels.slice(0, -1), levels.at(-1) as CapacityLevel];
    const busy = { ...refusing, driverBusy: 0.9 };
    expect(judgeCapacity([...good, busy], CONTEXT)).toMatchObject({
      limit: 'configured',
      limitFacts: { concurrency: 16 },
    });
    expect(judgeCapacity([...good, { ...busy, errorKinds: { 'HTTP 500': 1e4 } }], CONTEXT).limit).toBe('configured');
    const before = { ...busy, concurrency: 17, errors: 0, errorShare: 0 };
    expect(judgeCapacity([...good, before, busy], CONTEXT).limit).toBe('driver');
    expect(judgeCapacity([...good, { ...busy, errorKinds: { ECONNRESET: 1e4 } }], CONTEXT).limit).toBe('driver');
    expect(findingsInWords(judged.findings)[0]?.message).toMatch(
      /^At 18 connections, 97% of the requests failed \(HTTP 503\)/,
    );
  });
});

test('flat from one connection on is the knee of one worker, and from more on it is saturated', () => {
  expect(judge(pool(1, 20), [1, 2, 4, 8]).limit).not.toBe('already-saturated');
  expect(judge(pool(1, 20), [8, 16, 32]).limit).toBe('already-saturated');
});

test('a p90 that grows as connections do is a queue', () => {
  const [queue] = judge(pool(32, 200)).findings.filter(({ code }) => code === 'queue');
  expect(queue?.facts).toMatchObject({ concurrency: 32, last: 512 });
});

test('the most within a bound', () => {
  const judged = judge(pool(4, 100), RAMP, undefined, { p90: 305 });
  expect(judged.within).toMatchObject({ concurrency: 4, throughput: 40, bound: 305 });
  expect(judge(() => 400, [1, 2, 4], undefined, { p90: 305 }).within?.throughput).toBeUndefined();
});

test('the same levels and the same seed give the same answer, and inputs stay as they are', () => {
  const levels = levelsOf(lock(5, 15), RAMP).toReversed();
  const before = structuredClone(levels);
  expect(judgeCapacity(levels, CONTEXT)).toEqual(judgeCapacity(levels, CONTEXT));
  expect(levels).toEqual(before);
});

test('nothing measured says nothing', () => {
  expect(judgeCapacity([], CONTEXT)).toMatchObject({ levels: [], limit: 'not-reached', findings: [] });
});
