import { describe, expect, it } from 'vitest';
import {
  decisionOfPages,
  mostPairsOfPage,
  type PageProgress,
  pagesOfRound,
  planOfPage,
} from '../../../src/core/experiment/pages.ts';

const plan = {
  seed: 7,
  looks: [10, 40],
  alpha: 0.06,
  minEffect: { relative: 0.05, absolute: 10 },
  gates: ['pageComplete'],
  strict: false,
};
const progress = (parts: Partial<PageProgress> = {}): PageProgress => ({
  open: true,
  pairs: 0,
  expectedPairs: 10,
  pairTime: 1000,
  ...parts,
});

describe('the plan of one of several pages', () => {
  it('has its part of α and an order of its own', () => {
    const plans = [0, 1, 2].map((page) => planOfPage(plan, page, 3));
    for (const each of plans) expect(each.alpha).toBeCloseTo(0.02, 12);
    expect(new Set(plans.map(({ seed }) => seed)).size).toBe(3);
    expect(planOfPage(plan, 1, 3)).toEqual(plans[1]);
  });

  it('has as many pairs as its wider interval needs, on the same looks', () => {
    const most = [1, 2, 6, 18, 200].map((pages) => mostPairsOfPage(0.025, pages));
    expect(most[0]).toBe(40);
    expect(most.every((pairs, i) => i === 0 || pairs > (most[i - 1] ?? 0))).toBe(true);
    expect(most.every((pairs) => (pairs - 40) % 6 === 0)).toBe(true);
    // (2.43 against 3.4 standard errors)²
    expect(most[3]).toBeGreaterThan(70);
    expect(most[3]).toBeLessThan(90);
  });
});

describe('the answer for all pages', () => {
  it.each([
    [['same', 'slower', 'invalid', 'unsure'], 'slower'],
    [['same', 'invalid', 'unsure'], 'invalid'],
    [['invalid'], 'invalid'],
    [['same', 'unsure', 'faster'], 'unsure'],
    [['same', 'faster'], 'faster'],
    [['same', 'same'], 'same'],
    [[], 'unsure'],
  ] as const)('%j is %s', (pages, expected) => {
    expect(decisionOfPages(pages)).toBe(expected);
  });
});

describe('a round', () => {
  it('has every open page once, in an order of the seed', () => {
    const pages = [progress(), progress({ open: false }), progress(), progress()];
    const orders = Array.from({ length: 20 }, (_, i) => pagesOfRound(pages, { seed: 1, round: i + 1 }));
    for (const order of orders) expect(order.toSorted()).toEqual([0, 2, 3]);
    expect(new Set(orders.map(String)).size).toBe(6);
    expect(pagesOfRound(pages, { seed: 1, round: 3 })).toEqual(orders[2]);
    const others = Array.from({ length: 20 }, (_, i) => pagesOfRound(pages, { seed: 2, round: i + 1 }));
    expect(others).not.toEqual(orders);
  });

  it('spends a short time on what it decides', () => {
    const pages = [
      progress({ pairs: 10, expectedPairs: 40 }),
      progress({ pairs: 10, expectedPairs: 16 }),
      progress({ pairs: 10, expectedPairs: 22, pairTime: 500 }),
    ];
    const at = (left: number) => pagesOfRound(pages, { seed: 1, round: 1, left }).toSorted();
    expect(at(42_000)).toEqual([0, 1, 2]);
    expect(at(41_000)).toEqual([1, 2]);
    expect(at(11_000)).toEqual([1]);
    // Less than any needs: the one that needs least.
    expect(at(10)).toEqual([1]);
  });

  it('is empty when no page is open', () => {
    expect(pagesOfRound([progress({ open: false })], { seed: 1, round: 1 })).toEqual([]);
  });
});
