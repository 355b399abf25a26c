import { expect, test } from 'vitest';
import { MOST_CONNECTIONS } from '../../../src/core/capacity/ramp.ts';
import { type RampedServer, type RampPlan, ramp } from '../../../src/jobs/capacity/ramp.ts';
import { type Law, passOf, pool } from '../../core/capacity/simulated.ts';

const PLAN: RampPlan = { maxConcurrency: MOST_CONNECTIONS, seed: 7, signal: new AbortController().signal };

function server(law: Law, name: RampedServer['name'], log: string[], left = () => 1e9): RampedServer {
  return {
    name,
    left,
    async measure({ concurrency, rate }, { pass }) {
      log.push(`${name} ${rate ?? concurrency} ${pass}`);
      return passOf(concurrency, law);
    },
  };
}

test('climbs, looks closer, and measures everything again in another order', async () => {
  const log: string[] = [];
  const [ramped] = await ramp([server(pool(32, 50), 'base', log)], PLAN);
  const levels = ramped?.levels.map(({ concurrency }) => concurrency);
  expect(ramped?.ended.code).toBe('flat');
  expect(levels).toEqual([1, 2, 4, 8, 16, 23, 27, 32, 38, 45, 64, 128, 256, 512]);
  const second = log.filter((line) => line.endsWith(' 2')).map((line) => Number(line.split(' ')[1]));
  expect(second.toSorted((a, b) => a - b)).toEqual(levels);
  expect(second).not.toEqual(levels);
});

test('two servers take turns at every level', async () => {
  const log: string[] = [];
  const both = await ramp([server(pool(2, 50), 'base', log), server(pool(4, 50), 'candidate', log)], PLAN);
  expect(log.slice(0, 6)).toEqual([
    'base 1 1',
    'candidate 1 1',
    'candidate 2 1',
    'base 2 1',
    'base 4 1',
    'candidate 4 1',
  ]);
  expect(both.map(({ levels }) => Math.max(...levels.map(({ throughput }) => Math.round(throughput))))).toEqual([
    40, 80,
  ]);
});

test('an open load goes through its rates', async () => {
  const log: string[] = [];
  const [ramped] = await ramp([server(() => 20, 'base', log)], {
    ...PLAN,
    open: { rates: [100, 200], connections: () => 32 },
  });
  expect(ramped?.levels.map(({ rate, concurrency }) => [rate, concurrency])).toEqual([
    [100, 32],
    [200, 32],
  ]);
});

test('what was measured before an interruption is kept, and nothing is made of nothing', async () => {
  const stop = new AbortController();
  const interrupted = (after: number): RampedServer => {
    let measured = 0;
    return {
      name: 'base',
      left: () => 1e9,
      async measure({ concurrency }) {
        if (measured === after) stop.abort();
        stop.signal.throwIfAborted();
        measured += 1;
        return passOf(concurrency, () => 20);
      },
    };
  };
  const [kept] = await ramp([interrupted(2)], { ...PLAN, signal: stop.signal });
  expect(kept).toMatchObject({ ended: { code: 'interrupted' }, levels: [{ concurrency: 1 }, { concurrency: 2 }] });
  await expect(ramp([interrupted(0)], { ...PLAN, signal: stop.signal })).rejects.toThrow();
});

test('ends when all requests are sent', async () => {
  let left = 3;
  const [ramped] = await ramp(
    [
      server(
        () => 20,
        'base',
        [],
        () => left--,
      ),
    ],
    PLAN,
  );
  expect(ramped).toMatchObject({ ended: { code: 'max-requests' } });
  expect(ramped?.levels).toHaveLength(3);
});

test('a pass that the cap on requests cut short is left out, and none is made after it', async () => {
  const log: string[] = [];
  const measured = server(pool(8, 50), 'base', log);
  const [ramped] = await ramp(
    [
      {
        ...measured,
        measure: async (plan, place) => ({
          ...(await measured.measure(plan, place)),
          ...(plan.concurrency === 4 && { isCut: true }),
        }),
      },
    ],
    PLAN,
  );
  expect(ramped?.ended).toEqual({ code: 'max-requests', concurrency: 4 });
  expect(ramped?.levels.map(({ concurrency }) => concurrency)).toEqual([1, 2]);
  expect(log).toEqual(['base 1 1', 'base 2 1', 'base 4 1']);
});

test('a pass that others ruined is made again, and one that the driver ruined is not', async () => {
  const busy = (own: number, waiting: number) => {
    const pass = passOf(1, () => 20);
    return { ...pass, figures: { ...pass.figures, driver: { own, waiting, sockets: 1 } } };
  };
  const passes = [busy(0.1, 0.9), busy(0.1, 0.1), busy(0.1, 0.1), busy(0.95, 0)];
  let count = 0;
  const measured: RampedServer = {
    name: 'base',
    left: () => 1e9,
    measure: async () => passes[count++] ?? busy(0.95, 0),
  };
  const [ramped] = await ramp([measured], { ...PLAN, levels: [1] });
  expect(ramped?.levels[0]?.driverBusy).toBeCloseTo(0.2);
  expect(count).toBe(3);
  count = 3;
  await ramp([measured], { ...PLAN, levels: [1] });
  expect(count).toBe(4);
});
