import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProofLoads } from '../../../../src/jobs/engine/evidence/proof-loads.ts';
import type { FinishedRun, PlannedRun } from '../../../../src/jobs/engine/run.ts';
import { POLICY } from '../../../support/scripted.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const PLANNED: PlannedRun = { index: 2, role: 'ablation', policy: POLICY };

/** Each load is watched for 5 s. */
function proof(lasts = 60_000) {
  let made = 0;
  const loads = createProofLoads(async () => {
    made += 1;
    return { visit: { recording: { observedUntil: 5_000 } } } as unknown as FinishedRun;
  }, lasts);
  return {
    without: (patterns: readonly string[], until = 4_000) => loads.without(patterns, until, PLANNED),
    made: () => made,
  };
}

it('does not load again what was loaded for long enough', async () => {
  const { without, made } = proof();
  const first = await without(['a', 'b']);
  expect(await without(['b', 'a'])).toBe(first);
  expect(made()).toBe(1);
  expect(await without(['a'])).not.toBe(first);
  expect(await without(['a', 'b'], 6_000)).not.toBe(first);
  expect(made()).toBe(3);
});

it('has an end: after so many loads, and after so long', async () => {
  const many = proof();
  for (let i = 0; i < 20; i += 1) await many.without([`r${i}`]);
  expect(many.made()).toBe(8);
  expect(await many.without(['r99'])).toBeUndefined();
  // What is there already costs nothing.
  expect(await many.without(['r0'])).toBeDefined();

  const { without, made } = proof(10_000);
  await without(['a']);
  vi.advanceTimersByTime(10_001);
  expect(await without(['b'])).toBeUndefined();
  expect(made()).toBe(1);
});
