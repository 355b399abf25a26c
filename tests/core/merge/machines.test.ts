import { expect, it } from 'vitest';
import { machinesOf } from '../../../src/core/merge/machines.ts';

/** Shards by the names of their machines, and by which rules they judged. */
const numbers = (...shards: readonly (readonly [machine: string | undefined, rules: string])[]) =>
  machinesOf(
    shards.map(([machine, rules], i) => ({ place: { index: i + 1, of: 4, total: 20, work: 'w', machine }, rules })),
  );

it('machines are told apart by their names', () => {
  expect(numbers(['a', ''], ['b', ''], ['a', ''])).toEqual([1, 2, 1]);
});

it('machines without a name are each one of its own', () => {
  expect(numbers([undefined, ''], [undefined, ''], ['a', ''])).toEqual([1, 2, 3]);
});

it('machines count as another where pages were judged by other rules: such figures must not be compared', () => {
  expect(numbers(['a', 'x'], ['a', 'y'], ['a', 'x'])).toEqual([1, 2, 1]);
});
