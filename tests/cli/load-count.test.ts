import { describe, expect, test } from 'vitest';
import { LoadCount } from '../../src/cli/load-count.ts';
import type { Progress } from '../../src/model/result/progress.ts';
import type { RunRole } from '../../src/model/result/result.ts';
import { loadInWords } from '../../src/wording/result/loads.ts';

const AT = { target: 'http://x/', index: 1, of: 5 } as const;
const started = (role: RunRole): Progress => ({ kind: 'run-started', ...AT, role });
const finished = (role: RunRole, at?: number): Progress => {
  const pageComplete = {
    state: 'complete',
    at,
    observedUntil: 9_000,
    raw: { state: 'never' },
    waitingFor: [],
  } as const;
  return {
    kind: 'run-finished',
    ...AT,
    run: { index: 1, role, ok: true, ...(at !== undefined && { pageComplete }) },
  } as Progress;
};
const ahead = (loads: number, atMost = false): Progress => ({ kind: 'loads-ahead', loads, atMost });

const told = (count: LoadCount, now: number): string => {
  const place = count.place(now);
  return place === undefined ? '' : loadInWords(place);
};

describe('the whole of a job', () => {
  test('is told with each load, and how long it takes from the first that is like the others', () => {
    const count = new LoadCount();
    expect(told(count, 0)).toBe('');
    count.count(ahead(7), 0);
    count.count(started('evidence'), 0);
    expect(told(count, 5_000)).toBe('load 1 of 7, filming the page, which takes longest');
    count.count(finished('evidence'), 21_000);
    // No suspects: there is no ablation run.
    count.count(ahead(5), 21_000);
    count.count(started('timed'), 21_000);
    expect(told(count, 22_000)).toBe('load 2 of 6');
    count.count(finished('timed'), 27_000);
    // A step of the page is no load.
    count.count(finished('timed'), 27_000);
    count.count(ahead(4), 27_000);
    count.count(started('timed'), 27_000);
    expect(told(count, 29_000)).toBe('load 3 of 6, about 20 s left');
    expect(told(count, 99_000)).toBe('load 3 of 6, about 20 s left');
  });

  test('says how long it takes at most, by the settings, until more is known', () => {
    const count = new LoadCount();
    count.count({ kind: 'loads-ahead', loads: 3, atMost: false, within: 300_000 }, 0);
    count.count(started('evidence'), 0);
    expect(told(count, 60_000)).toBe('load 1 of 3, filming the page, which takes longest, at most 4 min left');
    count.count(started('ablation'), 60_000);
    expect(told(count, 120_000)).toBe('load 2 of 3, blocking background traffic, at most 3 min left');
    count.count(finished('ablation'), 130_000);
    count.count(finished('evidence', 800), 130_000);
    count.count({ kind: 'loads-ahead', loads: 2, atMost: false, within: 170_000 }, 130_000);
    count.count(started('timed'), 130_000);
    expect(told(count, 131_000)).toMatch(/^load 3 of 4, about \d+ s left$/);
  });

  test('counts loads that are under way at the same time', () => {
    const count = new LoadCount();
    count.count(ahead(7), 0);
    count.count(started('evidence'), 0);
    count.count(started('ablation'), 4_000);
    expect(told(count, 5_000)).toBe('load 2 of 7, blocking background traffic');
    count.count(finished('ablation'), 6_000);
    expect(told(count, 7_000)).toBe('load 2 of 7, filming the page, which takes longest');
    count.count(finished('evidence'), 9_000);
    count.count(started('timed'), 9_000);
    expect(told(count, 9_000)).toBe('load 3 of 7');
  });

  test('of a comparison is at most so long', () => {
    const count = new LoadCount();
    count.count(ahead(84, true), 0);
    count.count(started('ablation'), 0);
    expect(told(count, 1)).toBe('load 1 of at most 84, blocking background traffic');
    // It was watched for longer than a timed load is.
    count.count(finished('ablation', 1_500), 6_000);
    count.count(started('timed'), 6_000);
    expect(told(count, 6_000)).toBe('load 2 of at most 84, at most about 8 min left');
    // A load that is repeated is the same one.
    count.count(started('timed'), 12_000);
    expect(told(count, 12_000)).toContain('load 2 of');
  });

  test.each([
    [100, '1 s'],
    [9_400, '9 s'],
    [23_000, '25 s'],
    [100_000, '2 min'],
    [7_200_000, '2 h'],
  ])('%i ms are about %s', (left, words) => {
    expect(loadInWords({ index: 1, of: 2, atMost: false, role: 'timed', left })).toBe(
      `load 1 of 2, about ${words} left`,
    );
  });
});
