import { expect, test } from 'vitest';
import { isPrivateAddress } from '../../../src/core/capacity/host-address.ts';
import { levelOf } from '../../../src/core/capacity/level.ts';
import { weightedRoundRobin } from '../../../src/core/capacity/mix.ts';
import { nextLevel, type RampSettings, refinement } from '../../../src/core/capacity/ramp.ts';
import type { CapacityLevel } from '../../../src/model/capacity.ts';
import { type Law, levelsOf, passOf, pool } from './simulated.ts';

const SETTINGS: RampSettings = { maxConcurrency: 4096 };

function climb(law: Law, settings = SETTINGS) {
  const levels: CapacityLevel[] = [];
  for (;;) {
    const next = nextLevel(levels, settings);
    if ('ended' in next)
      return { levels: levels.map(({ concurrency }) => concurrency), ended: next.ended, all: levels };
    levels.push(...levelsOf(law, [next.concurrency]));
  }
}

test('doubles until throughput no longer grows, and far enough for the law', () => {
  expect(climb(pool(4, 20))).toMatchObject({ levels: [1, 2, 4, 8, 16, 32, 64], ended: { code: 'flat' } });
  // Not where each request would take seconds.
  expect(climb(pool(4, 500))).toMatchObject({ levels: [1, 2, 4, 8, 16], ended: { code: 'flat' } });
  expect(climb(() => 20, { maxConcurrency: 100 })).toMatchObject({
    levels: [1, 2, 4, 8, 16, 32, 64, 100],
    ended: { code: 'max-concurrency' },
  });
  expect(climb(() => 20, { ...SETTINGS, levels: [3, 5] })).toMatchObject({
    levels: [3, 5],
    ended: { code: 'levels-done' },
  });
});

test('ends at errors, time-outs and a busy driver', () => {
  const failed = (errorKinds: Record<string, number>) => {
    const pass = passOf(8, () => 20);
    return levelOf({ concurrency: 8 }, [{ figures: { ...pass.figures, errors: 100, errorKinds } }]);
  };
  expect(nextLevel([failed({ 'HTTP 503': 100 })], SETTINGS)).toEqual({ ended: { code: 'errors', concurrency: 8 } });
  expect(nextLevel([failed({ timeout: 100 })], SETTINGS)).toEqual({ ended: { code: 'timeouts', concurrency: 8 } });
  const pass = passOf(8, () => 20);
  const busy = levelOf({ concurrency: 8 }, [{ figures: { ...pass.figures, driver: { own: 0.9, sockets: 8 } } }]);
  expect(nextLevel([busy], SETTINGS)).toEqual({ ended: { code: 'driver', concurrency: 8 } });
});

test('looks closer where the curve bends, and at the corner itself', () => {
  const { all } = climb(pool(100, 50));
  expect(refinement(all, SETTINGS)).toEqual(expect.arrayContaining([91, 100]));
  expect(refinement(all, { ...SETTINGS, levels: [1, 2] })).toEqual([]);
  expect(refinement(all, { ...SETTINGS, p90: 80 })).toEqual(expect.arrayContaining([181]));
});

test('a mix has each URL as often as its weight says', () => {
  const turns = weightedRoundRobin([
    { url: 'a', weight: 3, headers: [] },
    { url: 'b', weight: 1, headers: [] },
  ]);
  expect(turns.filter(({ url }) => url === 'a')).toHaveLength(3);
  expect(turns).toHaveLength(4);
});

test('only this machine and private networks are loaded unasked', () => {
  const own = [
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    'localhost',
  ];
  expect(own.filter((address) => !isPrivateAddress(address))).toEqual([]);
  const others = [
    '8.8.8.8',
    '172.32.0.1',
    '192.169.0.1',
    '100.64.0.1',
    '2001:db8::1',
    '::ffff:8.8.8.8',
    '11.0.0.1',
    'fdic.gov',
  ];
  expect(others.filter(isPrivateAddress)).toEqual([]);
});
