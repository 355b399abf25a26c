import { describe, expect, it } from 'vitest';
import type { HostSample } from '../../src/model/recording/recording.ts';
import type { ProcessTime } from '../../src/shell/host/processor-users.ts';
import { clockBelow, decide, type Failure } from './starved.ts';

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
  const samples = readings([0, 0, 0, 0.6, 0.6, 0.6, 0, 0, 0]);
  const failures = [between(100, 2_900), between(2_100, 5_500), between(7_200, 8_900)];
  expect(decided(failures, samples)).toEqual({ red: ['100', '7200'], again: ['2100: 0.6'] });
});

it('counts a short time in a long test, and what the hypervisor takes', () => {
  expect(decided([between(500, 7_500)], readings([0, 0, 0, 0, 0.5, 0.5, 0.5, 0])).again).toEqual(['500: 0.5']);
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

describe('the clock of what a process has started', () => {
  const time = (parent: number, used: number, usedByEnded = 0, startedAt = '1'): ProcessTime => ({
    name: 'node',
    startedAt,
    parent,
    used,
    usedByEnded,
  });
  /** How far it goes from one reading to the next. */
  const steps = (...readings: readonly (readonly (readonly [number, ProcessTime])[])[]): readonly number[] => {
    const sums = readings.map((each) => new Map(each)).map(clockBelow(10));
    return sums.slice(1).map((sum, index) => sum - (sums[index] ?? 0));
  };

  it('counts children and theirs, and neither itself nor others', () => {
    const at = (n: number) =>
      [
        [1, time(0, 900 * n)],
        [10, time(1, 700 * n)],
        [11, time(10, 20 * n)],
        [12, time(11, 4 * n)],
        [13, time(1, 800 * n)],
        // Its parent cannot be seen from here.
        [14, time(99, 800 * n)],
      ] as const;
    expect(steps(at(1), at(2))).toEqual([24]);
  });

  it('counts what ended once, and what began and ended between two readings', () => {
    const root = (usedByEnded: number) => [10, time(1, 0, usedByEnded)] as const;
    expect(steps([root(0), [11, time(10, 50)]], [root(70)], [root(100)])).toEqual([20, 30]);
  });

  it('does not go back when what nobody waited for has ended', () => {
    expect(
      steps(
        [
          [10, time(1, 0)],
          [11, time(10, 50)],
        ],
        [[10, time(1, 0)]],
      ),
    ).toEqual([0]);
  });

  it('goes on with what has lost its parent, and not with another process of its number', () => {
    const root = [10, time(1, 0)] as const;
    expect(
      steps(
        [root, [11, time(10, 0)], [12, time(11, 50)]],
        [root, [12, time(1, 60)], [13, time(12, 5)]],
        [root, [12, time(1, 99, 0, '2')]],
      ),
    ).toEqual([15, 0]);
  });
});
