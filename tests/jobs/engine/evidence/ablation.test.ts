import { describe, expect, it } from 'vitest';
import { observationsOf, ruleFrom } from '../../../../src/core/background/content/consensus.ts';
import type { Held } from '../../../../src/core/background/content/evidence-rules.ts';
import { holdBack, type Trial } from '../../../../src/core/evidence/without.ts';
import { visitOf } from '../../../../src/core/measure.ts';
import { sameFrames, sameOutline } from '../../../../src/core/visual/outline.ts';
import { judgeWithProof } from '../../../../src/jobs/engine/evidence/ablation.ts';
import { judgeRun } from '../../../../src/jobs/engine/run.ts';
import { POLICY, page, recordingOf, type Scripted } from '../../../support/scripted.ts';

const held = (name: string): Held => ({ suspect: { key: name }, patterns: [name] }) as unknown as Held;
const names = (some: readonly Held[]): readonly string[] => some.map(({ suspect }) => suspect.key);

/** Holds back on a page that is another one without what `matters`; tells what was tried. */
async function on(
  matters: readonly string[],
  suspects: readonly string[],
  trials: readonly string[],
  most = Number.POSITIVE_INFINITY,
) {
  const tried: (readonly string[])[] = [];
  const outcome = await holdBack(suspects.map(held), trials.map(held), async (some) => {
    if (tried.length >= most) return undefined;
    tried.push(names(some));
    const samePage = !names(some).some((name) => matters.includes(name));
    return { held: some, same: samePage, samePage } as unknown as Trial;
  });
  const { same, loads, suspects: settled = [], free = [] } = outcome ?? {};
  return { tried, same, free: names(free), loads, settled: names(settled) };
}

describe('holding requests back', () => {
  it('takes one load where the page is the same without all', async () => {
    expect(await on([], ['poll'], ['c', 'b', 'a'])).toMatchObject({ same: true, free: ['c', 'b', 'a'], loads: 1 });
    expect(await on(['poll'], ['poll'], [])).toMatchObject({ same: false, loads: 1 });
  });

  it('finds the latest ones without which it is the same', async () => {
    const { free, same, tried } = await on(['a', 'b'], ['poll'], ['d', 'c', 'b', 'a']);
    expect(free).toEqual(['d', 'c']);
    expect(same).toBe(true);
    expect(tried[1]).toEqual(['poll']);
  });

  it('finds those behind one that matters, too', async () => {
    const { free, tried } = await on(['b'], ['poll'], ['d', 'c', 'b', 'a', '0']);
    expect(free).toEqual(['d', 'c', 'a', '0']);
    expect(tried.at(-1)).toEqual(['poll', 'd', 'c', 'a', '0']);
  });

  it('tries them without the suspects where these matter', async () => {
    const { free, same } = await on(['poll'], ['poll'], ['b', 'a']);
    expect(same).toBe(false);
    expect(free).toEqual(['b', 'a']);
  });

  it('settles nothing that it has no load left for', async () => {
    // The page differs without both: nobody knows whether it is the suspect that it needs.
    expect(await on(['c'], ['poll'], ['c', 'b'], 1)).toMatchObject({ settled: [], free: [], loads: 1 });
    // The suspect is settled, and the trials count.
    expect(await on(['c'], ['poll'], ['c', 'b'], 2)).toMatchObject({
      settled: ['poll'],
      same: true,
      free: [],
      loads: 2,
    });
    expect(await on([], ['poll'], [], 0)).toMatchObject({ loads: undefined });
  });

  it('is bounded, and what is not proved counts', async () => {
    const many = Array.from({ length: 40 }, (_, i) => `r${i}`);
    const { free, loads } = await on(['r1'], ['poll'], many);
    expect(loads).toBeLessThanOrEqual(5);
    expect(free).not.toContain('r1');
  });
});

it('judges the load without some of them with what the film proved of the others', () => {
  const content: Scripted = { path: '/api', from: 100, to: 400 };
  const never: Scripted = { path: '/pixel', from: 500, unanswered: true };
  const recordedUntil = (until: number) => recordingOf({ requests: page(content, never), until });
  const film = visitOf(recordedUntil(40_000), POLICY);
  const rules = observationsOf(film).map((observation) => ruleFrom(observation));
  expect(rules.map(({ kind }) => kind)).toEqual(['hung']);
  const policy = { ...POLICY, timeout: 9_000 };
  const outcome = { ok: true, recording: recordedUntil(9_000) } as const;
  const without = judgeRun({ index: 4, role: 'ablation', policy, outcome, attempts: 1 }, []);
  expect(without.run.pageComplete).toMatchObject({ state: 'never' });
  expect(judgeWithProof(without, rules).run.pageComplete).toMatchObject({ state: 'complete', at: 400 });
});

it('an outline is the same in any order, and with everything in it', () => {
  expect(sameOutline(['P a', 'P b', 'P b'], ['P b', 'P a', 'P b'])).toBe(true);
  expect(sameOutline(['P a', 'P b', 'P b'], ['P a', 'P a', 'P b'])).toBe(false);
  expect(sameOutline(['P a'], ['P a', 'P b'])).toBe(false);
});

it('an outline is the same with other numbers only where these count by themselves', () => {
  expect(sameOutline(['P 128 reviews'], ['P 0 reviews'])).toBe(false);
  expect(sameOutline(['P 9:31', 'P 128 reviews'], ['P 9:40', 'P 128 reviews'], ['P 9:30', 'P 128 reviews'])).toBe(true);
  expect(sameOutline(['P 9:31', 'P 128 reviews'], ['P 9:40', 'P 0 reviews'], ['P 9:30', 'P 128 reviews'])).toBe(false);
  // Words that changed are no number.
  expect(sameOutline(['P open'], ['P closed'], ['P closed'])).toBe(false);
});

it('of frames of other sites only those have to be the same that asked for something', () => {
  const frame = (frameId: string, ...lines: readonly string[]) => ({
    frameId,
    url: `https://other.test/${lines[0]}`,
    lines,
  });
  const before = [frame('1', 'P reviews', 'P good'), frame('2', 'P advertisement', 'P shoes')];
  const without = [frame('8', 'P advertisement', 'P hats'), frame('9', 'P reviews')];
  expect(sameFrames(before, without, new Set(['0']))).toBe(true);
  expect(sameFrames(before, without, new Set(['1']))).toBe(false);
  expect(sameFrames(before, [], new Set(['2']))).toBe(false);
  expect(sameFrames(before, before, new Set(['1', '2']))).toBe(true);
});
