import { expect, it } from 'vitest';
import { placesOfNotices, withoutNotices } from '../../../src/core/visual/notices.ts';
import type { VisualChange } from '../../../src/model/recording/picture.ts';

const BAR = new Set([0, 1, 2, 3]);
const NUMBER = new Set([40]);
const change = (at: number, cells: ReadonlySet<number>, more: Partial<VisualChange> = {}): VisualChange => ({
  at,
  share: 0.01,
  cells,
  ...more,
});
const times = (changes: readonly VisualChange[], longest?: number) =>
  withoutNotices(changes, longest).map(({ at }) => at);

/** The page, and a bar that comes at 1 s, grows, and is gone at 1.6 s, when a number beside it has another value. */
const page = change(200, new Set([...BAR, ...NUMBER, 9]), { share: 0.6 });
const bar = [change(1_000, new Set([0])), change(1_200, new Set([1, 2])), change(1_600, BAR, { shownUntil: 1_000 })];

it('a bar that comes and goes is left out, and what changes beside it is kept', () => {
  const changes = [page, ...bar, change(1_400, NUMBER)].toSorted((a, b) => a.at - b.at);
  expect(times(changes)).toEqual([200, 1_400]);
  expect(placesOfNotices(changes)).toEqual(BAR);
  // In one picture with the number it is told by that.
  expect(times([page, ...bar, change(1_500, new Set([3, ...NUMBER]))])).toContain(1_500);
});

it.each([
  ['stays too long', [change(1_000, BAR), change(4_500, BAR, { shownUntil: 1_000 })]],
  ['covers the page', [change(1_000, BAR, { share: 0.3 }), change(1_600, BAR, { shownUntil: 1_000, share: 0.3 })]],
  [
    'shows a digit again while it counts',
    [change(800, NUMBER), change(900, NUMBER), change(1_000, NUMBER), change(1_200, NUMBER, { shownUntil: 1_000 })],
  ],
  ['goes on', [change(1_000, BAR), change(1_600, BAR, { shownUntil: 1_000 }), change(1_800, BAR)]],
  ['shows something new in the end', [change(1_000, BAR), change(1_600, BAR)]],
])('what %s is kept', (_, changes) => {
  expect(withoutNotices([page, ...changes])).toHaveLength(1 + changes.length);
  expect(placesOfNotices([page, ...changes]).size).toBe(0);
});

it('a page that is as it was before had a notice, as long as is asked for', () => {
  const changes = [page, change(1_000, new Set([5])), change(6_000, new Set([7]), { undoneFrom: 1_000 })];
  expect(times(changes)).toEqual([200]);
  expect(times(changes, 3_000)).toEqual([200, 1_000, 6_000]);
});
