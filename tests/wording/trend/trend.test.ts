import { expect, test } from 'vitest';
import type { ConditionChange, PageFigures, ShiftFigures } from '../../../src/model/trend.ts';
import { slowerPages, trendInWords, trendSentence } from '../../../src/wording/trend/trend.ts';
import { conditionStories, spanInWords, tickInWords } from '../../../src/wording/trend/words.ts';
import { expectApproved, outlined } from '../../support/approved.ts';

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

const slower = (...conditions: PageFigures['conditions']) => page({ ...shift(6, 'worse'), conditions });
const change = (point: number, what: string, before: string, after: string): ConditionChange => ({
  point,
  what,
  before,
  after,
});
const sentenceOf = (of: PageFigures) => trendInWords([of])[0]?.metrics[0]?.changes[0]?.sentence;
const lost = { ...page(), points: page().points.map((each, i) => (i < 10 ? each : { ...each, runs: 0, failed: 5 })) };
const busyAt6 = machine(6, 'free', 'busy');
const [from, to, later] = ['2026-11-22T08:34:00.000Z', '2026-11-22T19:34:00.000Z', '2026-11-24T08:34:00.000Z'];

test('headlines, changes and dates are approved', () =>
  expectApproved(
    'wording/trend',
    outlined({
      'a slower page': trendSentence(trendInWords([slower()]), 12),
      'its conditions are left to the change below': trendSentence(trendInWords([slower(busyAt6)]), 12),
      'also among several pages': trendSentence(trendInWords([slower(busyAt6), page()]), 12),
      'a page that cannot be measured any more': trendSentence(trendInWords([lost]), 12),
      'a page that did not change': trendSentence(trendInWords([page()]), 12),
      'a change': sentenceOf(slower(busyAt6)),
      'with conditions that changed twice': sentenceOf(slower(busyAt6, machine(7, 'busy', 'free'))),
      'and three times': sentenceOf(
        slower(machine(5, 'free', 'busy'), machine(6, 'busy', 'free'), machine(7, 'free', 'busy')),
      ),
      'conditions that go to and fro': conditionStories([
        change(1, 'machine', 'free', 'busy'),
        change(2, 'machine', 'busy', 'free'),
        change(4, 'browser', 'Chrome/140', 'Chrome/141'),
        change(5, 'machine', 'free', 'busy'),
      ]).map((story) => JSON.stringify(story)),
      'times within a day, and days': [
        spanInWords(from, to),
        spanInWords(from, later),
        tickInWords(from, [from, to]),
        tickInWords(from, [from, later]),
      ],
    }),
  ));

test('a page is slower by its last change, whatever was before', () => {
  const changed = (...directions: readonly ShiftFigures['direction'][]) =>
    slowerPages(
      trendInWords([page(...directions.map((direction, i) => ({ ...shift(3 * i, direction), conditions: [] })))]),
    );
  expect(changed('better', 'worse')).toHaveLength(1);
  expect(changed('worse', 'better')).toEqual([]);
});
