import { describe, expect, it } from 'vitest';
import {
  countToFilled,
  countToResult,
  resultOf,
  withoutUpdates,
} from '../../../../src/core/background/content/series-result.ts';
import type { VisualChange } from '../../../../src/model/picture.ts';
import type { Request } from '../../../../src/model/timeline.ts';
import { request, response } from '../../../support/factories.ts';

const asked = (sizes: readonly number[], status = 200): readonly Request[] =>
  sizes.map((contentSize, i) =>
    request({
      startedAt: 500 + i * 700,
      endedAt: 540 + i * 700,
      contentSize,
      response: response({ status }),
    }),
  );

describe('a series that goes on changing the screen', () => {
  const cells = (...places: readonly number[]) => new Set(places);
  const arrivals = [700, 1_900, 2_900, 3_900, 4_900, 5_900];
  const changes: readonly VisualChange[] = [
    { at: 720, share: 0.02, covered: 0, cells: cells(1, 2) },
    { at: 1_920, share: 0.06, covered: 0.1, cells: cells(2, 3, 4, 5) },
    { at: 3_920, share: 0.001, covered: 0.5, cells: cells(2) },
    { at: 5_920, share: 0.001, covered: 0.5, cells: cells(2) },
  ];
  const film = { changes, quietWindow: 3_000 };
  const changedAt = changes.map(({ at }) => at);

  it('is content up to the last answer that filled an empty place', () => {
    expect(countToFilled(arrivals, changedAt, film)).toBe(2);
    expect(countToFilled(arrivals, [], film)).toBe(1);
  });

  it('has one answer of content where others repaint, come after a quiet window, or go on filling places', () => {
    const repainted = changes.map((change) => ({ ...change, covered: 0.5 }));
    expect(countToFilled(arrivals, changedAt, { ...film, changes: repainted })).toBe(1);
    // Nobody can say what the first answer changed.
    const second = [{ at: 1_920, share: 0.001, covered: 0.5, cells: cells(2) }, ...changes.slice(2)];
    expect(countToFilled(arrivals, changedAt.slice(1), { ...film, changes: second })).toBe(1);
    // It came together with others, and a thin figure covers little of its place.
    const thin = changes.map((change) => ({ ...change, cells: cells(2), covered: 0.05 }));
    expect(countToFilled(arrivals, changedAt.slice(1), { ...film, changes: thin })).toBe(1);
    expect(countToFilled(arrivals, changedAt, { ...film, quietWindow: 1_000 })).toBe(1);
    const grows = arrivals.map((at, i) => ({ at: at + 20, share: 0.01, covered: 0, cells: cells(i) }));
    const grown = grows.map(({ at }) => at);
    expect(countToFilled(arrivals, grown, { ...film, changes: grows })).toBe(1);
    // One that changed nothing does not tell that the list has stopped growing.
    expect(countToFilled([...arrivals, (arrivals.at(-1) ?? 0) + 500], grown, { ...film, changes: grows })).toBe(1);
  });

  it('may have fewer answers of content than the film can tell, where something moves in step with them', () => {
    const each = arrivals.map((at, i) => ({ at: at + 20, share: 0.002, covered: i === 0 ? 0 : 0.6, cells: cells(2) }));
    expect(withoutUpdates(2, arrivals, each)).toBe(1);
    const larger = each.map((change, i) => (i === 1 ? { ...change, share: 0.01 } : change));
    expect(withoutUpdates(2, arrivals, larger)).toBe(2);
    // Too few came after it to tell.
    expect(withoutUpdates(4, arrivals, each)).toBe(4);
  });

  it('has stopped where few answers are held for long, and changed nothing any more', () => {
    const held = [1_000, 3_200, 9_800];
    const filled = [1_000, 3_200].map((at, i) => ({ at: at + 20, share: 0.005, covered: 0, cells: cells(i) }));
    const filledAt = filled.map(({ at }) => at);
    expect(countToFilled(held, filledAt, { ...film, changes: filled })).toBe(2);
    expect(countToFilled(held.slice(0, 2), filledAt, { ...film, changes: filled })).toBe(1);
  });
});

describe('the result of a job', () => {
  it('is told by what it is like, where all before it are unlike it', () => {
    expect(resultOf(asked([40, 41, 42, 400]), 4)).toEqual({ status: 200, bytes: 400, by: 2_140 });
    expect(resultOf(asked([40, 41, 42, 44]), 4)).toBeUndefined();
    expect(resultOf(asked([400]), 1)).toBeUndefined();
  });

  it('ends what is content wherever it comes, and not after a count', () => {
    const result = { status: 200, bytes: 400, by: 2_000 };
    expect(countToResult(asked([40, 410, 410]), result, 30_000)).toBe(2);
    expect(countToResult(asked([40, 40, 40, 40, 40, 40, 390, 390]), result, 30_000)).toBe(7);
  });

  it('is awaited, and not for ever', () => {
    const result = { status: 200, bytes: 400, by: 2_000 };
    expect(countToResult(asked([40, 40, 40]), result, 5_000)).toBe(3);
    expect(countToResult(asked([40, 40, 40]), result, 10_000)).toBeUndefined();
  });
});
