import { describe, expect, test } from 'vitest';
import type { ConditionChange, PageFigures, ShiftFigures } from '../../src/model/trend.ts';
import { slowerPages, trendInWords, trendSentence } from '../../src/wording/trend.ts';
import { conditionStories, spanInWords, tickInWords } from '../../src/wording/trend-words.ts';

const shift = (point: number, direction: ShiftFigures['direction']): ShiftFigures => ({
  point,
  direction,
  relative: direction === 'worse' ? 0.36 : -0.3,
  absolute: 161,
  low: 0.3,
  high: 0.4,
  level: 0.95,
});
const machine = (point: number, before: string, after: string) => ({ point, name: 'machine', before, after });

/** A page of a day with twelve results that changed at these points. */
const page = (...changes: PageFigures['metrics'][number]['changes']): PageFigures => ({
  page: 'https://shop.example/',
  points: Array.from({ length: 12 }, (_, i) => ({
    at: `2026-11-22T${String(8 + i).padStart(2, '0')}:34:00.000Z`,
    result: `${i}/result.json`,
    runs: 5,
    failed: 0,
  })),
  metrics: [
    {
      metric: 'pageComplete',
      title: 'Page complete',
      unit: 'ms',
      scale: 'ratio',
      values: [],
      levels: [
        { from: 0, to: 5, n: 6, median: 469 },
        { from: 6, to: 11, n: 6, median: 630 },
      ],
      changes,
    },
  ],
  conditions: [],
});

describe('the headline', () => {
  test('has the number, the page, the date and the time', () => {
    const pages = trendInWords([page({ ...shift(6, 'worse'), conditions: [] })]);
    expect(trendSentence(pages, 12)).toBe(
      'https://shop.example/: Page complete is 36% slower since 22 Nov 2026, 14:34 UTC (30% to 40%): 630 ms instead of 469 ms.',
    );
    expect(slowerPages(pages)).toEqual([trendSentence(pages, 12)]);
  });

  test('says of conditions that changed twice only what they came to', () => {
    const told = (...conditions: PageFigures['conditions']) =>
      trendInWords([page({ ...shift(6, 'worse'), conditions })])[0]?.metrics[0]?.changes[0]?.sentence;
    expect(told(machine(6, 'free', 'busy'), machine(7, 'busy', 'free'))).not.toContain('conditions');
    expect(told(machine(5, 'free', 'busy'), machine(6, 'busy', 'free'), machine(7, 'free', 'busy'))).toMatch(
      / The conditions changed at about the same time: machine: free before, busy with something else since\.$/,
    );
  });

  test('leaves the conditions to the change below it', () => {
    const pages = trendInWords([page({ ...shift(6, 'worse'), conditions: [machine(6, 'free', 'busy')] })]);
    expect(pages[0]?.metrics[0]?.changes[0]?.sentence).toContain('conditions changed');
    expect(trendSentence(pages, 12)).not.toContain('conditions');
    expect(trendSentence([...pages, ...trendInWords([page()])], 12)).not.toContain('conditions');
  });
});

test('a page that is faster since its last change is not slower, whatever was before', () => {
  const pages = trendInWords([
    page({ ...shift(3, 'worse'), conditions: [] }, { ...shift(6, 'better'), conditions: [] }),
  ]);
  expect(slowerPages(pages)).toEqual([]);
});

test('a condition that goes to and fro is told once', () => {
  const change = (point: number, what: string, before: string, after: string): ConditionChange => ({
    point,
    what,
    before,
    after,
  });
  expect(
    conditionStories([
      change(1, 'machine', 'free', 'busy'),
      change(2, 'machine', 'busy', 'free'),
      change(4, 'browser', 'Chrome/140', 'Chrome/141'),
      change(5, 'machine', 'free', 'busy'),
    ]),
  ).toEqual([
    { what: 'browser', point: 4, text: 'Chrome/140 → Chrome/141' },
    { what: 'machine', text: 'changed 3 times: free ↔ busy' },
  ]);
});

test('within a day times tell results apart', () => {
  const [from, to] = ['2026-11-22T08:34:00.000Z', '2026-11-22T19:34:00.000Z'];
  expect(spanInWords(from, to)).toBe('22 Nov 2026, 08:34 to 19:34 UTC');
  expect(spanInWords(from, '2026-11-24T08:34:00.000Z')).toBe('22 Nov 2026 to 24 Nov 2026');
  expect(tickInWords(from, [from, to])).toBe('08:34');
  expect(tickInWords(from, [from, '2026-11-24T08:34:00.000Z'])).toBe('22 Nov 2026');
});

test('a page that cannot be measured any more comes first', () => {
  const lost = { ...page(), points: page().points.map((each, i) => (i < 10 ? each : { ...each, runs: 0, failed: 5 })) };
  const told = trendSentence(trendInWords([lost]), 12);
  expect(told).toMatch(
    /^https:\/\/shop\.example\/: not measured in the last 2 results, since 22 Nov 2026, 18:34 UTC: every load failed\. /,
  );
  expect(trendSentence(trendInWords([page()]), 12)).not.toContain('not measured');
});
