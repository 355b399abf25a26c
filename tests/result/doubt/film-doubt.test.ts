import { describe, expect, it } from 'vitest';
import type { PageCompleteResult, RunResult } from '../../../src/model/result/result.ts';
import { filmDoubt } from '../../../src/result/doubt/film-doubt.ts';
import { summarize } from '../../../src/result/summary.ts';

const run = (role: RunResult['role'], networkAt: number, at: number, more: Partial<RunResult> = {}): RunResult => ({
  index: role === 'evidence' ? 0 : 1,
  role,
  ok: true,
  pageComplete: { state: 'complete', at, networkAt, observedUntil: 9_000, raw: { state: 'complete' }, waitingFor: [] },
  metrics: { pageComplete: at, cpuTime: 50 },
  ...more,
});
const timed = (...lates: readonly number[]): readonly RunResult[] => lates.map((late) => run('timed', 340, 340 + late));

describe('the filmed load and the timed loads', () => {
  it('disagree when the film shows content long after the network, and timed loads do not', () => {
    const runs = [run('evidence', 370, 1_540), ...timed(0, 2, 1)];
    expect(filmDoubt(runs)).toEqual({ code: 'film-disagrees', at: 340 + 1_170 });
    expect(summarize(runs).pageComplete?.agreement).toBe('disagrees');
  });

  it('disagree when timed loads see content that the film does not show', () => {
    expect(filmDoubt([run('evidence', 370, 370), ...timed(1_200, 1_210)])).toMatchObject({ at: 340 });
  });

  it('agree when they draw as late, as exactly as a film tells', () => {
    const runs = [run('evidence', 370, 1_540), ...timed(1_130, 1_100, 1_180)];
    expect(filmDoubt(runs)).toBeUndefined();
    expect(summarize(runs).pageComplete?.agreement).toBe('stable');
  });

  it('agree when only the network of the first load was slower', () => {
    expect(filmDoubt([run('evidence', 2_000, 2_010), ...timed(0, 4)])).toBeUndefined();
  });

  it('agree when the page draws at a time of its own, whatever its network does', () => {
    expect(filmDoubt([run('evidence', 700, 1_420), ...timed(1_060, 1_062)])).toBeUndefined();
    expect(filmDoubt([run('evidence', 100, 1_420), ...timed(1_060, 1_062)])).toBeUndefined();
  });

  it('agree when a slower machine explains the film: it drew as much later what a script computes', () => {
    const slow = (cpuTime: number, stolenTime: number) =>
      run('evidence', 370, 370 + 900, { metrics: { cpuTime, stolenTime } });
    expect(filmDoubt([slow(50, 0), ...timed(400, 410)])).toBeDefined();
    expect(filmDoubt([slow(100, 0), ...timed(400, 410)])).toBeUndefined();
    expect(filmDoubt([slow(50, 450), ...timed(400, 410)])).toBeUndefined();
  });

  it('agree when the timed loads differ by as much among themselves', () => {
    expect(filmDoubt([run('evidence', 370, 370 + 900), ...timed(100, 600)])).toBeUndefined();
  });

  it('say nothing where one is missing, was not complete, or was ended by a mark of the page', () => {
    const open: PageCompleteResult = { state: 'never', observedUntil: 9_000, raw: { state: 'never' }, waitingFor: [] };
    const filmed = run('evidence', 370, 1_540);
    expect(filmDoubt([...timed(0, 0)])).toBeUndefined();
    expect(filmDoubt([filmed])).toBeUndefined();
    expect(filmDoubt([{ ...filmed, pageComplete: open }, ...timed(0)])).toBeUndefined();
    const { pageComplete } = filmed;
    const marked = {
      ...filmed,
      ...(pageComplete && { pageComplete: { ...pageComplete, decidedBy: 'mark' as const } }),
    };
    expect(filmDoubt([marked, ...timed(0)])).toBeUndefined();
  });
});
