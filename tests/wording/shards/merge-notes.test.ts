import { describe, expect, it } from 'vitest';
import { busyNote } from '../../../src/core/merge/merge-notes.ts';
import type { JoinedRun } from '../../../src/core/merge/placed-runs.ts';
import type { LeftOut, MergeNote } from '../../../src/model/shards/merge-note.ts';
import { leftOutInWords, mergeNoteInWords } from '../../../src/wording/shards/merge-notes.ts';
import { expectApproved, outlined, type Samples, wordsOf } from '../../support/approved.ts';

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

const LEFT: Samples<LeftOut> = {
  'no-result': [{ path: 'a' }],
  capacity: [{ path: 'a' }],
  whole: [{ path: 'a' }],
  merged: [{ path: 'a' }],
  copy: [{ path: 'a', of: 'b', index: 2 }],
  unreadable: [{ failure }],
};

const NOTES: Samples<MergeNote> = {
  'left-out': [{ reason: { code: 'no-result', path: 'a' } }],
  'gates-not-measured': [{ metrics: ['pageComplete', 'ofAnotherVersion'] }],
  'machines-disagree': [
    {
      metric: 'pageComplete',
      unit: 'ms',
      scale: 'shift',
      least: { machine: 1, change: -10 },
      most: { machine: 3, change: 200 },
    },
  ],
  'unlike-rules': [{ groups: [[1, 2], [3]] }],
  'other-version': [{ measured: '0.1.0', joined: '0.2.0' }],
  'unlike-sources': [{ what: 'pages', groups: [{ value: 'unknown', shards: [1] }] }],
  'busy-machines': [
    { shards: [{ index: 2, unfit: 18, loads: 20 }] },
    { shards: Array.from({ length: 30 }, (_, i) => ({ index: i + 1, unfit: 20, loads: 20 })) },
  ],
  'no-inventories': [{ shards: [1] }],
  'unlike-browsers': [
    {
      groups: [
        { value: 'Chrome/140', shards: [1, 3] },
        { value: 'Chrome/141', shards: [2] },
      ],
    },
  ],
  'unlike-arguments': [
    {
      groups: [
        { value: 'none', shards: [1] },
        { value: '--disable-gpu', shards: [2] },
      ],
    },
  ],
  'far-apart': [{ apart: 172_800_000 }],
  'pages-apart': [{ isKnown: true }, { isKnown: false }],
};

it('notes on what was joined and what was left out have their words', () =>
  expectApproved(
    'wording/merge-notes',
    outlined({ notes: wordsOf(NOTES, mergeNoteInWords), 'left out': wordsOf(LEFT, leftOutInWords) }),
  ));
