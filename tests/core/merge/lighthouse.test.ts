import { describe, expect, it } from 'vitest';
import { joinLighthouse } from '../../../src/core/merge/lighthouse.ts';
import type { LighthouseResult } from '../../../src/model/lighthouse/lighthouse.ts';

/** What Lighthouse says of a build in one shard: a run for each score, the middle one stored. */
function inspected(report: string, ...scores: readonly number[]): LighthouseResult {
  const runs = scores.map((performance, i) => ({
    index: i + 1,
    ok: true,
    categories: { performance },
    metrics: { largestContentfulPaint: 1000 * (2 - performance) },
    opportunities: [{ id: report, title: report }],
    wallTime: 5000,
    warnings: [],
  }));
  return {
    version: '13.0.0',
    waited: { strategy: 'own', blocked: [], sentence: 'By its own rule.' },
    runs,
    representative: scores.length > 0 ? 1 : 0,
    categories: {},
    metrics: {},
    opportunities: [],
    report,
  };
}

const PAGE_COMPLETE = { base: 800, candidate: 900 };

describe("Lighthouse's runs in shards", () => {
  it('are numbered on, and summed up anew', () => {
    const joined = joinLighthouse(
      [
        { machine: 1, base: inspected('b1', 0.9, 0.8), candidate: inspected('c1', 0.5, 0.4) },
        { machine: 2, base: inspected('b2', 0.7), candidate: inspected('c2', 0.3) },
      ],
      PAGE_COMPLETE,
    );
    expect(joined?.base?.runs.map(({ index }) => index)).toEqual([1, 2, 3]);
    expect(joined?.base?.categories.performance).toMatchObject({ n: 3, median: 0.8 });
    expect(joined?.candidate).toMatchObject({ pageComplete: 900, version: '13.0.0' });
    expect(joined?.comparisons.runs).toBe(3);
    const [performance] = joined?.comparisons.comparisons ?? [];
    expect(performance).toMatchObject({ name: 'lighthouse:performance', base: 0.8, candidate: 0.4 });
    expect(performance?.difference).toBeCloseTo(-0.4, 9);
  });

  it('are stood for by the one in the middle of those whose reports were stored', () => {
    const base = [0.9, 0.1, 0.5].map((score, i) => ({ machine: i + 1, base: inspected(`b${i + 1}.html`, score) }));
    expect(joinLighthouse(base, PAGE_COMPLETE)?.base).toMatchObject({
      representative: 3,
      report: 'b3.html',
      opportunities: [{ id: 'b3.html' }],
    });
  });

  it('are compared within machines', () => {
    // Between the machines lies more than between the builds.
    const shards = [
      { machine: 1, base: inspected('b1', 0.9), candidate: inspected('c1', 0.88) },
      { machine: 2, base: inspected('b2', 0.5), candidate: inspected('c2', 0.48) },
    ];
    const differenceOf = (all: typeof shards) =>
      joinLighthouse(all, PAGE_COMPLETE)?.comparisons.comparisons[0]?.difference;
    expect(differenceOf(shards)).toBeCloseTo(-0.02, 9);
  });

  it('may be missing in some shards, in one build, or in all', () => {
    expect(joinLighthouse([{ machine: 1 }], PAGE_COMPLETE)).toBeUndefined();
    const joined = joinLighthouse([{ machine: 1 }, { machine: 2, base: inspected('b', 0.9) }], PAGE_COMPLETE);
    expect(joined?.base?.runs).toHaveLength(1);
    expect(joined?.candidate).toBeUndefined();
  });
});
