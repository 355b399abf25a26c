import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import type { MetricName } from '../../src/model/metrics/metrics.ts';
import type { ResourceType } from '../../src/model/network/network.ts';
import type {
  AuditReport,
  MetricColumn,
  Phase,
  PhaseName,
  TargetReport,
  Waterfall,
  WaterfallRow,
} from '../../src/model/result/report.ts';
import type {
  AuditResult,
  BackgroundEndpoint,
  Evidence,
  Finding,
  MetricSummary,
  RunResult,
  TargetResult,
} from '../../src/model/result/result.ts';
import type { Unit } from '../../src/model/units.ts';
import { otherFilesOf } from '../../src/reporters/formats.ts';
import { shopPath } from './breakdown.ts';
import { PICTURES } from './example-pictures.ts';

/** The metrics that the example has, as the metric list would describe them. */
export const columns: readonly MetricColumn[] = [
  column('pageComplete', 'Page complete', 'ms', 'All that the page needed has come and is drawn.', true),
  column('networkComplete', 'Network complete', 'ms', 'The end of the last request that the page needed.', false),
  column('timeToFirstByte', 'Time to first byte', 'ms', 'First byte of the document’s answer.', true),
  column('firstContentfulPaint', 'First contentful paint', 'ms', 'The first text or image is drawn.', true),
  column('largestContentfulPaint', 'Largest contentful paint', 'ms', 'The largest text or image is drawn.', true),
  column('domContentLoaded', 'DOM content loaded', 'ms', 'The document is parsed and deferred scripts ran.', false),
  column('load', 'Load event', 'ms', 'The load event’s end.', true),
  column('totalBlockingTime', 'Total blocking time', 'ms', 'Parts of long tasks beyond 50 ms.', true),
  column('cumulativeLayoutShift', 'Cumulative layout shift', 'score', 'How much what was drawn moved.', true),
  column('transferSize', 'Transfer size', 'bytes', 'Transferred bytes until page complete.', true),
  column('requestCount', 'Requests', 'count', 'Requests until page complete.', true),
];

function column(name: MetricName, title: string, unit: Unit, description: string, headline: boolean): MetricColumn {
  return { name, title, unit, description, headline };
}

const ORIGIN = 'https://shop.example';
const CDN = 'https://cdn.shop.example';

interface RowSketch {
  readonly url: string;
  readonly type: ResourceType;
  readonly at: number;
  readonly wait: number;
  readonly receive: number;
  readonly size: number;
  readonly fresh?: boolean;
  readonly stall?: number;
  readonly initiator?: string;
  readonly more?: Partial<WaterfallRow>;
}

let serial = 0;

function row(sketch: RowSketch): WaterfallRow {
  const phases: Phase[] = [];
  let at = sketch.at;
  const step = (name: PhaseName, length: number): void => {
    if (length > 0) phases.push({ name, from: at, to: at + length });
    at += Math.max(0, length);
  };
  step('queue', 1.8);
  step('stall', sketch.stall ?? 0);
  if (sketch.fresh) {
    step('dns', 14);
    step('connect', 21);
    step('ssl', 26);
  }
  step('send', 0.6);
  step('wait', sketch.wait);
  step('receive', sketch.receive);
  return {
    id: `r${serial++}`,
    url: sketch.url,
    method: 'GET',
    type: sketch.type,
    status: 200,
    startedAt: sketch.at,
    endsAt: at,
    open: false,
    failed: false,
    phases,
    chunks:
      sketch.receive > 20 ? [at - sketch.receive, at - sketch.receive * 0.6, at - sketch.receive * 0.25, at] : [at],
    transferSize: sketch.size,
    contentSize: Math.round(sketch.size * 2.6),
    mimeType: MIME[sketch.type] ?? 'application/json',
    protocol: 'h2',
    priority: sketch.type === 'image' ? 'Low' : 'High',
    initiator: sketch.initiator ?? `${ORIGIN}/ line 12`,
    ...sketch.more,
  };
}

const MIME: Partial<Record<ResourceType, string>> = {
  document: 'text/html',
  stylesheet: 'text/css',
  script: 'text/javascript',
  image: 'image/webp',
  font: 'font/woff2',
  eventsource: 'text/event-stream',
};

const BECAUSE = {
  sse: 'text/event-stream: by its protocol it never ends',
  longPoll: 'the answer was withheld for 3.1 s and asked for again 12 ms after it came, 3 times',
  poll: 'asked again every 1.00 s (jitter 1%), 11 times, from setInterval in app.js',
  beacon: 'sendBeacon after the load event, answered 204',
};

/** A shop's page: about forty requests until 1.24 s, then a stream, a long poll, a poll and a beacon that never rest. */
export function shopWaterfall(run: number, pageComplete = 1243): Waterfall {
  const slow = pageComplete / 1243;
  const observedUntil = 12_400;
  const at = (ms: number): number => ms * slow;
  const rows: WaterfallRow[] = [
    row({
      url: `${ORIGIN}/`,
      type: 'document',
      at: 0,
      wait: at(148),
      receive: at(62),
      size: 18_400,
      fresh: true,
      initiator: 'the navigation',
    }),
    row({
      url: `${CDN}/css/base.4f1c.css`,
      type: 'stylesheet',
      at: at(232),
      wait: 38,
      receive: 12,
      size: 9_800,
      fresh: true,
    }),
    row({
      url: `${CDN}/css/product.88ab.css`,
      type: 'stylesheet',
      at: at(233),
      wait: 61,
      receive: 18,
      size: 14_100,
      more: { renderBlocking: true },
    }),
    row({ url: `${CDN}/js/vendor.71d0.js`, type: 'script', at: at(234), wait: 44, receive: 118, size: 148_000 }),
    row({ url: `${CDN}/js/app.20c9.js`, type: 'script', at: at(235), wait: 52, receive: 84, size: 96_500 }),
    row({ url: `${CDN}/fonts/text-400.woff2`, type: 'font', at: at(330), wait: 34, receive: 26, size: 31_200 }),
    row({ url: `${CDN}/fonts/text-600.woff2`, type: 'font', at: at(331), wait: 35, receive: 29, size: 32_700 }),
    row({ url: `${CDN}/img/logo.svg`, type: 'image', at: at(240), wait: 29, receive: 4, size: 2_100 }),
    row({
      url: `${CDN}/img/hero-1280.webp`,
      type: 'image',
      at: at(352),
      wait: 71,
      receive: 244,
      size: 212_000,
      more: {
        largestPaint: true,
        headers: [
          { name: 'cache-control', value: 'public, max-age=2592000' },
          { name: 'content-type', value: 'image/webp' },
        ],
      },
    }),
  ];
  for (let i = 1; i <= 14; i++) {
    rows.push(
      row({
        url: `${CDN}/img/products/${4100 + i * 7}/thumb.webp?w=320&q=75`,
        type: 'image',
        at: at(360 + i * 3),
        stall: i > 6 ? 18 * (i - 6) : 0,
        wait: 40 + (i % 4) * 9,
        receive: 24 + (i % 5) * 11,
        size: 14_000 + i * 830,
      }),
    );
  }
  rows.push(
    row({
      url: `${ORIGIN}/api/session`,
      type: 'fetch',
      at: at(520),
      wait: 86,
      receive: 4,
      size: 640,
      initiator: `${CDN}/js/app.20c9.js line 1`,
    }),
    row({
      url: `${ORIGIN}/api/cart`,
      type: 'fetch',
      at: at(618),
      wait: 94,
      receive: 3,
      size: 1_180,
      initiator: `${CDN}/js/app.20c9.js line 1`,
    }),
    row({
      url: `${ORIGIN}/api/recommendations?limit=8`,
      type: 'fetch',
      at: at(622),
      wait: 388,
      receive: 16,
      size: 7_900,
      initiator: `${CDN}/js/app.20c9.js line 1`,
    }),
    row({
      url: `${ORIGIN}/old-banner.js`,
      type: 'script',
      at: at(410),
      wait: 62,
      receive: 1,
      size: 480,
      more: { status: 404, failed: true, outcome: 'HTTP 404' },
    }),
    row({
      url: 'https://ads.example/tag.js',
      type: 'script',
      at: at(300),
      wait: 120,
      receive: 0,
      size: 0,
      more: {
        failed: true,
        outcome: 'net::ERR_CONNECTION_REFUSED',
        contentSize: 0,
        ...without('status', 'mimeType', 'transferSize'),
      },
    }),
    row({
      url: `${ORIGIN}/favicon.svg`,
      type: 'image',
      at: at(700),
      wait: 20,
      receive: 2,
      size: 900,
      more: { fromCache: 'disk cache' },
    }),
    row({ url: `${CDN}/img/recommendations/a.webp`, type: 'image', at: at(1044), wait: 44, receive: 62, size: 22_400 }),
    row({ url: `${CDN}/img/recommendations/b.webp`, type: 'image', at: at(1045), wait: 49, receive: 96, size: 28_900 }),
    row({
      url: `${CDN}/img/recommendations/c.webp`,
      type: 'image',
      at: at(1046),
      wait: 58,
      receive: 139,
      size: 41_300,
    }),
    row({
      url: `${ORIGIN}/events?channel=stock`,
      type: 'eventsource',
      at: at(540),
      wait: 64,
      receive: 0,
      size: 0,
      more: {
        open: true,
        endsAt: observedUntil,
        phases: [
          { name: 'queue', from: at(540), to: at(542) },
          { name: 'wait', from: at(542), to: at(606) },
          { name: 'receive', from: at(606), to: observedUntil },
        ],
        chunks: Array.from({ length: 24 }, (_, i) => at(640) + i * 470 + (i % 3) * 60),
        contentSize: 5_240,
        background: { kind: 'sse', because: BECAUSE.sse, confidence: 'certain', countsUntil: at(640) },
        ...without('transferSize'),
      },
    }),
  );
  for (let i = 0; i < 3; i++) {
    const from = at(760) + i * 3120;
    rows.push(
      row({
        url: `${ORIGIN}/notify/poll?cursor=${88210 + i}`,
        type: 'xhr',
        at: from,
        wait: 3098,
        receive: 4,
        size: 310,
        more: { background: { kind: 'long-poll', because: BECAUSE.longPoll, confidence: 'certain' } },
      }),
    );
  }
  rows.push(
    row({
      url: `${ORIGIN}/notify/poll?cursor=88213`,
      type: 'xhr',
      at: at(760) + 3 * 3120,
      wait: 0,
      receive: 0,
      size: 0,
      more: {
        open: true,
        endsAt: observedUntil,
        chunks: [],
        contentSize: 0,
        phases: [{ name: 'wait', from: at(760) + 3 * 3120, to: observedUntil }],
        background: { kind: 'long-poll', because: BECAUSE.longPoll, confidence: 'certain' },
        ...without('status', 'mimeType', 'transferSize'),
      },
    }),
  );
  for (let i = 0; i < 11; i++) {
    rows.push(
      row({
        url: `${ORIGIN}/api/stock?sku=4107&t=${1_700_000_000 + i}`,
        type: 'fetch',
        at: at(980) + i * 1002,
        wait: 31 + (i % 3) * 4,
        receive: 2,
        size: 420,
        initiator: `${CDN}/js/app.20c9.js line 1, setInterval`,
        more: { background: { kind: 'poll', because: BECAUSE.poll, confidence: 'likely' } },
      }),
    );
  }
  rows.push(
    row({
      url: 'https://metrics.example/collect',
      type: 'ping',
      at: at(1300),
      wait: 58,
      receive: 1,
      size: 130,
      fresh: true,
      more: {
        method: 'POST',
        status: 204,
        contentSize: 0,
        background: { kind: 'beacon', because: BECAUSE.beacon, confidence: 'certain' },
      },
    }),
  );
  const ordered = rows.toSorted((a, b) => a.startedAt - b.startedAt);
  return {
    run,
    rows: ordered.map((each) => askedBy(each, ordered)),
    milestones: [
      { name: 'first-contentful-paint', label: 'FCP', at: at(412) },
      { name: 'dom-content-loaded', label: 'DCL', at: at(548) },
      { name: 'load', label: 'load', at: at(688) },
      { name: 'largest-contentful-paint', label: 'LCP', at: at(702) },
      { name: 'page-complete', label: 'page complete', at: at(1243) },
    ],
    quietWindow: { from: at(1243), to: at(1243) + 3000 },
    raw: { state: 'never' },
    longTasks: [
      { from: at(402), to: at(498) },
      { from: at(560), to: at(628) },
      { from: at(1190), to: at(1243) },
    ],
    bandwidth: { step: 50, bytes: Array.from({ length: 248 }, (_, i) => Math.round(bytesAround(i * 50, at))) },
    critical: ['/', 'app.20c9.js', 'recommendations?limit=8', 'recommendations/c.webp'].flatMap(
      (name) => ordered.find(({ url }) => url.endsWith(name))?.id ?? [],
    ),
    observedUntil,
  };
}

/** The row with the id of the one that asked for it. */
function askedBy(each: WaterfallRow, rows: readonly WaterfallRow[]): WaterfallRow {
  const asker = rows.find(({ url, startedAt }) =>
    each.url.includes('/img/recommendations/')
      ? url.includes('/api/recommendations')
      : startedAt < each.startedAt && each.initiator?.startsWith(`${url} `) === true,
  );
  return asker === undefined ? each : { ...each, initiatorRow: asker.id };
}

/** What comes in 50 ms: two hills, and a trickle after them. */
function bytesAround(ms: number, at: (ms: number) => number): number {
  const hill = (middle: number, height: number): number => Math.max(0, height - Math.abs(ms - at(middle)) * 300);
  return hill(420, 90_000) + hill(1150, 42_000) + (ms % 1000 === 0 ? 420 : 0);
}

/** Keys that a row of this kind does not have; spread last, they take the defaults away. */
function without(...keys: readonly (keyof WaterfallRow)[]): Partial<WaterfallRow> {
  return Object.fromEntries(keys.map((key) => [key, undefined]));
}

const BACKGROUND: readonly BackgroundEndpoint[] = [
  {
    kind: 'sse',
    endpoint: `GET ${ORIGIN}/events?*`,
    urls: [`${ORIGIN}/events?channel=stock`],
    requests: 1,
    firstStartedAt: 540,
    lastActivityAt: 11_510,
    stillOpen: true,
    because: BECAUSE.sse,
    confidence: 'certain',
    excluded: true,
    countedState: 'never',
    visualImpact: 'first-content',
  },
  {
    kind: 'long-poll',
    endpoint: `GET ${ORIGIN}/notify/poll?*`,
    urls: [`${ORIGIN}/notify/poll?cursor=88210`],
    requests: 4,
    firstStartedAt: 760,
    lastActivityAt: 10_120,
    stillOpen: true,
    period: 3120,
    because: BECAUSE.longPoll,
    confidence: 'certain',
    excluded: true,
    countedState: 'never',
    visualImpact: 'none',
  },
  {
    kind: 'poll',
    endpoint: `GET ${ORIGIN}/api/stock?*`,
    urls: [`${ORIGIN}/api/stock?sku=4107&t=1700000000`],
    requests: 11,
    firstStartedAt: 980,
    lastActivityAt: 11_034,
    stillOpen: false,
    period: 1002,
    because: BECAUSE.poll,
    confidence: 'likely',
    excluded: true,
    cost: 6661,
    countedState: 'complete',
    visualImpact: 'continuous',
  },
  {
    kind: 'beacon',
    endpoint: 'POST https://metrics.example/collect',
    urls: ['https://metrics.example/collect'],
    requests: 1,
    firstStartedAt: 1300,
    lastActivityAt: 1422,
    stillOpen: false,
    because: BECAUSE.beacon,
    confidence: 'certain',
    excluded: true,
    cost: 179,
    countedState: 'complete',
    visualImpact: 'unknown',
  },
  {
    kind: 'websocket',
    endpoint: `GET wss://shop.example/chat/*`,
    urls: ['wss://shop.example/chat/77'],
    requests: 1,
    firstStartedAt: 610,
    lastActivityAt: 1188,
    stillOpen: false,
    because: 'a WebSocket with 3 messages',
    confidence: 'certain',
    excluded: false,
    overruledBy: '--foreground /chat',
    overruling: { code: 'foreground', pattern: '/chat' },
    visualImpact: 'none',
  },
  {
    kind: 'http-stream',
    endpoint: `GET ${ORIGIN}/api/reviews`,
    urls: [`${ORIGIN}/api/reviews`],
    requests: 1,
    firstStartedAt: 700,
    lastActivityAt: 1190,
    stillOpen: false,
    because: 'its headers came after 40 ms, then 9 pieces about 50 ms apart, with no length',
    confidence: 'possible',
    excluded: false,
    overruledBy: 'the page looks different without it',
    visualImpact: 'first-content',
  },
];

const FINDINGS: readonly Finding[] = [
  {
    code: 'stream-starvation',
    message:
      '6 open streams filled all 6 connections to https://shop.example: img/late.webp waited 3.98 s for one, until 4.20 s.',
    urls: [`${ORIGIN}/events?channel=stock`, `${ORIGIN}/img/late.webp`],
  },
  {
    code: 'live-content',
    message: 'GET /api/stock keeps changing the screen. Its first content counts, its updates do not.',
    urls: [`${ORIGIN}/api/stock?sku=4107&t=1700000000`],
  },
];

/** Times of the run that filmed. */
const FILMED = { firstContentfulPaint: 2917, largestContentfulPaint: 5230, load: 4871 };

const EVIDENCE: Evidence = {
  watchedUntil: 14_230,
  watchedBecause: 'a poll every 1.00 s and a stream were watched for three of their periods',
  // The run that filmed took 8.80 s.
  pictures: [
    {
      at: 2917,
      file: 'evidence/01-first-paint.png',
      caption: 'first contentful paint',
      moment: 'first-contentful-paint',
    },
    { at: 8800, file: 'evidence/02-page-complete.png', caption: 'page complete', moment: 'page-complete' },
    {
      at: 9410,
      file: 'evidence/03-after-events.png',
      caption: `after data from GET /api/stock?* arrived`,
      moment: 'data-arrived',
      endpoint: `GET ${ORIGIN}/api/stock?*`,
    },
    { at: 14_230, file: 'evidence/03-after-events.png', caption: 'the end of watching', moment: 'end' },
  ],
  film: [
    { at: 0, file: 'evidence/00-blank.png', progress: 0 },
    { at: 2903, file: 'evidence/01-first-paint.png', progress: 0.114 },
    { at: 5210, file: 'evidence/01b-hero.png', progress: 0.638 },
    { at: 8740, file: 'evidence/02-page-complete.png', progress: 1 },
    { at: 9410, file: 'evidence/03-after-events.png', progress: 1 },
  ],
  progress: [
    { at: 0, share: 0 },
    { at: 2903, share: 0.114 },
    { at: 5210, share: 0.638 },
    { at: 6105, share: 0.9 },
    { at: 8740, share: 1 },
  ],
  speedIndex: 6012,
  ablation: {
    held: [`GET ${ORIGIN}/events?*`, `GET ${ORIGIN}/notify/poll?*`],
    difference: 0.0002,
    same: true,
    completeAt: 1240,
    pictures: {
      with: 'evidence/04-end.png',
      without: 'evidence/ablation.png',
      difference: 'evidence/difference.png',
    },
    sentence:
      'With 2 endpoints blocked, the page looks the same (0.0% of pixels differ) and is complete at 1.24 s, where network idle never calls it complete.',
  },
};

function shopRun(index: number, complete: number): RunResult {
  const slow = complete / 1243;
  return {
    index,
    role: 'timed',
    ok: true,
    pageComplete: {
      state: 'complete',
      at: complete,
      networkAt: complete,
      decidedAt: complete + 3008,
      observedUntil: 12_400,
      watchedBecause: 'a poll every 1.00 s was asked twice more to be sure of its rhythm',
      because: 'the last thing the page needed was recommendations/c.webp',
      raw: { state: 'never', waitingFor: [`${ORIGIN}/events?channel=stock`, `${ORIGIN}/notify/poll?cursor=88213`] },
      waitingFor: [],
    },
    metrics: {
      timeToFirstByte: 212 * slow,
      firstContentfulPaint: 412 * slow,
      largestContentfulPaint: 702 * slow * (index === 4 ? 1.3 : index === 5 ? 0.82 : 1),
      domContentLoaded: 548 * slow,
      load: 688 * slow,
      networkComplete: complete,
      pageComplete: complete,
      totalBlockingTime: 84 + index * 5,
      cumulativeLayoutShift: 0.021,
      mainThreadTime: complete * 0.34,
      waitTime: complete * 0.66,
      transferSize: 982_400 + index * 12,
      requestCount: 32,
    },
    breakdown: {
      basePage: complete * 0.22,
      parse: complete * 0.05,
      components: complete * 0.66,
      render: complete * 0.07,
    },
    criticalPath: shopPath,
    background: BACKGROUND,
    findings: [
      ...FINDINGS,
      {
        code: 'broken-request',
        message: `2 requests of the page failed, first ${ORIGIN}/old-banner.js with HTTP 404.`,
        urls: [`${ORIGIN}/old-banner.js`, 'https://ads.example/tag.js'],
      },
    ],
    host: { verdict: 'fit', busyByOthers: 0.03 + index / 200, steal: 0, reasons: [] },
    har: `run-${index}.har`,
    attempts: 1,
  };
}

function summaryOf(unit: Unit, values: readonly number[]): MetricSummary {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  if (sorted.length < 2) return { unit, n: sorted.length, median };
  const low = sorted[0] ?? median;
  const high = sorted.at(-1) ?? median;
  const half = median === 0 ? 0 : (high - low) / 2 / median;
  const agreement = half <= 0.05 ? 'stable' : half <= 0.1 ? 'varies' : 'disagrees';
  return { unit, n: sorted.length, median, low, high, level: 1 - 0.5 ** (sorted.length - 1), agreement };
}

/** A summary of every column over the timed runs. */
export function summarise(runs: readonly RunResult[]): Record<string, MetricSummary> {
  const summary: Record<string, MetricSummary> = {};
  for (const { name, unit } of columns) {
    const values = runs.flatMap((run) => (run.ok && run.role === 'timed' ? (run.metrics?.[name] ?? []) : []));
    if (values.length > 0) summary[name] = summaryOf(unit, values);
  }
  return summary;
}

/** The example: five timed runs that agree, one that failed. */
export function exampleReport(): AuditReport {
  serial = 0;
  const times = [1251, 1212, 1243, 1270, 1229];
  const failed: RunResult = {
    index: 6,
    role: 'timed',
    ok: false,
    failure: {
      code: 'connection-refused',
      message:
        'Nothing listens at https://shop.example/ (net::ERR_CONNECTION_REFUSED). Start the server, or check the port.',
    },
    attempts: 2,
  };
  const untimed = (index: number, role: RunResult['role'], complete: number): RunResult => ({
    ...shopRun(index, complete),
    role,
    metrics: { pageComplete: complete, ...(role === 'evidence' && FILMED) },
    findings: [],
  });
  // The untimed ones are far off, so that a median would show it if one of them were counted.
  const runs = [
    untimed(0, 'discarded', 9900),
    ...times.map((time, i) => shopRun(i + 1, time)),
    failed,
    untimed(7, 'evidence', 8800),
    untimed(8, 'ablation', 7700),
  ];
  const representative = runs[3];
  return reportOf({
    target: `${ORIGIN}/`,
    url: `${ORIGIN}/`,
    title: 'Garden chairs – Shop',
    finalUrl: `${ORIGIN}/`,
    runs,
    summary: summarise(runs),
    background: BACKGROUND,
    sentence: 'The page is complete after 1.24 s (1.21–1.27 s from 5 runs, stable).',
    networkIdle:
      'Tools that wait for a silent network would never finish here: a stream and a “notify” long poll keep the network busy.',
    notes: [
      'The last thing the page needed was recommendations/c.webp.',
      'wss://shop.example/chat/* looks like background (websocket), but counts: --foreground /chat.',
    ],
    evidence: EVIDENCE,
    pictures: PICTURES,
    ...(representative !== undefined && { representative }),
    waterfalls: [shopWaterfall(3, 1243), ...times.flatMap((time, i) => (i === 2 ? [] : [shopWaterfall(i + 1, time)]))],
  });
}

/** The pages of a report, each as result and report in one. */
export const sketchesOf = (report: AuditReport): readonly TargetSketch[] =>
  report.targets.map(({ result, ...rest }) => ({ ...result, ...rest }));

/** The page of the example, with something else about it. */
export function examplePage(change: (page: TargetSketch) => Partial<TargetSketch> = () => ({})): TargetSketch {
  const [page] = sketchesOf(exampleReport());
  if (page === undefined) throw new Error('the example has a page');
  return { ...page, ...change(page) };
}

/** The example with something else about its page. */
export const exampleWith = (change: (page: TargetSketch) => Partial<TargetSketch>): AuditReport =>
  reportOf(examplePage(change));

/** The page of the example as reporters get it, with something else about its result. */
export function exampleTarget(change: (result: TargetResult) => Partial<TargetResult> = () => ({})): TargetReport {
  const [target] = exampleReport().targets;
  if (target === undefined) throw new Error('the example has a page');
  return { ...target, result: { ...target.result, ...change(target.result) } };
}

/** A page that was still waiting when its time was over. */
export function neverReport(): AuditReport {
  const [page] = sketchesOf(singleRunReport());
  const [run] = page?.runs ?? [];
  if (page === undefined || run === undefined) throw new Error('the example has a run');
  const raw = { state: 'never' } as const;
  const pageComplete = { state: 'never', observedUntil: 60_000, raw, waitingFor: [`${ORIGIN}/slow`] } as const;
  const never = { ...run, pageComplete, metrics: { load: 688 } };
  return reportOf({
    ...page,
    runs: [never],
    summary: summarise([never]),
    sentence: 'The page was never complete within 60.00 s. It was still waiting for GET /slow.',
    representative: never,
    waterfalls: [{ run: 1, rows: [], milestones: [], observedUntil: 60_000 }],
  });
}

/** Nothing but failures: no summary, no representative, no waterfall. */
export function failedReport(): AuditReport {
  return reportOf({
    target: 'https://gone.example/',
    url: 'https://gone.example/',
    runs: [1, 2].map((index) => ({
      index,
      role: 'timed',
      ok: false,
      failure: { code: 'host-not-found', message: 'No such host: https://gone.example/. Check the spelling.' },
    })),
    summary: {},
    background: [],
    sentence: 'The page could not be measured: both runs failed.',
    notes: [],
    waterfalls: [],
  });
}

/** One run: medians without an interval, and no breakdown. */
export function singleRunReport(): AuditReport {
  serial = 0;
  const { breakdown: _, ...run } = shopRun(1, 1243);
  return reportOf({
    target: `${ORIGIN}/`,
    url: `${ORIGIN}/`,
    runs: [run],
    summary: summarise([run]),
    background: [],
    sentence: 'The page is complete after 1.24 s (one run).',
    notes: [],
    representative: run,
    waterfalls: [shopWaterfall(1)],
  });
}

/** The example with `count` rows in each of `runs` waterfalls: as many as a page that polls for an hour. */
export function hugeReport(count: number, runs = 1): AuditReport {
  const base = exampleReport();
  const [target] = base.targets;
  if (target === undefined) return base;
  const waterfalls = Array.from({ length: runs }, (_, i): Waterfall => {
    const pattern = shopWaterfall(i === 0 ? 3 : i < 3 ? i : i + 1);
    const rows = Array.from({ length: count }, (_, n) => {
      const model = pattern.rows[n % pattern.rows.length] as WaterfallRow;
      const shift = Math.floor(n / pattern.rows.length) * 50;
      return {
        ...model,
        id: `h${n}`,
        url: `${model.url}${model.url.includes('?') ? '&' : '?'}n=${n}`,
        startedAt: model.startedAt + shift,
        endsAt: model.open ? 60_000 : model.endsAt + shift,
        phases: model.phases.map((phase) => ({ ...phase, from: phase.from + shift, to: phase.to + shift })),
        chunks: model.chunks.map((at) => at + shift),
      };
    });
    return { ...pattern, rows, observedUntil: 60_000 };
  });
  return { ...base, targets: [{ ...target, waterfalls }] };
}

/** What `quiesce analyze` hands over: a page, one whose recording ends too early, and a file that cannot be read. */
export function analysisReport(): AuditReport {
  serial = 0;
  const recorded = (index: number, complete: number): RunResult => {
    const { host: _, attempts: _attempts, findings: _findings, ...run } = shopRun(index, complete);
    return { ...run, findings: FINDINGS, har: '../recordings/shop%20floor.har.gz' };
  };
  const whole = recorded(1, 1243);
  const { breakdown: _, ...cut } = recorded(1, 2100);
  const waitingFor = ['1.79 s more of silence', 'the load event: the file has no onLoad'];
  const unconfirmed: RunResult = {
    ...cut,
    pageComplete: {
      state: 'unconfirmed',
      at: 2100,
      observedUntil: 3310,
      watchedBecause: 'the recording ends there',
      raw: { state: 'unconfirmed', at: 3290 },
      waitingFor,
    },
    metrics: { load: 688, requestCount: 31 },
    background: [],
    findings: [
      {
        code: 'evidence-missing',
        message: 'The file does not say when the load event fired (pageTimings.onLoad).',
        urls: [],
      },
    ],
  };
  const report = reportOf(
    {
      target: 'shop.example.har.gz',
      url: `${ORIGIN}/`,
      title: 'Garden chairs – Shop',
      runs: [whole],
      summary: summarise([whole]),
      background: BACKGROUND.filter((endpoint) => endpoint.excluded).map((each) => ({
        ...each,
        visualImpact: 'unknown',
      })),
      sentence: 'The page is complete after 1.24 s in the recording.',
      networkIdle:
        'Tools that wait for a silent network would never finish here: a stream and a “notify” long poll keep the network busy.',
      notes: ['The last thing the page needed was recommendations/c.webp.'],
      representative: whole,
      waterfalls: [shopWaterfall(1)],
    },
    {
      target: 'recordings/checkout.har',
      url: `${ORIGIN}/checkout`,
      runs: [unconfirmed],
      summary: summarise([unconfirmed]),
      background: [],
      sentence:
        'The page is probably complete after 2.10 s, but this is not confirmed: the recording ends after 3.31 s, while waiting for the load event.',
      notes: [],
      representative: unconfirmed,
      waterfalls: [{ ...shopWaterfall(1, 2100), observedUntil: 3310 }],
    },
    {
      target: 'recordings/broken.har',
      url: '',
      runs: [
        {
          index: 1,
          role: 'timed',
          ok: false,
          failure: {
            code: 'har-invalid',
            message: 'log.entries[12].startedDateTime: not a date ("yesterday"). Record the page again.',
          },
        },
      ],
      summary: {},
      background: [],
      sentence: 'The recording could not be analysed.',
      notes: [],
      waterfalls: [],
    },
  );
  return { ...report, result: { ...report.result, kind: 'analysis', browser: { product: 'Chrome 131, WebPageTest' } } };
}

/** A target as result and report in one. */
export type TargetSketch = TargetResult & Omit<TargetReport, 'result'>;

/** A report of targets that are given as result and report in one. */
export function reportOf(...sketches: readonly TargetSketch[]): AuditReport {
  const targets = sketches.map(
    ({ sentence, networkIdle, notes, representative, waterfalls, pictures, ...result }): TargetReport => ({
      result: { policy: DEFAULT_POLICY, ...result },
      sentence,
      ...(networkIdle !== undefined && { networkIdle }),
      notes,
      waterfalls,
      ...(representative !== undefined && { representative }),
      ...(pictures !== undefined && { pictures }),
    }),
  );
  const result: AuditResult = {
    $schema: 'https://quiesce.example/result.schema.json',
    version: 1,
    kind: 'audit',
    tool: { name: 'quiesce', version: '0.1.0' },
    browser: { product: 'Chromium 156.0.8078.79', userAgent: 'Mozilla/5.0 HeadlessChrome/156', sandbox: true },
    startedAt: '2026-03-01T10:20:30.000Z',
    settings: {
      runs: 6,
      quietWindow: 3000,
      maxInflight: 0,
      timeout: 60_000,
      background: [],
      foreground: [],
      format: ['html', 'json', 'har'],
      harContent: false,
      harSecrets: false,
    },
    targets: targets.map((target) => target.result),
  };
  return { result, columns, targets, files: otherFilesOf(result.settings) };
}
