import { expect, it } from 'vitest';
import type { HostSample } from '../../src/model/recording.ts';
import type { ProcessTime } from '../../src/shell/host/processor-users.ts';
import { decide, type Failure, usedBelow } from './starved.ts';

/** Readings of two processors, one a second, with the share that others had in each second, or the hypervisor. */
function readings(shares: readonly number[], by: 'others' | 'hypervisor' = 'others'): readonly HostSample[] {
  let taken = 0;
  return [0, ...shares].map((share, second) => {
    taken += share * 2_000;
    const suite = second * 500;
    const busy = suite + (by === 'others' ? taken : 0);
    return {
      at: second * 1_000,
      cores: 2,
      total: second * 2_000,
      busy,
      browser: suite,
      steal: busy === suite ? taken : 0,
    };
  });
}

const between = (from: number, to: number, live = true): Failure => ({ name: `${from}`, live, from, to });
const decided = (failures: readonly Failure[], samples: readonly HostSample[]) => {
  const { red, again } = decide(failures, samples);
  return { red: red.map(({ name }) => name), again: again.map(({ name, taken }) => `${name}: ${taken}`) };
};

it('runs again what failed while others had the processors, and nothing that failed before or after', () => {
  const samples = readings([0, 0, 0, 0.6, 0.6, 0, 0, 0]);
  const failures = [between(100, 2_900), between(2_100, 4_500), between(6_200, 7_900)];
  expect(decided(failures, samples)).toEqual({ red: ['100', '6200'], again: ['2100: 0.6'] });
});

it('counts a short time in a long test, and what the hypervisor takes', () => {
  expect(decided([between(500, 7_500)], readings([0, 0, 0, 0, 0.5, 0.5, 0, 0])).again).toEqual(['500: 0.5']);
  expect(decided([between(500, 2_500)], readings([0.5, 0.5, 0.5], 'hypervisor')).again).toEqual(['500: 0.5']);
});

it('does not run again what failed beside others that did little', () => {
  expect(decided([between(500, 2_500)], readings([0.1, 0.1, 0.1])).again).toEqual([]);
});

it('does not run again what needs no browser', () => {
  expect(decided([between(0, 2_000, false)], readings([0.9, 0.9])).red).toEqual(['0']);
});

it('does not run again where the system does not tell how busy others are', () => {
  const samples = readings([0.9, 0.9]).map(({ browser: _browser, ...sample }) => sample);
  expect(decided([between(0, 2_000)], samples).red).toEqual(['0']);
});

it('does not run again so much that something must be broken', () => {
  const many = Array.from({ length: 21 }, () => between(0, 2_000));
  expect(decide(many, readings([0.9, 0.9])).red).toHaveLength(21);
});

it('adds up what a process has started, also what has ended', () => {
  const time = (parent: number, used: number, usedByEnded: number): ProcessTime => ({
    name: 'node',
    startedAt: '1',
    parent,
    used,
    usedByEnded,
  });
  const times = new Map([
    [1, time(0, 9_000, 9_000)],
    [10, time(1, 7_000, 100)],
    [11, time(10, 20, 3)],
    [12, time(11, 4, 0)],
    [13, time(1, 8_000, 0)],
    // Its parent is not visible from here.
    [14, time(99, 8_000, 0)],
  ]);
  expect(usedBelow(10, times)).toBe(127);
});
