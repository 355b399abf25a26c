import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareLighthouse } from '../../../src/core/lighthouse/compare.ts';
import { middleRun, readLighthouse, summarizeLighthouse } from '../../../src/core/lighthouse/summary.ts';
import type { LighthouseRun } from '../../../src/model/lighthouse/lighthouse.ts';
import { lighthouseRunInWords } from '../../../src/wording/lighthouse/run.ts';

/** What Lighthouse 13.5.0 said of the fixture shop on slow 4G with a cap of 14 s, cut down to what is read. */
const SHOP: unknown = JSON.parse(readFileSync(new URL('./shop.lhr.json', import.meta.url), 'utf8'));
const ASKED = { index: 1, wallTime: 32_278, block: [] };

const run = (index: number, performance: number, more: Partial<LighthouseRun> = {}): LighthouseRun => ({
  index,
  ok: true,
  categories: { performance },
  metrics: { largestContentfulPaint: 1000 + 100 * index },
  opportunities: [],
  wallTime: 10_000,
  warnings: [],
  ...more,
});

describe('a Lighthouse result', () => {
  test('gives scores, metrics under our names, and what would save most', () => {
    const read = readLighthouse(SHOP, ASKED);
    expect(read.ok).toBe(true);
    expect(read.categories).toMatchObject({ performance: 0.86, accessibility: 1, seo: 1 });
    expect(Math.round(read.metrics.largestContentfulPaint ?? 0)).toBe(1672);
    expect(read.metrics.totalBlockingTime).toBe(0);
    // Perfect audits save nothing; time counts before bytes.
    expect(read.opportunities.map(({ id }) => id)).toEqual([
      'cache-insight',
      'image-delivery-insight',
      'document-latency-insight',
    ]);
    expect(read.opportunities[0]).toMatchObject({ savingsMs: 250, savingsBytes: 244_518 });
  });

  test('of a development server advises nothing that is done by the build', () => {
    const advised = (latency: number) => {
      const { audits } = SHOP as { readonly audits: Readonly<Record<string, object>> };
      const document = { ...audits['document-latency-insight'], metricSavings: { FCP: latency } };
      const lhr = { audits: { ...audits, 'document-latency-insight': document } };
      return readLighthouse(lhr, { ...ASKED, isDevelopment: true }).opportunities.map(({ id }) => id);
    };
    expect(advised(0)).toEqual(['image-delivery-insight']);
    expect(advised(100)).toEqual(['document-latency-insight', 'image-delivery-insight']);
  });

  test('a cap of ours that ended the waiting is no fault of the page', () => {
    expect(readLighthouse(SHOP, ASKED).warnings).toHaveLength(1);
    const capped = readLighthouse(SHOP, { ...ASKED, cap: 14_000 });
    expect(capped.capReached).toBe(true);
    expect(capped.warnings).toEqual([]);
  });

  test('says that console errors may come from what was blocked', () => {
    const lhr = { audits: { 'errors-in-console': { score: 0, details: { items: [{}, {}] } } } };
    expect(lighthouseRunInWords(readLighthouse(lhr, ASKED)).warnings).toEqual([]);
    expect(lighthouseRunInWords(readLighthouse(lhr, { ...ASKED, block: ['*/events'] })).warnings).toEqual([
      'Best practices count 2 console errors, which blocking background traffic may have caused.',
    ]);
  });

  test('an error of Lighthouse is a failed run with its reason', () => {
    const read = readLighthouse({ runtimeError: { code: 'NO_FCP', message: 'The page painted nothing.' } }, ASKED);
    expect(read).toMatchObject({ ok: false, failure: { code: 'NO_FCP', message: 'The page painted nothing.' } });
  });

  test('nothing is taken for granted', () => {
    fc.assert(
      fc.property(fc.anything(), (lhr) => {
        expect(readLighthouse(lhr, ASKED).opportunities.length).toBeLessThanOrEqual(5);
      }),
    );
  });
});

test('several runs give medians with intervals; the run in the middle stands for them', () => {
  const failed: LighthouseRun = { ...run(4, 0), ok: false, categories: {}, metrics: {} };
  const runs = [run(1, 0.9), run(2, 0.7), run(3, 0.8), failed];
  expect(middleRun(runs)?.index).toBe(3);
  const waited = { strategy: 'own', blocked: [], sentence: '' } as const;
  const { categories, representative } = summarizeLighthouse(runs, { waited });
  expect(representative).toBe(3);
  expect(categories.performance).toMatchObject({ n: 3, median: 0.8, low: 0.7, high: 0.9 });
});

describe('two builds', () => {
  test('the difference is the candidate against the base', () => {
    const base = [1, 2, 3, 4, 5].map((index) => run(index, 0.9));
    const candidate = [1, 2, 3, 4, 5].map((index) => run(index, 0.8));
    const [performance] = compareLighthouse(base, candidate);
    expect(performance).toMatchObject({ name: 'lighthouse:performance', base: 0.9, candidate: 0.8 });
    expect(performance?.difference).toBeCloseTo(-0.1);
    expect(performance?.high).toBeLessThan(0);
  });

  test('one run of each has no interval', () => {
    const [performance] = compareLighthouse([run(1, 0.9)], [run(1, 0.8)]);
    expect(performance).not.toHaveProperty('low');
    expect(performance?.difference).toBeCloseTo(-0.1);
  });
});
