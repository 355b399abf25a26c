import { describe, expect, it } from 'vitest';
import { byRounds, roundAt, roundsToFilled } from '../../../src/core/background/asked-together.ts';
import type { VisualChange } from '../../../src/model/picture.ts';
import { request } from '../../support/factories.ts';

/** A question that one line of a script asks at these times, the first time from nowhere. */
const asked = (name: string, times: readonly number[], line = 23) => ({
  arrivals: times.map((at) => at + 400),
  requests: times.map((startedAt, i) =>
    request({
      id: `${name}${i}`,
      url: `https://example.com/${name}?v=${i}`,
      type: 'image',
      startedAt,
      endedAt: startedAt + 400,
      initiator:
        i === 0
          ? { type: 'other' }
          : { type: 'script', stack: [{ functionName: 'renew', url: 'https://example.com/app.js', line, column: 9 }] },
    }),
  ),
});
const change = (at: number, cells: readonly number[], covered = 0): VisualChange => ({
  at,
  share: 0.1,
  cells: new Set(cells),
  covered,
});

describe('what is asked together', () => {
  const north = asked('north', [300, 2_800, 5_300]);
  const groups = (...questions: readonly ReturnType<typeof asked>[]) => byRounds(questions).map(({ length }) => length);

  it('is what the same place in a script asks all at once, round by round', () => {
    expect(groups(north, asked('south', [301, 2_802, 5_301]))).toEqual([2]);
    // One of them is asked for once more when the film ends.
    expect(groups(north, asked('south', [301, 2_802, 5_301, 7_800]))).toEqual([2]);
  });

  it('is not what other places ask, at other times, or too seldom to tell', () => {
    expect(groups(north, asked('south', [301, 2_802, 5_301], 24))).toEqual([1, 1]);
    expect(groups(north, asked('south', [301, 3_500, 6_000]))).toEqual([1, 1]);
    expect(groups(asked('north', [300, 2_800]), asked('south', [301, 2_802]))).toEqual([1, 1]);
    expect(groups(asked('north', [300, 2_800, 5_300]), asked('south', [301, 2_802, 5_301, 7_800, 10_300]))).toEqual([
      1, 1,
    ]);
  });
});

describe('rounds that are content', () => {
  const answers = [
    [700, 3_200, 5_700, 8_200],
    [1_400, 3_900, 6_400, 8_900],
  ];
  const count = (...changes: readonly VisualChange[]) =>
    roundsToFilled(
      answers,
      changes.map(({ at }) => at),
      { changes, quietWindow: 3_000 },
    );

  it('are the first, and those that fill an empty place', () => {
    expect(count()).toBe(1);
    expect(count(change(720, [1]), change(1_420, [2]))).toBe(1);
    expect(count(change(720, [1]), change(3_220, [1]), change(3_920, [2]))).toBe(2);
  });

  it('are none that repaint', () => {
    expect(count(change(720, [1]), change(1_420, [2]), change(3_220, [1]), change(6_420, [2]))).toBe(1);
    expect(count(change(720, [1]), change(3_920, [3], 0.9))).toBe(1);
  });

  it('end with a quiet window without one', () => {
    expect(count(change(720, [1]), change(1_420, [2]), change(8_220, [3]))).toBe(1);
  });

  it('are told by the earliest that had just come, where rounds overlap', () => {
    const overlapping = [
      [700, 1_700],
      [1_500, 2_500],
    ];
    expect(roundAt(1_750, overlapping)).toBe(1);
    expect(roundAt(2_510, overlapping)).toBe(2);
    expect(roundAt(9_000, overlapping)).toBe(1);
  });
});
