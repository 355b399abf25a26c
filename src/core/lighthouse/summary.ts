import type {
  LighthouseOpportunity,
  LighthouseResult,
  LighthouseRun,
  LighthouseRunFacts,
  LighthouseWait,
} from '../../model/lighthouse/lighthouse.ts';
import type { MetricSummary } from '../../model/result/result.ts';
import type { Ms, Unit } from '../../model/units.ts';
import { estimateMedian, middleBy } from '../time/median.ts';

/** Lighthouse's scored metrics, by the names that Quiesce gives to the same things. */
export const LIGHTHOUSE_METRICS: readonly { readonly name: string; readonly audit: string; readonly unit: Unit }[] = [
  { name: 'firstContentfulPaint', audit: 'first-contentful-paint', unit: 'ms' },
  { name: 'largestContentfulPaint', audit: 'largest-contentful-paint', unit: 'ms' },
  { name: 'totalBlockingTime', audit: 'total-blocking-time', unit: 'ms' },
  { name: 'cumulativeLayoutShift', audit: 'cumulative-layout-shift', unit: 'score' },
  { name: 'speedIndex', audit: 'speed-index', unit: 'ms' },
];

/** More opportunities than this are for Lighthouse's own report. */
const MOST_OPPORTUNITIES = 5;
/** What a development server leaves to the build: compression, caching, minifying, unused code. Source: Lighthouse 13, `core/audits`. */
const OF_THE_BUILD: ReadonlySet<string> = new Set([
  'cache-insight',
  'duplicated-javascript-insight',
  'unminified-css',
  'unminified-javascript',
  'unused-css-rules',
  'unused-javascript',
]);
/** Redirects and a slow server, which cost time, and compression, of which it tells the bytes. */
const DOCUMENT_LATENCY = 'document-latency-insight';
/** Of the savings by metric these are times; layout shift is none. */
const TIMES = ['FCP', 'LCP', 'TBT', 'INP'];

/** What of a Lighthouse run is kept; times in ms. `lhr` is Lighthouse's own result, of which nothing is taken for granted. */
export function readLighthouse(
  lhr: unknown,
  run: {
    readonly index: number;
    readonly wallTime: Ms;
    readonly block: readonly string[];
    readonly cap?: Ms;
    /** Whether the page came from a server that it is developed with. */
    readonly isDevelopment?: boolean;
  },
): LighthouseRunFacts {
  const { index, wallTime, cap, isDevelopment = false } = run;
  const audits = objectIn(lhr, 'audits');
  const warnings = listIn(lhr, 'runWarnings').filter((each) => typeof each === 'string');
  const error = objectIn(lhr, 'runtimeError');
  const message = textIn(error, 'message');
  const isCapped = cap !== undefined && warnings.some(isTimeout);
  const consoleErrors = run.block.length > 0 ? consoleErrorsIn(audits) : 0;
  return {
    index,
    ok: message === undefined,
    ...(message !== undefined && { failure: { code: textIn(error, 'code') ?? 'lighthouse', message } }),
    categories: scoresIn(lhr),
    metrics: Object.fromEntries(
      LIGHTHOUSE_METRICS.flatMap(({ name, audit }) => {
        const value = numberIn(objectIn(audits, audit), 'numericValue');
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    opportunities: opportunitiesIn(audits, isDevelopment),
    wallTime,
    ...(isCapped && { capReached: true }),
    // That the page is too slow is Lighthouse's guess: the cap ended its waiting.
    warnings: warnings.filter((each) => !(isCapped && isTimeout(each))),
    ...(consoleErrors > 0 && { consoleErrors }),
  };
}

/** Lighthouse's words for having waited as long as it may. Source: lighthouse core/gather/driver/navigation.js. */
function isTimeout(warning: string): boolean {
  return /too slowly to finish within the time limit/.test(warning);
}

/** Its version. */
export function lighthouseVersion(lhr: unknown): string | undefined {
  return textIn(lhr, 'lighthouseVersion');
}

function scoresIn(lhr: unknown): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(objectIn(lhr, 'categories')).flatMap(([name, category]) => {
      const score = numberIn(category, 'score');
      return score === undefined ? [] : [[name, score]];
    }),
  );
}

function opportunitiesIn(audits: object, isDevelopment: boolean): readonly LighthouseOpportunity[] {
  const all = Object.entries(audits).flatMap(([id, audit]): readonly LighthouseOpportunity[] => {
    const score = numberIn(audit, 'score');
    if (score === undefined || score >= 1) return [];
    const details = objectIn(audit, 'details');
    const savings = objectIn(audit, 'metricSavings');
    const savingsMs = Math.max(0, ...TIMES.map((name) => numberIn(savings, name) ?? 0));
    const savingsBytes =
      numberIn(details, 'overallSavingsBytes') ?? numberIn(objectIn(details, 'debugData'), 'wastedBytes') ?? 0;
    if (savingsMs <= 0 && savingsBytes <= 0) return [];
    if (isDevelopment && (OF_THE_BUILD.has(id) || (id === DOCUMENT_LATENCY && savingsMs <= 0))) return [];
    return [
      {
        id,
        title: textIn(audit, 'title') ?? id,
        ...(savingsMs > 0 && { savingsMs }),
        ...(savingsBytes > 0 && { savingsBytes: Math.round(savingsBytes) }),
      },
    ];
  });
  return all
    .sort((a, b) => (b.savingsMs ?? 0) - (a.savingsMs ?? 0) || (b.savingsBytes ?? 0) - (a.savingsBytes ?? 0))
    .slice(0, MOST_OPPORTUNITIES);
}

/** Errors in the console: a page whose background traffic is blocked may complain there. */
function consoleErrorsIn(audits: object): number {
  return listIn(objectIn(objectIn(audits, 'errors-in-console'), 'details'), 'items').length;
}

/** What several runs say together. `version` is Lighthouse's, `pageComplete` Quiesce's own figure for the page. */
export function summarizeLighthouse(
  runs: readonly LighthouseRun[],
  known: {
    readonly version?: string;
    readonly waited: LighthouseWait;
    readonly pageComplete?: Ms;
    readonly report?: string;
  },
): LighthouseResult {
  const measured = runs.filter(({ ok }) => ok);
  const names = [...new Set(measured.flatMap(({ categories }) => Object.keys(categories)))];
  const middle = middleRun(measured);
  const wallTime = summaryOf(
    measured.flatMap((run) => run.wallTime ?? []),
    'ms',
  );
  return {
    ...known,
    runs,
    ...(middle && { representative: middle.index }),
    categories: summaries(
      names.map((name) => [
        name,
        summaryOf(
          measured.flatMap(({ categories }) => categories[name] ?? []),
          'score',
        ),
      ]),
    ),
    metrics: summaries(
      LIGHTHOUSE_METRICS.map(({ name, unit }) => [
        name,
        summaryOf(
          measured.flatMap(({ metrics }) => metrics[name] ?? []),
          unit,
        ),
      ]),
    ),
    ...(wallTime && { wallTime }),
    opportunities: middle?.opportunities ?? [],
  };
}

/** The run in the middle by performance; where that was not scored, the first. */
export function middleRun(runs: readonly LighthouseRun[]): LighthouseRun | undefined {
  return middleBy(
    runs.filter(({ ok }) => ok),
    ({ categories }) => categories.performance ?? 0,
  );
}

function summaries(all: readonly (readonly [string, MetricSummary | undefined])[]): Record<string, MetricSummary> {
  return Object.fromEntries(all.flatMap(([name, summary]) => (summary ? [[name, summary]] : [])));
}

function summaryOf(values: readonly number[], unit: Unit): MetricSummary | undefined {
  const estimate = estimateMedian(values);
  return estimate && { unit, ...estimate };
}

// --- Reading what may not be there ----------------------------------------------------------------------------------

function valueIn(of: unknown, key: string): unknown {
  return typeof of === 'object' && of !== null ? (of as Record<string, unknown>)[key] : undefined;
}

function objectIn(of: unknown, key: string): object {
  const value = valueIn(of, key);
  return typeof value === 'object' && value !== null ? value : {};
}

function listIn(of: unknown, key: string): readonly unknown[] {
  const value = valueIn(of, key);
  return Array.isArray(value) ? value : [];
}

function textIn(of: unknown, key: string): string | undefined {
  const value = valueIn(of, key);
  return typeof value === 'string' ? value : undefined;
}

function numberIn(of: unknown, key: string): number | undefined {
  const value = valueIn(of, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
