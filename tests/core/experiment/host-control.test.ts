import { describe, expect, it } from 'vitest';
import { hostControl as control } from '../../../src/core/experiment/host-control.ts';
import type { PlacedRun } from '../../../src/model/compare/comparison.ts';
import type { HostResult } from '../../../src/model/result/result.ts';
import { hostComparisonInWords } from '../../../src/wording/compare/host-comparison.ts';

const hostControl = (runs: Parameters<typeof control>[0]) => hostComparisonInWords(control(runs));

/** Twenty pairs on a machine that is as `host` says before each load. */
function runs(
  host: (run: Pick<PlacedRun, 'build' | 'index'>) => HostResult | undefined,
  blocks = 10,
): readonly PlacedRun[] {
  return Array.from({ length: blocks * 4 }, (_, i) => {
    const build = [0, 3].includes(i % 4) ? 'base' : 'candidate';
    const seen = host({ build, index: i });
    return {
      index: i + 1,
      role: 'timed',
      ok: true,
      build,
      block: Math.floor(i / 4) + 1,
      order: i % 4,
      ...(seen && { host: seen }),
    };
  });
}
const fit = (microBenchmark?: number): HostResult => ({
  verdict: 'fit',
  reasons: [],
  ...(microBenchmark !== undefined && { microBenchmark }),
});
/** Varies by 4%, in a rhythm that is not that of the builds. */
const steady = (index: number): number => 12 * (1 + 0.01 * ((index * 7) % 5));

describe('hostControl', () => {
  it('finds a machine that was the same for both builds fit', () => {
    const host = hostControl(runs(({ index }) => fit(steady(index))));
    expect(host).toMatchObject({ verdict: 'fit', unfitRuns: 0, control: { differs: false, level: 0.99 } });
    expect(host.control?.low).toBeLessThanOrEqual(0);
    expect(host.control?.high).toBeGreaterThanOrEqual(0);
    expect(host.sentence).toMatch(/^The machine was the same for both builds/);
  });

  it('finds one that was slower for one build', () => {
    const host = hostControl(runs(({ build, index }) => fit(steady(index) * (build === 'candidate' ? 1.08 : 1))));
    expect(host).toMatchObject({ verdict: 'differs', control: { differs: true } });
    expect(host.control?.relative).toBeCloseTo(0.08, 1);
    expect(host.sentence).toMatch(/^The machine itself was \d.*% slower .* before loads of the candidate/);
    const other = hostControl(runs(({ build, index }) => fit(steady(index) * (build === 'base' ? 1.08 : 1))));
    expect(other.sentence).toContain('faster');
  });

  it('finds one that was too often busy unfit, from more than a fifth on', () => {
    const busyIn = (share: number) =>
      hostControl(runs(({ index }) => ({ ...fit(steady(index)), verdict: index < 40 * share ? 'unfit' : 'fit' }), 10));
    expect(busyIn(0.2)).toMatchObject({
      verdict: 'fit',
      unfitRuns: 8,
      sentence: expect.stringContaining('in 8 of 40 loads'),
    });
    expect(busyIn(0.225)).toMatchObject({
      verdict: 'unfit',
      unfitRuns: 9,
      sentence: expect.stringContaining('in 9 of 40 loads'),
    });
  });

  it('does not know what nobody told', () => {
    for (const silent of [[], runs(() => undefined), runs(() => ({ verdict: 'unknown', reasons: [] }))]) {
      expect(hostControl(silent)).toEqual({
        verdict: 'unknown',
        unfitRuns: 0,
        sentence: expect.stringContaining('not known'),
      });
    }
  });

  it('says so when the browser ran on another machine', () => {
    const far = (driver: HostResult['driver'] = 'free'): HostResult => ({ verdict: 'unknown', driver, reasons: [] });
    const host = hostControl(runs(() => far()));
    expect(host).toEqual({ verdict: 'unknown', unfitRuns: 0, sentence: expect.stringContaining('ran on another one') });
    expect(host.sentence).not.toContain('CPU');
    const busy = hostControl(runs(({ index }) => far(index < 3 ? 'busy' : 'free')));
    expect(busy.sentence).toMatch(/had more than half of its CPU busy in 3 of 40 loads\.$/);
  });

  it('uses what there is: readings without a micro-benchmark, and the reverse', () => {
    expect(hostControl(runs(() => fit()))).toEqual({ verdict: 'fit', unfitRuns: 0, sentence: expect.any(String) });
    const only = hostControl(runs(({ index }) => ({ verdict: 'unknown', reasons: [], microBenchmark: steady(index) })));
    expect(only.verdict).toBe('fit');
    const few = hostControl(
      runs(({ index }) => ({ verdict: 'unknown', reasons: [], microBenchmark: steady(index) }), 1),
    );
    expect(few).toMatchObject({ verdict: 'unknown', control: { differs: false } });
    expect(few.control).not.toHaveProperty('low');
  });
});
