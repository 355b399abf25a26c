import { describe, expect, it } from 'vitest';
import { hostHealth } from '../../src/core/host/health.ts';
import { visitOf } from '../../src/core/measure.ts';
import { metrics } from '../../src/core/metrics/index.ts';
import { breakdownOf } from '../../src/core/path/breakdown.ts';
import { estimateMedian } from '../../src/core/time/median.ts';
import type { Recording } from '../../src/model/recording/recording.ts';
import type { RunResult } from '../../src/model/result/result.ts';
import { summarize } from '../../src/result/summary.ts';
import { POLICY, page, recordingOf, type Script } from '../support/scripted.ts';

const script: Script = {
  requests: page(
    { path: '/a.js', from: 30, to: 120, type: 'script' },
    { path: '/api', from: 200, to: 400 },
    { path: '/es', from: 100, type: 'eventsource' },
  ),
  dcl: 150,
  load: 160,
  paints: [450],
  until: 4_000,
};
const visit = (more: Partial<Recording> = {}, of = script) => visitOf({ ...recordingOf(of), ...more }, POLICY);
const read = (name: string, more: Partial<Recording> = {}) =>
  metrics.find((each) => each.name === name)?.read(visit(more));

describe('the list of metrics', () => {
  it('has unique names and titles', () => {
    expect(new Set(metrics.map((each) => each.name)).size).toBe(metrics.length);
    expect(new Set(metrics.map((each) => each.title)).size).toBe(metrics.length);
  });

  it.each(metrics)('$name reads a number or nothing, from a page that never was too, and changes nothing', (metric) => {
    const empty = visitOf({ ...recordingOf({ requests: [], until: 10 }), mainThread: [] }, POLICY);
    const value = metric.read(empty);
    expect(value === undefined || Number.isFinite(value)).toBe(true);
    const full = visit();
    const before = structuredClone({ timeline: full.timeline, recording: full.recording });
    const read = metric.read(full);
    expect(read === undefined || Number.isFinite(read)).toBe(true);
    expect({ timeline: full.timeline, recording: full.recording }).toEqual(before);
  });
});

describe('metrics', () => {
  it('splits page-complete into main-thread time and wait time', () => {
    const mainThread = [
      { at: 100, taskTime: 60 },
      { at: 500, taskTime: 160 },
    ];
    // Complete at 450: 60 and seven eighths of the next 100.
    expect(read('mainThreadTime', { mainThread })).toBeCloseTo(147.5);
    expect(read('waitTime', { mainThread })).toBeCloseTo(302.5);
    expect(read('mainThreadTime', { mainThread: [] })).toBeUndefined();
    expect(read('mainThreadTime', { mainThread: [{ at: 100, taskTime: 60 }] })).toBeUndefined();
  });

  it('counts what long tasks exceed 50 ms by, between first paint and page-complete', () => {
    const base = recordingOf(script).page;
    if (!base) throw new Error('the script has page timings');
    const longTasks = [
      { at: 0, duration: 190 },
      { at: 200, duration: 120 },
      { at: 430, duration: 500 },
    ];
    // First paint at 100: 90 ms of the first task, all of the second, 20 ms of the last lie between.
    expect(read('totalBlockingTime', { page: { ...base, firstContentfulPaint: 100, longTasks } })).toBe(40 + 70);
    expect(read('totalBlockingTime', { page: base })).toBeUndefined();
  });

  it('takes the worst session window of layout shifts', () => {
    const base = recordingOf(script).page;
    if (!base) throw new Error('the script has page timings');
    const layoutShifts = [
      { at: 100, score: 0.1 },
      { at: 900, score: 0.05 },
      { at: 2_500, score: 0.12 },
    ];
    expect(read('cumulativeLayoutShift', { page: { ...base, layoutShifts } })).toBeCloseTo(0.15);
  });

  it('counts only what the page needed', () => {
    expect(read('requestCount')).toBe(3);
    expect(read('transferSize')).toBe(300);
  });
});

describe('breakdownOf', () => {
  it('sums to page-complete', () => {
    const parts = breakdownOf(visit());
    // 0–40 document, 40–120 and 200–400 components, 120–150 parse, the rest of 450 render.
    expect(parts).toEqual({ basePage: 40, parse: 30, components: 280, render: 100 });
  });

  it('is absent when page-complete is', () => {
    expect(breakdownOf(visit({}, { ...script, until: 1_000 }))).toBeUndefined();
  });
});

describe('estimateMedian', () => {
  it('gives the order-statistic interval with its real coverage', () => {
    // Conover's table for the sign test: n = 5 has 1 − 2/32, n = 6 has 1 − 2/64, n = 9 takes ranks 2 and 8.
    expect(estimateMedian([5, 1, 4, 2, 3])).toEqual({ n: 5, median: 3, low: 1, high: 5, level: 0.9375 });
    expect(estimateMedian([1, 2, 3, 4, 5, 6])).toEqual({ n: 6, median: 3.5, low: 1, high: 6, level: 0.96875 });
    expect(estimateMedian([1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual({
      n: 9,
      median: 5,
      low: 2,
      high: 8,
      level: 1 - 20 / 512,
    });
    const twenty = estimateMedian(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(twenty).toMatchObject({ low: 6, high: 15 });
    expect(twenty?.level).toBeCloseTo(0.9586, 4);
  });

  it('has no interval for one value and no answer for none', () => {
    expect(estimateMedian([7])).toEqual({ n: 1, median: 7 });
    expect(estimateMedian([])).toBeUndefined();
  });

  it('does not sort what it is given', () => {
    const values = [3, 1, 2];
    estimateMedian(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe('summarize', () => {
  const run = (value: number, more: Partial<RunResult> = {}): RunResult => ({
    index: 1,
    role: 'timed',
    ok: true,
    metrics: { pageComplete: value },
    ...more,
  });

  it('says how well runs agree', () => {
    const agreement = (...values: number[]) => summarize(values.map((each) => run(each))).pageComplete?.agreement;
    expect(agreement(1_000, 1_020, 1_040)).toBe('stable');
    expect(agreement(1_000, 1_100, 1_180)).toBe('varies');
    expect(agreement(1_000, 1_000, 1_400)).toBe('disagrees');
    expect(agreement(1, 2, 4)).toBe('stable');
    expect(agreement(1_000)).toBeUndefined();
  });

  it('counts timed runs that were measured, and no others', () => {
    const runs = [run(1, { role: 'discarded' }), run(10), run(20), run(99, { ok: false })];
    expect(summarize(runs).pageComplete).toMatchObject({ n: 2, median: 15 });
  });
});

describe('hostHealth', () => {
  const sample = (busy: number, steal: number, browser: number) => ({
    at: 0,
    cores: 2,
    total: busy + 1_000,
    busy,
    steal,
    browser,
  });

  it('is fit when the browser is what keeps the machine busy', () => {
    const first = { ...sample(0, 0, 0), total: 0 };
    expect(hostHealth([first, { ...sample(900, 0, 800), total: 1_000 }])).toEqual({
      verdict: 'fit',
      busyByOthers: 0.1,
      steal: 0,
      reasonFacts: [],
    });
    expect(hostHealth([first, { ...sample(900, 100, 200), total: 1_000 }])).toMatchObject({
      verdict: 'unfit',
      reasonFacts: [
        { code: 'busy-by-others', share: 0.7 },
        { code: 'steal', share: 0.1 },
      ],
    });
  });

  it('is unknown where nothing is told', () => {
    expect(hostHealth([]).verdict).toBe('unknown');
  });
});
