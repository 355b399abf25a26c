import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPageBudget } from '../../../src/jobs/engine/page-budget.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('counts the time of the page alone, and says what is left by the settings', async () => {
  const budget = createPageBudget(() => 3, 10_000);
  expect(budget.left()).toBe(70_000);
  await budget.spend(async () => void vi.advanceTimersByTime(5_000));
  // Other pages take their turns.
  vi.advanceTimersByTime(600_000);
  expect(budget.left()).toBe(65_000);
  await expect(
    budget.spend(async () => {
      vi.advanceTimersByTime(4_000);
      expect(budget.left()).toBe(61_000);
      throw new Error('the disk is full');
    }),
  ).rejects.toThrow('the disk is full');
  expect(budget.left()).toBe(61_000);
});

it('allows a load more as long as the planned ones have their time', async () => {
  const budget = createPageBudget(() => 2, 10_000);
  expect(budget.allows(2)).toBe(true);
  await budget.spend(async () => void vi.advanceTimersByTime(20_000));
  expect(budget.allows(2)).toBe(true);
  await budget.spend(async () => void vi.advanceTimersByTime(1));
  expect(budget.allows(2)).toBe(false);
  // A timed run was quick.
  expect(budget.allows(1)).toBe(true);
  await budget.spend(async () => void vi.advanceTimersByTime(60_000));
  expect(budget.allows(0)).toBe(false);
  expect(budget.left()).toBe(0);
});
