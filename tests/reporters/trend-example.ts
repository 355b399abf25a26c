import { metrics } from '../../src/core/metrics/index.ts';
import { measurementsOf } from '../../src/core/trend/measurements.ts';
import { trendPages } from '../../src/core/trend/pages.ts';
import type { AuditResult } from '../../src/model/result/result.ts';
import type { TrendResult } from '../../src/model/trend.ts';
import { trendInWords, trendSentence } from '../../src/wording/trend/trend.ts';
import { type Nights, nightlyAudits, sourceOf } from '../support/stored-results.ts';

const SHOWN = metrics.filter(({ name }) => ['pageComplete', 'largestContentfulPaint'].includes(name));

/** The history that these results make. */
export function trendOf(results: readonly AuditResult[]): TrendResult {
  const measurements = results.flatMap((result, i) =>
    measurementsOf(result, { result: `../night ${i + 1}/result.json`, report: `../night ${i + 1}/index.html` }),
  );
  const pages = trendInWords(trendPages(measurements, SHOWN));
  return {
    version: 1,
    kind: 'trend',
    tool: { name: 'quiesce', version: '0.1.0' },
    browser: { product: 'Chrome/140' },
    startedAt: '2026-03-01T10:20:30.000Z',
    settings: { paths: ['nights'], by: 'time' },
    order: 'time',
    sentence: trendSentence(pages, results.length),
    pages,
    skipped: [{ path: 'nights/x/result.json', because: 'it is not JSON' }],
  };
}

/** A page that became slower in the twentieth night. */
export const slower: Nights = {
  target: 'https://shop.example/',
  level: (night) => (night >= 20 ? 1300 : 1000),
  nightly: 0.01,
};
export const calm: Nights = { target: './dist', url: 'http://127.0.0.1:40000/', level: () => 640, nightly: 0.01 };
/** Forty nights of a page that became slower, with a new browser a night later, and of a calm one. */
export const usual = trendOf(
  nightlyAudits([calm, slower], 40, (night) => ({
    source: sourceOf(night),
    browser: { product: night >= 21 ? 'Chrome/141' : 'Chrome/140' },
  })),
);
