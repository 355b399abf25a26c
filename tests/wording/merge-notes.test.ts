import { describe, expect, it } from 'vitest';
import { busyNote } from '../../src/core/merge/merge-notes.ts';
import type { JoinedRun } from '../../src/core/merge/placed-runs.ts';
import type { LeftOut, MergeNote } from '../../src/model/merge-note.ts';
import { leftOutInWords, mergeNoteInWords } from '../../src/wording/merge-notes.ts';

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
    expect(busyNote(loads(0, 18, 4, 5)).map(mergeNoteInWords)).toEqual([
      'On machines that were busy with other work: shard 2 in 18 of 20 loads and shard 4 in 5 of 20 loads.',
    ]);
    expect(busyNote(loads(...Array.from({ length: 30 }, () => 20), 0)).map(mergeNoteInWords)).toEqual([
      expect.stringMatching(/shard 8 in 20 of 20 loads and 22 more\.$/),
    ]);
  });

  it('need no word when none was, or all were', () => {
    expect(busyNote(loads(0, 4))).toEqual([]);
    expect(busyNote(loads(20, 20))).toEqual([]);
    expect(busyNote([])).toEqual([]);
  });
});

const failure = { code: 'result-not-json', message: 'a/result.json is not JSON.' };

const LEFT: readonly (readonly [LeftOut, string])[] = [
  [{ code: 'no-result', path: 'a' }, 'a contains no result of a shard'],
  [{ code: 'capacity', path: 'a' }, 'a is the capacity of a server'],
  [{ code: 'whole', path: 'a' }, 'a is of a whole job, not of a shard'],
  [{ code: 'merged', path: 'a' }, 'a is merged already, not of a shard'],
  [{ code: 'copy', path: 'a', of: 'b', index: 2 }, 'a is a copy of b (shard 2)'],
  [{ code: 'unreadable', failure }, 'a/result.json is not JSON'],
];

it.each(LEFT)('left out: %j', (reason, text) => expect(leftOutInWords(reason)).toBe(text));

// What shards do not have in common is in the tests of their summaries.
const NOTES: readonly (readonly [MergeNote, string])[] = [
  [{ code: 'left-out', reason: { code: 'no-result', path: 'a' } }, 'Left out: a contains no result of a shard.'],
  [
    { code: 'gates-not-measured', metrics: ['pageComplete', 'ofAnotherVersion'] },
    'Not measured in any load, so it does not decide: Page complete, ofAnotherVersion.',
  ],
  [
    {
      code: 'machines-disagree',
      metric: 'pageComplete',
      unit: 'ms',
      scale: 'shift',
      least: { machine: 1, change: -10 },
      most: { machine: 3, change: 200 },
    },
    'The machines disagree on Page complete: from −10 ms on machine 1 to +200 ms on machine 3. The result is for all of them together, and may not apply to any single one.',
  ],
  [
    { code: 'unlike-rules', groups: [[1, 2], [3]] },
    'Not all shards left out the same background traffic (shards 1 and 2; shard 3): each group is compared within itself.',
  ],
  [{ code: 'other-version', measured: '0.1.0', joined: '0.2.0' }, 'Measured with Quiesce 0.1.0, joined with 0.2.0.'],
  [
    { code: 'unlike-sources', what: 'pages', groups: [{ value: 'unknown', shards: [1] }] },
    'The state of the source was not the same, or not known: unknown (shard 1).',
  ],
];

it.each(NOTES)('%j', (note, text) => expect(mergeNoteInWords(note)).toBe(text));
