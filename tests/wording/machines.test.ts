import { describe, expect, it } from 'vitest';
import type { JoinedRun } from '../../src/core/merge/placed-runs.ts';
import { busyNote } from '../../src/wording/machines.ts';

/** Twenty loads of each shard, of which so many met a busy machine. */
const loads = (...busy: readonly number[]) =>
  busy.flatMap((unfit, i) =>
    Array.from(
      { length: 20 },
      (_, n) =>
        ({
          run: { host: { verdict: n < unfit ? 'unfit' : 'fit', reasons: [] } },
          shard: { index: i + 1 },
        }) as unknown as JoinedRun,
    ),
  );

describe('machines that were busy', () => {
  it('are named by their shards, where it was more than now and then', () => {
    expect(busyNote(loads(0, 18, 4, 5))).toEqual([
      'On machines that were busy with other work: shard 2 in 18 of 20 loads and shard 4 in 5 of 20 loads.',
    ]);
    expect(busyNote(loads(...Array.from({ length: 30 }, () => 20), 0))).toEqual([
      expect.stringMatching(/shard 8 in 20 of 20 loads and 22 more\.$/),
    ]);
  });

  it('need no word when none was, or all were', () => {
    expect(busyNote(loads(0, 4))).toEqual([]);
    expect(busyNote(loads(20, 20))).toEqual([]);
    expect(busyNote([])).toEqual([]);
  });
});
