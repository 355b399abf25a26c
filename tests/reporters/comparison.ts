import { figureOf } from '../../src/core/metrics/figure.ts';
import type {
  BackgroundChange,
  Build,
  Changes,
  CompareResult,
  Difference,
  DroppedBlock,
  HostComparison,
  MetricComparison,
  PageDifference,
  PlacedRun,
} from '../../src/model/compare/comparison.ts';
import type { CompareReport, TargetReport, Waterfall, WaterfallRow } from '../../src/model/result/report.ts';
import type { BackgroundEndpoint, Evidence, RunResult, TargetResult } from '../../src/model/result/result.ts';
import type { Unit } from '../../src/model/units.ts';
import { PICTURES } from './example-pictures.ts';
import { columns, exampleReport, exampleTarget, shopWaterfall, summarise } from './example-report.ts';

/** What a made-up comparison is to look like. */
export interface ComparisonOptions {
  /** The answer; `invalid` is one whose host was slower for one build. */
  readonly outcome?: 'slower' | 'faster' | 'same' | 'unsure' | 'invalid';
  /** Blocks that count. */
  readonly blocks?: number;
  /** Which ends of every interval are missing. */
  readonly unbounded?: 'both' | 'low' | 'high';
  /** Blocks that were taken out. */
  readonly dropped?: number;
  readonly interrupted?: boolean;
  /** The two pages are not the same page. */
  readonly different?: boolean;
  /** Every text that can come from a page is this one. */
  readonly hostile?: string;
  /** Nothing changed besides time. */
  readonly unchanged?: boolean;
  /** Nothing was measured. */
  readonly empty?: boolean;
}

const ORIGIN = 'https://shop.example';
const CDN = 'https://cdn.shop.example';
const EFFECT = { slower: 1.075, faster: 0.925, same: 1.002, unsure: 1.012, invalid: 1.06 } as const;
const SPREAD = { slower: 0.02, faster: 0.02, same: 0.018, unsure: 0.07, invalid: 0.02 } as const;

/** A comparison as the statistics would hand it over, made up from a seed: the same options give the same report. */
export function comparisonReport(options: ComparisonOptions = {}): CompareReport {
  const outcome = options.outcome ?? 'slower';
  const blocks = options.empty ? 0 : (options.blocks ?? (outcome === 'unsure' ? 20 : 12));
  const dropped = droppedBlocks(options.dropped ?? 0, options.hostile);
  const runs = placedRuns(outcome, blocks, dropped, options.hostile);
  const base = target('base', runs, options);
  const candidate = target('candidate', runs, options);
  const comparisons = columns.map(({ name, unit, title }) => compared(name, unit, title, runs, options)).filter(kept);
  const gates = comparisons.filter(({ gate }) => gate);
  const decision =
    outcome === 'invalid'
      ? 'invalid'
      : gates.some((each) => each.decision === 'slower')
        ? 'slower'
        : gates.some((each) => each.decision === 'unsure')
          ? 'unsure'
          : gates.some((each) => each.decision === 'faster')
            ? 'faster'
            : 'same';
  const stopped = options.interrupted
    ? (['interrupted', `Ended by the user after ${blocks * 2} of 40 pairs.`] as const)
    : decision === 'unsure'
      ? (['max-pairs', 'All 40 pairs that were planned were measured.'] as const)
      : (['decided', `Every gate metric was decided after ${blocks * 2} pairs; 40 had been planned at most.`] as const);
  const result: CompareResult = {
    $schema: 'https://quiesce.example/result.schema.json',
    version: 1,
    kind: 'compare',
    tool: { name: 'quiesce', version: '0.1.0' },
    browser: { product: 'Chromium 156.0.8078.79', userAgent: 'Mozilla/5.0 HeadlessChrome/156', sandbox: true },
    startedAt: '2026-03-01T10:20:30.000Z',
    settings: { minEffect: '5%', alpha: 0.05, gate: ['page-complete', 'LCP'], strict: false, evidence: true },
    ...(options.interrupted && { interrupted: true }),
    base: base.result,
    candidate: candidate.result,
    design: {
      seed: 4711,
      blocks,
      pairs: blocks * 2,
      looks: [10, 16, 22, 28, 34, 40],
      looksTaken: [10, 16, 22]
        .filter((pairs) => pairs <= blocks * 2)
        .map((pairs, i) => ({ pairs, criticalValue: [3.1628, 2.9704, 2.8017][i] ?? 2.8017 })),
      alpha: 0.05,
      dropped,
      repeated: 3,
      stoppedBecause: stopped[0],
      stoppedSentence: stopped[1],
    },
    comparisons: options.empty ? [] : comparisons,
    decision: options.empty ? 'unsure' : decision,
    sentence:
      options.hostile ??
      (options.empty ? 'Undecided: nothing could be compared.' : decisionSentence(decision, comparisons)),
    failedGates: comparisons.filter((each) => each.fails).map((each) => each.metric),
    ...(!options.empty && (decision === 'slower' || decision === 'faster') && whyOf(decision, options.hostile)),
    host: hostOf(outcome, options.hostile),
    pageDifferences: options.different || options.hostile !== undefined ? differences(options.hostile) : [],
    backgroundChanges: options.unchanged || options.empty ? [] : [newPoll(options.hostile)],
    changes: options.unchanged || options.empty ? NOTHING : changes(options.hostile),
  };
  return { result, columns, base, candidate };
}

/** One reason of each group, and what they leave. */
function whyOf(decision: 'slower' | 'faster', hostile?: string): Pick<CompareResult, 'why' | 'unexplained'> {
  const sign = decision === 'slower' ? 1 : -1;
  const ends = (ms: number) => ({ ms: sign * ms, low: sign * ms - 4, high: sign * ms + 4 });
  return {
    why: [
      {
        code: 'function',
        ...ends(41),
        url: hostile ?? `${ORIGIN}/app.3f2a1b9c.js`,
        place: { name: hostile ?? 'renderGrid', line: 12, column: 3 },
      },
      {
        code: 'requester',
        ...ends(30),
        url: hostile ?? `${CDN}/hero-1280.webp`,
        by: hostile ?? `${ORIGIN}/carousel.js`,
        before: hostile ?? `${ORIGIN}/`,
        newBy: true,
      },
      { code: 'server', ...ends(28), url: hostile ?? `${ORIGIN}/api/reviews?id=1` },
    ],
    unexplained: sign * 18,
  };
}

/** The decision in a sentence as the statistics would word it. */
function decisionSentence(decision: CompareResult['decision'], comparisons: readonly MetricComparison[]): string {
  const [gate] = comparisons;
  switch (decision) {
    case 'slower':
    case 'faster':
      return `The candidate is ${decision}. ${gate?.sentence}`;
    case 'same':
      return 'No change larger than 5% in page complete and largest contentful paint.';
    case 'invalid':
      return 'This comparison is not valid: the machine itself was slower while the candidate was loaded.';
    default:
      return `Undecided. ${gate?.sentence}`;
  }
}

/** A metric's answer in a sentence as the statistics would word it. */
function metricSentence(title: string, decision: MetricComparison['decision'], difference: Difference): string {
  const share = (value: number | undefined): string =>
    value === undefined ? 'any change' : `${(value * 100).toFixed(1).replace('-', '−')}%`;
  const { low, high, relative } = difference;
  if (relative === undefined) return `${title} changed by ${difference.absolute.toFixed(1).replace('-', '−')}.`;
  if (low === undefined && high === undefined) return `${title}: too few pairs for an interval.`;
  if (decision === 'same') return `${title} did not change by more than 5% (${share(low)} to ${share(high)}).`;
  if (decision === 'unsure') {
    return `${title} changed by ${share(low)} to ${share(high)}; about 90 pairs would be enough.`;
  }
  return `${title} is ${share(Math.abs(relative))} ${decision} (${share(low)} to ${share(high)}).`;
}

const NOTHING: Changes = {
  added: [],
  removed: [],
  grown: [],
  shrunk: [],
  bytes: [],
  thirdParties: { added: [], removed: [] },
  findings: { added: [], removed: [] },
};

function kept<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** Numbers between 0 and 1 that look random and always are the same. Source: Numerical Recipes, quick generator. */
function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function droppedBlocks(count: number, hostile: string | undefined): readonly DroppedBlock[] {
  return Array.from({ length: count }, (_, i) => ({
    block: 3 + i * 4,
    because: hostile ?? 'a load of the candidate failed twice: HTTP 503.',
  }));
}

const ORDERS: readonly (readonly Build[])[] = [
  ['base', 'base', 'candidate', 'candidate'],
  ['base', 'candidate', 'base', 'candidate'],
  ['base', 'candidate', 'candidate', 'base'],
  ['candidate', 'base', 'base', 'candidate'],
  ['candidate', 'base', 'candidate', 'base'],
  ['candidate', 'candidate', 'base', 'base'],
];

function placedRuns(
  outcome: NonNullable<ComparisonOptions['outcome']>,
  blocks: number,
  dropped: readonly DroppedBlock[],
  hostile: string | undefined,
): readonly PlacedRun[] {
  const next = sequence(20_260_301);
  const normal = (): number => next() + next() + next() + next() + next() + next() - 3;
  const [, , model] = exampleReport().targets[0]?.result.runs ?? [];
  if (model === undefined) throw new Error('the example has runs');
  const { background: _, findings: _findings, ...bare } = model;
  const out: PlacedRun[] = [];
  const last = blocks + dropped.length;
  for (let block = 1; block <= last; block++) {
    const order = ORDERS[Math.floor(next() * ORDERS.length)] ?? [];
    const gone = dropped.find((each) => each.block === block);
    for (const [place, build] of order.entries()) {
      const outlier = next() < 0.04 ? 1.5 : 1;
      const drift = 1 + (0.03 * block) / Math.max(1, last);
      const factor =
        (build === 'candidate' ? EFFECT[outcome] : 1) * Math.exp(normal() * SPREAD[outcome]) * outlier * drift;
      const complete = 1243 * factor;
      const failed = gone !== undefined && place === 2;
      const run: PlacedRun = {
        ...bare,
        index: out.length + 3,
        build,
        block,
        order: place,
        har: `run-${out.length + 3}.har`,
        ...(bare.pageComplete && { pageComplete: { ...bare.pageComplete, at: complete, networkAt: complete } }),
        metrics: {
          timeToFirstByte: 212 * factor,
          firstContentfulPaint: 412 * Math.exp(normal() * SPREAD[outcome]) * drift,
          largestContentfulPaint: 702 * (outcome === 'unsure' ? factor : 1 + normal() * 0.012) * drift,
          domContentLoaded: 548 * factor,
          load: 688 * factor,
          networkComplete: complete,
          pageComplete: complete,
          // A metric that is zero in most loads, and one that always is.
          totalBlockingTime: Math.max(0, Math.round(normal() * 30 + (build === 'candidate' ? 24 : 2))),
          cumulativeLayoutShift: 0,
          transferSize: build === 'candidate' ? 1_061_400 : 982_400,
          requestCount: build === 'candidate' ? 34 : 32,
        },
        host: {
          verdict: 'fit',
          busyByOthers: 0.04,
          steal: 0,
          reasons: [],
          microBenchmark: 14 * (1 + normal() * 0.01),
        },
        ...(gone !== undefined && { excluded: gone.because }),
      };
      const { metrics: _metrics, pageComplete: _complete, ...without } = run;
      out.push(
        failed
          ? {
              ...without,
              ok: false,
              attempts: 2,
              failure: { code: 'http-error', message: hostile ?? 'The server answered HTTP 503.' },
            }
          : run,
      );
    }
  }
  return out;
}

function compared(
  metric: string,
  unit: Unit,
  title: string,
  runs: readonly PlacedRun[],
  options: ComparisonOptions,
): MetricComparison | undefined {
  const of = (build: Build): number[] =>
    runs.flatMap((run) =>
      run.build === build && run.ok && run.excluded === undefined ? (figureOf(run.metrics, metric) ?? []) : [],
    );
  const [a, b] = [of('base'), of('candidate')];
  const gate = metric === 'pageComplete' || metric === 'largestContentfulPaint';
  if (a.length === 0 && !gate) return undefined;
  const middle = (values: readonly number[]): number => {
    const sorted = values.toSorted((x, y) => x - y);
    return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
  };
  const medians = {
    base: { n: a.length, ...(a.length > 0 && { median: middle(a) }) },
    candidate: { n: b.length, ...(b.length > 0 && { median: middle(b) }) },
  };
  const scale = [...a, ...b].some((value) => value <= 0) ? 'shift' : 'ratio';
  const common = { metric, unit, scale, gate, ...medians, fails: false } as const;
  if (a.length < 2) {
    return { ...common, decision: 'unsure', sentence: `${title} could not be compared: nothing was measured.` };
  }
  const y = scale === 'ratio' ? Math.log : (value: number): number => value;
  const back = scale === 'ratio' ? (value: number): number => Math.exp(value) - 1 : (value: number): number => value;
  const shifts = b.flatMap((later) => a.map((earlier) => y(later) - y(earlier))).sort((p, q) => p - q);
  const estimate = back(middle(shifts));
  const z = gate ? 2.8 : 1.96;
  const n = a.length;
  const at = Math.max(0, Math.floor((n * n) / 2 - z * Math.sqrt((n * n * (2 * n + 1)) / 12)));
  const [low, high] = [back(shifts[at] ?? 0), back(shifts[shifts.length - 1 - at] ?? 0)];
  const up = scale === 'ratio' ? 0.05 : Math.max((medians.base.median ?? 0) * 0.05, unit === 'score' ? 0.01 : 10);
  const down = scale === 'ratio' ? 1 / (1 + up) - 1 : -up;
  const difference: Difference = {
    ...(scale === 'ratio' && { relative: estimate }),
    absolute: scale === 'ratio' ? estimate * (medians.base.median ?? 0) : estimate,
    ...(options.unbounded !== 'both' && options.unbounded !== 'low' && { low }),
    ...(options.unbounded !== 'both' && options.unbounded !== 'high' && { high }),
    level: gate ? 0.975 : 0.95,
    minEffect: { up, down },
  };
  const decision =
    options.unbounded !== undefined
      ? 'unsure'
      : low > 0
        ? 'slower'
        : high < 0
          ? 'faster'
          : low > down && high < up
            ? 'same'
            : 'unsure';
  return {
    ...common,
    difference,
    p: 0.0123,
    ...(!gate && { discovery: decision === 'slower' || decision === 'faster' }),
    decision,
    fails: gate && decision === 'slower' && estimate >= up,
    ...(gate && decision === 'unsure' && { pairsToSettle: 90 }),
    sentence: options.hostile ?? metricSentence(title, decision, difference),
  };
}

function target(build: Build, placed: readonly PlacedRun[], options: ComparisonOptions): TargetReport {
  const { hostile } = options;
  const example = exampleTarget();
  const own = placed.filter((run) => run.build === build);
  const filmedAt = (at: number): number =>
    Math.round(at * (build === 'base' ? 1 : EFFECT[options.outcome ?? 'slower']));
  const filmed = example.result.runs.find(({ role }) => role === 'evidence');
  const untimed: RunResult[] =
    options.empty || filmed?.pageComplete === undefined
      ? []
      : [
          {
            ...filmed,
            index: build === 'base' ? 1 : 2,
            build,
            pageComplete: { ...filmed.pageComplete, at: filmedAt(filmed.pageComplete.at ?? 0) },
            metrics: Object.fromEntries(
              Object.entries(filmed.metrics ?? {}).map(([name, value]) => [name, filmedAt(value ?? 0)]),
            ),
          },
        ];
  const runs = [...untimed, ...own];
  const counted = own.filter((run) => run.ok && run.excluded === undefined);
  const representative = counted.toSorted((a, b) => (a.pageComplete?.at ?? 0) - (b.pageComplete?.at ?? 0))[
    (counted.length - 1) >> 1
  ];
  const url = `http://127.0.0.1:${build === 'base' ? 41_001 : 41_002}/`;
  const evidence: Evidence | undefined =
    example.result.evidence === undefined
      ? undefined
      : {
          ...example.result.evidence,
          pictures: example.result.evidence.pictures.map((picture) => ({
            ...picture,
            at: filmedAt(picture.at),
            file: picture.file.replace('evidence/', `evidence/${build}-`),
            caption: hostile ?? picture.caption,
          })),
          film: (example.result.evidence.film ?? []).map((frame) => ({
            ...frame,
            at: filmedAt(frame.at),
            file: frame.file.replace('evidence/', `evidence/${build}-`),
          })),
          progress: (example.result.evidence.progress ?? []).map(({ at, share }) => ({ at: filmedAt(at), share })),
          speedIndex: filmedAt(example.result.evidence.speedIndex ?? 0),
        };
  const result: TargetResult = {
    target: hostile ?? `./dist-${build}`,
    url: hostile ?? url,
    title: hostile ?? 'Garden chairs – Shop',
    finalUrl: hostile ?? url,
    runs,
    summary: summarise(counted),
    background: [
      ...example.result.background,
      ...(build === 'candidate' && !options.unchanged ? [newPoll(hostile)] : []),
    ],
    ...(evidence !== undefined && !options.empty && { evidence }),
  };
  return {
    result,
    sentence: hostile ?? 'The page was complete at 1.24 s, when the last response that it needed arrived.',
    notes: [],
    ...(representative !== undefined && { representative }),
    waterfalls: representative === undefined ? [] : [waterfallOf(build, representative, options)],
    pictures: Object.fromEntries(
      Object.entries(PICTURES).map(([file, picture]) => [file.replace('evidence/', `evidence/${build}-`), picture]),
    ),
  };
}

function waterfallOf(build: Build, run: RunResult, options: ComparisonOptions): Waterfall {
  const waterfall = shopWaterfall(run.index, run.pageComplete?.at ?? 1243);
  if (options.hostile !== undefined) {
    const rows = waterfall.rows.slice(0, 3).map((row) => ({
      ...row,
      url: options.hostile ?? row.url,
      initiator: options.hostile ?? '',
      outcome: options.hostile ?? '',
    }));
    return { ...waterfall, rows };
  }
  if (build === 'base' || options.unchanged) return waterfall;
  const [first] = waterfall.rows;
  if (first === undefined) return waterfall;
  const like = (name: string): WaterfallRow => waterfall.rows.find((row) => row.url.includes(name)) ?? first;
  const moved = (row: WaterfallRow, by: number, change: Partial<WaterfallRow>): WaterfallRow => ({
    ...row,
    startedAt: row.startedAt + by,
    endsAt: row.endsAt + by,
    phases: row.phases.map((phase) => ({ ...phase, from: phase.from + by, to: phase.to + by })),
    chunks: row.chunks.map((at) => at + by),
    ...change,
  });
  const rows = waterfall.rows
    .filter((row) => !row.url.includes('old-banner'))
    .map((row) =>
      row.url.includes('app.20c9') ? { ...row, url: `${CDN}/js/app.77be.js`, transferSize: 168_200 } : row,
    );
  return {
    ...waterfall,
    rows: [
      ...rows,
      moved(like('vendor'), 120, { id: 'new-1', url: 'https://reviews.example/widget.js', transferSize: 61_200 }),
      moved(like('api/cart'), 320, { id: 'new-2', url: `${ORIGIN}/api/reviews/summary`, transferSize: 2_400 }),
      ...Array.from({ length: 4 }, (_, i) =>
        moved(like('api/stock'), 300 + i * 1_000, {
          id: `presence-${i}`,
          url: `${ORIGIN}/api/presence?at=${i}`,
          background: { kind: 'poll', because: PRESENCE, confidence: 'likely' },
        }),
      ),
    ].toSorted((a, b) => a.startedAt - b.startedAt),
  };
}

const PRESENCE = 'asked again every 1.00 s (jitter 2%), 9 times, from setInterval in app.js';

function newPoll(hostile: string | undefined): BackgroundEndpoint & BackgroundChange {
  return {
    build: 'candidate',
    kind: 'poll',
    endpoint: hostile ?? `GET ${ORIGIN}/api/presence?*`,
    urls: [hostile ?? `${ORIGIN}/api/presence?at=0`],
    requests: 9,
    firstStartedAt: 1280,
    lastActivityAt: 9400,
    stillOpen: false,
    period: 1000,
    because: hostile ?? PRESENCE,
    confidence: 'likely',
    excluded: true,
    cost: 8100,
    countedState: 'complete',
    visualImpact: 'none',
  };
}

function changes(hostile: string | undefined): Changes {
  const name = (text: string): string => hostile ?? text;
  return {
    added: [
      {
        name: name('GET https://reviews.example/widget.js'),
        url: name('https://reviews.example/widget.js'),
        type: 'script',
        candidate: { requests: 1, transferSize: 61_200 },
      },
      {
        name: name('GET https://shop.example/api/reviews/summary'),
        url: name(`${ORIGIN}/api/reviews/summary`),
        type: 'fetch',
        candidate: { requests: 1, transferSize: 2_400 },
      },
    ],
    removed: [
      {
        name: name('GET https://shop.example/old-banner.js'),
        url: name(`${ORIGIN}/old-banner.js`),
        type: 'script',
        base: { requests: 1, transferSize: 480 },
      },
    ],
    grown: [
      {
        name: name('GET https://cdn.shop.example/js/app.*.js'),
        url: name(`${CDN}/js/app.77be.js`),
        type: 'script',
        base: { requests: 1, transferSize: 96_500 },
        candidate: { requests: 1, transferSize: 168_200 },
      },
    ],
    shrunk: [
      {
        name: name('GET https://cdn.shop.example/css/product.*.css'),
        url: name(`${CDN}/css/product.88ab.css`),
        type: 'stylesheet',
        base: { requests: 1, transferSize: 18_300 },
        candidate: { requests: 1, transferSize: 14_100 },
      },
    ],
    bytes: [
      { type: 'document', base: 18_400, candidate: 18_400 },
      { type: 'script', base: 244_980, candidate: 377_400 },
      { type: 'stylesheet', base: 28_100, candidate: 23_900 },
      { type: 'image', base: 612_400, candidate: 612_400 },
      { type: 'fetch', base: 9_720, candidate: 12_120 },
    ],
    thirdParties: { added: [hostile ?? 'reviews.example'], removed: [] },
    findings: {
      added: [
        {
          code: hostile ?? 'third-party-blocking',
          message:
            hostile ?? 'A script of reviews.example kept the main thread busy for 132 ms before the first paint.',
          urls: [hostile ?? 'https://reviews.example/widget.js'],
        },
      ],
      removed: [
        {
          code: hostile ?? 'broken-request',
          message: hostile ?? `1 request of the page failed, ${ORIGIN}/old-banner.js with HTTP 404.`,
          urls: [hostile ?? `${ORIGIN}/old-banner.js`],
        },
      ],
    },
  };
}

function differences(hostile: string | undefined): readonly PageDifference[] {
  return [
    {
      code: 'final-url',
      message:
        hostile ?? 'The base ended at /, the candidate at /welcome: two different pages were loaded and are compared.',
    },
    { code: 'failures', message: hostile ?? 'The candidate failed in 3 of 24 loads (HTTP 503), the base in none.' },
  ];
}

function hostOf(outcome: NonNullable<ComparisonOptions['outcome']>, hostile: string | undefined): HostComparison {
  const differs = outcome === 'invalid';
  const [low, high] = differs ? [0.031, 0.052] : [-0.006, 0.009];
  return {
    verdict: differs ? 'differs' : 'fit',
    control: {
      relative: differs ? 0.041 : 0.001,
      absolute: differs ? 0.57 : 0.01,
      low,
      high,
      level: 0.99,
      minEffect: { up: 0.05, down: -0.0476 },
      p: differs ? 0.0004 : 0.71,
      differs,
    },
    unfitRuns: differs ? 5 : 0,
    sentence:
      hostile ??
      (differs
        ? 'The machine was 4.1% slower while the candidate was loaded, which no build can cause.'
        : 'The machine was the same for both builds: its own speed differed by 0.1% (−0.6% to 0.9%).'),
  };
}
