import { defined } from '../../src/core/text/defined.ts';
import type { BudgetResult } from '../../src/model/budgets.ts';
import type { StatedConditions } from '../../src/model/host/conditions.ts';
import type { LighthouseComparisons, LighthouseResult } from '../../src/model/lighthouse/lighthouse.ts';
import type { AuditReport, CompareReport } from '../../src/model/result/report.ts';
import type { RunResult } from '../../src/model/result/result.ts';
import { comparisonReport } from './comparison.ts';
import { examplePage, reportOf, summarise, type TargetSketch } from './example-report.ts';
import { CLICK, FRAME } from './interaction-example.ts';

const URL = 'https://shop.example/';

export const PHONE: StatedConditions = {
  device: { name: 'Moto G Power', width: 412, height: 823, deviceScaleFactor: 1.75, mobile: true, touch: true },
  network: { name: 'slow-4g', latency: 562.5, download: 1440, upload: 675 },
  cpu: 4,
  view: 'warm',
  sentence: 'Moto G Power, network slow-4g (563 ms, 1.44 Mbit/s down, 675 kbit/s up), CPU 4 × slower, warm cache',
};

/** A budget of each outcome. */
export const BUDGETS: readonly BudgetResult[] = [
  {
    metric: 'pageComplete',
    title: 'Page complete',
    unit: 'ms',
    bound: 'max',
    limit: 2000,
    severity: 'error',
    value: 1243,
    low: 1212,
    high: 1270,
    state: 'pass',
    sentence: 'Page complete 1.24 s (1.21 s to 1.27 s): within its budget of at most 2.00 s.',
  },
  {
    metric: 'LCP',
    title: 'Largest contentful paint',
    unit: 'ms',
    bound: 'max',
    limit: 700,
    severity: 'error',
    value: 702,
    low: 573,
    high: 928,
    state: 'undecided',
    sentence:
      'Largest contentful paint 702 ms (573 ms to 928 ms): too close to its budget of at most 700 ms to tell; more runs narrow the interval.',
  },
  {
    metric: 'transferSize:script',
    title: 'Transfer size (script)',
    unit: 'bytes',
    bound: 'max',
    limit: 200_000,
    severity: 'error',
    value: 244_980,
    low: 244_980,
    high: 244_980,
    state: 'fail',
    sentence: 'Transfer size (script) 245 kB: over its budget of at most 200 kB.',
  },
  {
    metric: 'requests',
    title: 'Requests',
    unit: 'count',
    bound: 'max',
    limit: 30,
    severity: 'warn',
    value: 32,
    low: 32,
    high: 32,
    state: 'fail',
    sentence: 'Requests 32: over its budget of at most 30.',
  },
  {
    metric: 'lighthouse:performance',
    title: 'Lighthouse performance',
    unit: 'score',
    bound: 'min',
    limit: 0.9,
    severity: 'error',
    value: 0.98,
    low: 0.93,
    high: 1,
    state: 'pass',
    sentence: 'Lighthouse performance 0.98 (0.93 to 1): within its budget of at least 0.9.',
  },
  {
    metric: 'lighthouse:pwa',
    title: 'Lighthouse pwa',
    unit: 'score',
    bound: 'min',
    limit: 0.5,
    severity: 'warn',
    state: 'unknown',
    sentence: 'Lighthouse pwa is not known: Lighthouse gave no such figure (is --lighthouse on?).',
  },
];

const CATEGORIES = { performance: 0.98, accessibility: 0.86, 'best-practices': 0.42, seo: 1, 'agentic-browsing': 1 };
const METRICS = {
  firstContentfulPaint: 455.1,
  largestContentfulPaint: 811.4,
  totalBlockingTime: 120,
  cumulativeLayoutShift: 0.021,
  speedIndex: 744,
};

/** What Lighthouse says of the example. */
export const LIGHTHOUSE: LighthouseResult = {
  version: '13.5.0',
  waited: {
    strategy: 'blocked',
    cap: 13_405,
    blocked: [`GET ${URL}events?*`, `GET ${URL}notify/poll?*`],
    sentence: 'Lighthouse ran with 2 background endpoints blocked: without them the page looks the same.',
  },
  pageComplete: 1243,
  runs: [
    {
      index: 1,
      ok: true,
      categories: CATEGORIES,
      metrics: METRICS,
      opportunities: [],
      wallTime: 8120,
      warnings: ['Best practices count 2 console errors, which blocking background traffic may have caused.'],
    },
  ],
  representative: 1,
  categories: Object.fromEntries(
    Object.entries(CATEGORIES).map(([name, median]) => [name, { unit: 'score', n: 1, median }]),
  ),
  metrics: Object.fromEntries(
    Object.entries(METRICS).map(([name, median]) => [
      name,
      { unit: name === 'cumulativeLayoutShift' ? ('score' as const) : ('ms' as const), n: 1, median },
    ]),
  ),
  wallTime: { unit: 'ms', n: 1, median: 8120 },
  opportunities: [
    { id: 'unused-javascript', title: 'Reduce unused JavaScript', savingsMs: 450, savingsBytes: 92_400 },
    { id: 'image-delivery-insight', title: 'Improve image delivery', savingsMs: 150, savingsBytes: 211_000 },
    { id: 'cache-insight', title: 'Use efficient cache lifetimes', savingsBytes: 2500 },
  ],
  report: 'lighthouse.html',
};

const NETWORK = [1.4, 1.42, 1.41, 1.44, 1.43].map((rate, i) => ({ rtt: 565 + i * 3, download: rate * 1000 }));

/** The example, measured in the lab: as a phone, with budgets and Lighthouse. */
export function labPage(): TargetSketch {
  const page = examplePage();
  const runs = page.runs.map((run) => {
    const network = NETWORK[run.index - 1];
    return network === undefined || run.role !== 'timed' ? run : { ...run, network };
  });
  return { ...page, runs, conditions: PHONE, budgets: BUDGETS, lighthouse: LIGHTHOUSE };
}

/** A step after its load: one that goes on in the same document has neither first byte nor paints. */
export function labStep(name: string, kind: 'soft' | 'hard'): TargetSketch {
  const page = labPage();
  const finalUrl = `${URL}${kind === 'soft' ? 'basket' : 'orders'}`;
  const message =
    kind === 'soft'
      ? `The page went to ${finalUrl} without loading a document (a soft navigation).`
      : 'The step opened another document. Times count from the start of the step, not from that request.';
  const runs = page.runs
    .filter(({ role, ok }) => role === 'timed' && ok)
    .map((run): RunResult => {
      const { timeToFirstByte, firstContentfulPaint, largestContentfulPaint, domContentLoaded, load, ...same } =
        run.metrics ?? {};
      const { criticalPath: _, ...rest } = run;
      const complete = run.pageComplete?.at ?? 0;
      return {
        ...rest,
        metrics:
          kind === 'soft'
            ? same
            : { ...same, ...defined({ timeToFirstByte, firstContentfulPaint, domContentLoaded, load }) },
        breakdown:
          kind === 'soft'
            ? { basePage: 0, parse: 0, components: complete * 0.9, render: complete * 0.1 }
            : { basePage: complete * 0.2, parse: complete * 0.1, components: complete * 0.7, render: 0 },
        findings: [{ code: `${kind}-navigation`, message, urls: [] }],
        har: `run-${run.index}-${name.replaceAll(' ', '-')}.har`,
        // What opens another document is not measured as an interaction.
        ...(kind === 'soft' && { interaction: CLICK, longestFrame: FRAME }),
      };
    });
  const { evidence: _, lighthouse: _l, budgets: _b, pictures: _p, ...rest } = page;
  const representative = runs.find(({ index }) => index === 3);
  return {
    ...rest,
    name,
    step: name,
    finalUrl,
    runs,
    summary: summarise(runs),
    background: [],
    ...(representative && { representative }),
    notes: [],
    sentence: 'The page is complete after 1.24 s (1.21–1.27 s from 5 runs, stable).',
    waterfalls: page.waterfalls.slice(0, 1).map((waterfall) => ({
      ...waterfall,
      milestones: [
        { name: 'action-end', label: 'action over', at: 96 },
        ...waterfall.milestones.filter(({ name: mark }) => mark === 'page-complete'),
      ],
    })),
  };
}

/** A page as a phone finds it, with budgets, Lighthouse and two steps after its load. */
export const labReport = (): AuditReport =>
  reportOf(labPage(), labStep('add to basket', 'soft'), labStep('open orders', 'hard'));

/** The same page alone. */
export const labPageReport = (): AuditReport => reportOf(labPage());

const COMPARED: LighthouseComparisons = {
  runs: 3,
  comparisons: [
    {
      name: 'lighthouse:performance',
      unit: 'score',
      base: 0.98,
      candidate: 0.94,
      difference: -0.035,
      low: -0.06,
      high: 0.01,
      level: 0.95,
    },
    { name: 'lighthouse:seo', unit: 'score', base: 1, candidate: 1, difference: 0, level: 0.95 },
    {
      name: 'lighthouse:largestContentfulPaint',
      unit: 'ms',
      base: 811.4,
      candidate: 902,
      difference: 88,
      low: 12,
      high: 140,
      level: 0.95,
    },
    { name: 'lighthouse:cumulativeLayoutShift', unit: 'score', base: 0.021, candidate: 0.021, difference: 0 },
  ],
};

/** A comparison as a phone finds both builds, with budgets and Lighthouse. */
export function labComparison(): CompareReport {
  const report = comparisonReport();
  const own = (build: 'base' | 'candidate') => ({
    ...report[build],
    result: {
      ...report[build].result,
      conditions: PHONE,
      lighthouse: { ...LIGHTHOUSE, report: `${build}-lighthouse.html` },
      ...(build === 'candidate' && { budgets: BUDGETS }),
    },
  });
  return {
    ...report,
    base: own('base'),
    candidate: own('candidate'),
    result: { ...report.result, lighthouse: COMPARED },
  };
}
