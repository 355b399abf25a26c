/**
 * `npm run bench:overhead`: what Quiesce itself costs.
 *
 * 1. Load event and LCP of the example shop with the recorder as timed runs use it, with the browser's own reports of the
 *    network alone, and with the trace and the coverage of an evidence run, against bare Chrome, interleaved in random order.
 * 2. Wall time of a run that is neither page-complete nor quiet window: a new context in a warm browser against a new
 *    browser process.
 * 3. Time and memory to analyse and report recordings of 100, 1,000 and 10,000 requests, and to open the report.
 * 4. What live judging costs: its share of the time that a page is watched, for the shop and for a page of 1,000
 *    requests.
 *
 * Prints Markdown tables and writes bench/results/overhead.json. `--loads <n>` sets the loads an arm (default 20),
 * `--parts recorder,run,large,judging` measures only these again and keeps the rest of the file.
 */

import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as settle } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import puppeteer from 'puppeteer-core';
import type { RunningBrowser } from '../../src/browser/connect/browser.ts';
import { closingIsOver } from '../../src/browser/connect/closing.ts';
import { startBrowser } from '../../src/browser/connect/start-browser.ts';
import { findBrowser } from '../../src/browser/install/find.ts';
import { loadPage } from '../../src/browser/record/load.ts';
import { SETTLE_MS } from '../../src/browser/record/page-load.ts';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { DESKTOP } from '../../src/core/conditions/devices.ts';
import { buildHar } from '../../src/core/har/build.ts';
import { measure, visitOf } from '../../src/core/measure.ts';
import { estimateMedian, median } from '../../src/core/time/median.ts';
import { waterfallOf } from '../../src/core/waterfall.ts';
import type { Recording } from '../../src/model/recording/recording.ts';
import type { AuditReport } from '../../src/model/result/report.ts';
import { runInWords } from '../../src/wording/result/run.ts';
import { waterfallInWords } from '../../src/wording/waterfall.ts';
import { startServerApart } from '../support/server-apart.ts';
import { syntheticRecording } from '../support/synthetic.ts';
import { table } from '../support/table.ts';

const PARTS = ['recorder', 'run', 'large', 'judging'] as const;
const { values } = parseArgs({
  options: { loads: { type: 'string', default: '20' }, parts: { type: 'string', default: PARTS.join(',') } },
});
const parts = new Set(values.parts.split(','));
for (const part of parts) {
  if (!PARTS.some((known) => known === part)) throw new Error(`--parts takes a list out of ${PARTS.join(', ')}`);
}
const LOADS = Number(values.loads);
if (!Number.isInteger(LOADS) || LOADS < 2) throw new Error('--loads takes a whole number from 2 on');

/** Modules with TSX come from the build: Node runs TypeScript, but not TSX. */
async function built<T>(file: string): Promise<T> {
  return (await import(new URL(`../../dist/${file}`, import.meta.url).href)) as T;
}
const { renderHtml } = await built<typeof import('../../src/reporters/html/index.tsx')>('reporters/html/index.js');
const { auditReport } = await built<typeof import('../../src/jobs/engine/reports/report-model.ts')>(
  'jobs/engine/reports/report-model.js',
);

const settings = { sandbox: process.getuid?.() !== 0, browserArg: [] };
const { path: executable } = await findBrowser(undefined, process.env);
const server = await startServerApart();
const never = new AbortController().signal;

/**
 * A load as bare as it can be: the page is asked once when all is over. No domain is enabled, or, with `reports`, those
 * without which nobody can write a HAR: what the browser's own reports cost is told apart from what Quiesce adds.
 */
async function bareLoad(browser: RunningBrowser, url: string, reports = false): Promise<{ load: number; lcp: number }> {
  const { root } = browser;
  const opening = performance.now();
  const { browserContextId } = await root.send('Target.createBrowserContext', {});
  try {
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    const page = browser.session(sessionId);
    if (!page) throw new Error('no session for the page');
    const { width, height, deviceScaleFactor, mobile } = DESKTOP;
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile });
    if (reports) {
      await page.send('Network.enable', {});
      await page.send('Page.enable');
      await page.send('Page.setLifecycleEventsEnabled', { enabled: true });
    }
    // Both arms let the browser settle for the same time; what is compared is the recording alone.
    await closingIsOver(browser);
    await settle(Math.max(0, SETTLE_MS - (performance.now() - opening)));
    await page.send('Page.navigate', { url });
    const { result } = await page.send('Runtime.evaluate', {
      awaitPromise: true,
      returnByValue: true,
      expression: `new Promise((resolve) => {
        // The shop paints its largest picture within this time after load; a recorder watches longer anyway.
        const read = () => setTimeout(() => {
          const observer = new PerformanceObserver(() => undefined);
          observer.observe({ type: 'largest-contentful-paint', buffered: true });
          const lcp = observer.takeRecords().at(-1);
          const [navigation] = performance.getEntriesByType('navigation');
          resolve({ load: navigation.loadEventEnd, lcp: lcp.startTime });
        }, 1500);
        if (document.readyState === 'complete') read();
        else addEventListener('load', read);
      })`,
    });
    return result.value as { load: number; lcp: number };
  } finally {
    await root.send('Target.disposeBrowserContext', { browserContextId });
  }
}

async function recorded(browser: RunningBrowser, url: string, trace = false): Promise<Recording> {
  const outcome = await loadPage(browser, { url, policy: DEFAULT_POLICY, content: false, trace }, never);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.recording;
}

async function recordedLoad(
  browser: RunningBrowser,
  url: string,
  trace = false,
): Promise<{ load: number; lcp: number }> {
  const { page, marks } = await recorded(browser, url, trace);
  const lcp = marks.findLast((mark) => mark.name === 'largest-contentful-paint')?.at;
  if (page?.loadEnd === undefined || lcp === undefined) throw new Error('the page has no load event or no LCP');
  return { load: page.loadEnd, lcp };
}

const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** Ratio of medians with the interval of the paired ratios. */
function ratioOf(bare: readonly number[], other: readonly number[]) {
  const ratios = other.map((value, i) => value / (bare[i] ?? Number.NaN));
  const { low, high, level } = estimateMedian(ratios) ?? {};
  return { bare: median(bare), other: median(other), medianRatio: median(ratios), low, high, level };
}

// --- 1. Recorder against bare Chrome ------------------------------------------------------------------------------

type Timings = { load: number; lcp: number };

/**
 * Arms, drawn in a new order every round. The control shows how far two equal arms are apart on this machine. What a timed
 * run tells of long frames and interactions is no arm of its own: the page is asked once, when the load is over.
 */
async function recorderOverhead() {
  const browser = await startBrowser(settings, executable);
  const url = server.url('shop');
  const arms = {
    bare: { load: () => bareLoad(browser, url), seen: [] as Timings[] },
    control: { load: () => bareLoad(browser, url), seen: [] as Timings[] },
    reports: { load: () => bareLoad(browser, url, true), seen: [] as Timings[] },
    recorder: { load: () => recordedLoad(browser, url), seen: [] as Timings[] },
    traced: { load: () => recordedLoad(browser, url, true), seen: [] as Timings[] },
  };
  try {
    for (const arm of Object.values(arms)) await arm.load();
    for (let i = 0; i < LOADS; i += 1) {
      process.stderr.write(`\rrecorder against bare Chrome: round ${i + 1} of ${LOADS}`);
      const order = Object.values(arms).map((arm) => ({ arm, draw: Math.random() }));
      for (const { arm } of order.sort((a, b) => a.draw - b.draw)) arm.seen.push(await arm.load());
    }
  } finally {
    process.stderr.write('\n');
    await browser.close();
  }
  const of = (key: keyof Timings, against: Exclude<keyof typeof arms, 'bare'>) =>
    ratioOf(
      arms.bare.seen.map((each) => each[key]),
      arms[against].seen.map((each) => each[key]),
    );
  return {
    loads: LOADS,
    load: of('load', 'recorder'),
    largestContentfulPaint: of('lcp', 'recorder'),
    control: { load: of('load', 'control'), largestContentfulPaint: of('lcp', 'control') },
    reports: { load: of('load', 'reports'), largestContentfulPaint: of('lcp', 'reports') },
    traced: { load: of('load', 'traced'), largestContentfulPaint: of('lcp', 'traced') },
  };
}

// --- 2. What a run costs beside what it measures ------------------------------------------------------------------

async function runOverhead() {
  const url = server.url('plain');
  const rest = async (load: () => Promise<Recording>) => {
    const from = performance.now();
    const recording = await load();
    const wall = performance.now() - from;
    const { pageComplete } = measure(visitOf(recording, DEFAULT_POLICY), DEFAULT_POLICY);
    return {
      rest: wall - (pageComplete.at ?? Number.NaN) - DEFAULT_POLICY.quietWindow,
      load: recording.page?.loadEnd ?? Number.NaN,
    };
  };
  const warm = await startBrowser(settings, executable);
  const arms = {
    context: [] as number[],
    browser: [] as number[],
    contextLoad: [] as number[],
    browserLoad: [] as number[],
  };
  try {
    await recorded(warm, url);
    const rounds = Math.max(6, Math.round(LOADS / 3));
    for (let i = 0; i < rounds; i += 1) {
      process.stderr.write(`\rnew context against new browser: round ${i + 1} of ${rounds}`);
      const context = await rest(() => recorded(warm, url));
      const fresh = await rest(async () => {
        const browser = await startBrowser(settings, executable);
        try {
          return await recorded(browser, url);
        } finally {
          await browser.close();
        }
      });
      arms.context.push(context.rest);
      arms.contextLoad.push(context.load);
      arms.browser.push(fresh.rest);
      arms.browserLoad.push(fresh.load);
    }
  } finally {
    process.stderr.write('\n');
    await warm.close();
  }
  return {
    newContext: estimateMedian(arms.context),
    newBrowser: estimateMedian(arms.browser),
    loadEventInNewContext: estimateMedian(arms.contextLoad),
    loadEventInNewBrowser: estimateMedian(arms.browserLoad),
  };
}

// --- 3. Large recordings ------------------------------------------------------------------------------------------

function reportOf(recording: Recording): { analysis: () => AuditReport; har: () => string } {
  const analysis = (): AuditReport => {
    const visit = visitOf(recording, DEFAULT_POLICY);
    const run = {
      index: 1,
      role: 'timed',
      ok: true,
      ...runInWords(measure(visit, DEFAULT_POLICY), visit.recording.navigation.url),
    } as const;
    const waterfalls = [[waterfallInWords(waterfallOf(visit, DEFAULT_POLICY, 1))]];
    const target = {
      target: 'bench',
      url: recording.navigation.url,
      runs: [run],
      summary: {},
      background: run.background,
    };
    return auditReport(
      {
        version: 1,
        kind: 'audit',
        tool: { name: 'quiesce', version: 'bench' },
        browser: { product: 'Chrome/0' },
        startedAt: '2026-01-01T00:00:00.000Z',
        settings: {},
        targets: [target],
      },
      waterfalls,
    );
  };
  const har = (): string => {
    const visit = visitOf(recording, DEFAULT_POLICY);
    return JSON.stringify(
      buildHar(recording, visit.timeline, { version: 'bench', verdicts: [...visit.verdicts.values()] }),
    );
  };
  return { analysis, har };
}

/** Median time of a few repetitions, the first of which warms up and is left out. */
function timed<T>(work: () => T, repetitions = 5): { time: number; value: T } {
  let value = work();
  const times: number[] = [];
  for (let i = 0; i < repetitions; i += 1) {
    const from = performance.now();
    value = work();
    times.push(performance.now() - from);
  }
  return { time: median(times), value };
}

async function scale() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-bench-'));
  const chrome = await puppeteer.launch({ executablePath: executable, args: settings.sandbox ? [] : ['--no-sandbox'] });
  const rows = [];
  try {
    for (const requests of [100, 1_000, 10_000]) {
      const { analysis, har } = reportOf(syntheticRecording(requests));
      globalThis.gc?.();
      const before = process.memoryUsage().heapUsed;
      const analysed = timed(analysis);
      globalThis.gc?.();
      const heap = process.memoryUsage().heapUsed - before;
      const written = timed(har);
      const rendered = timed(() => renderHtml(analysed.value));
      const file = path.join(folder, `${requests}.html`);
      await writeFile(file, rendered.value);
      const opens: number[] = [];
      for (let i = 0; i < 3; i += 1) {
        const page = await chrome.newPage();
        await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
        opens.push((await page.evaluate('performance.getEntriesByType("navigation")[0].loadEventEnd')) as number);
        await page.close();
      }
      rows.push({
        requests,
        analyse: analysed.time,
        har: written.time,
        report: rendered.time,
        heapMegabytes: heap / 1e6,
        reportMegabytes: Buffer.byteLength(rendered.value) / 1e6,
        open: median(opens),
      });
    }
  } finally {
    await chrome.close();
    await rm(folder, { recursive: true, force: true });
  }
  return rows;
}

// --- 4. Live judging ----------------------------------------------------------------------------------------------

/** Pictures and chains of fetches, a poll and a stream: 1,000 requests in all. */
const THOUSAND = `<!doctype html><title>1,000 requests</title><h1>1,000 requests</h1><script>
for (let i = 0; i < 500; i += 1) document.body.append(Object.assign(new Image(), { src: '/picture/' + i }));
let n = 0;
const next = () => { n += 1; if (n <= 500) fetch('/piece/' + n).then((answer) => answer.text()).then(next); };
for (let i = 0; i < 5; i += 1) next();
setInterval(() => fetch('/poll'), 250);
new EventSource('/events');
</script>`;

async function judgingShare() {
  const pages = createServer((request, response) => {
    const url = request.url ?? '/';
    if (url === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(THOUSAND);
    if (url !== '/events') return void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg/>');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write('data: tick\n\n'), 50);
    response.once('close', () => clearInterval(timer));
  }).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const browser = await startBrowser(settings, executable);
  const share = async (url: string) => {
    const shares: number[] = [];
    const hops: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { judging, observedUntil, announcedHops } = await recorded(browser, url);
      shares.push((judging?.cost ?? Number.NaN) / observedUntil);
      hops.push(announcedHops);
    }
    return { requests: median(hops), share: estimateMedian(shares) };
  };
  try {
    return {
      shop: await share(server.url('shop')),
      thousand: await share(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`),
    };
  } finally {
    await browser.close();
    pages.closeAllConnections();
    pages.close();
  }
}

// --- Everything ---------------------------------------------------------------------------------------------------

interface Results {
  /** Results of earlier versions do not have all arms. */
  readonly recorder: Omit<Awaited<ReturnType<typeof recorderOverhead>>, 'reports' | 'traced'> &
    Partial<Pick<Awaited<ReturnType<typeof recorderOverhead>>, 'reports' | 'traced'>>;
  readonly run: Awaited<ReturnType<typeof runOverhead>>;
  readonly large: Awaited<ReturnType<typeof scale>>;
  readonly judging: Awaited<ReturnType<typeof judgingShare>>;
}

try {
  const file = new URL('../results/overhead.json', import.meta.url);
  const before: Partial<Results> = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  /** What was asked for, or what an earlier run found. */
  const part = async <K extends (typeof PARTS)[number]>(name: K, measurePart: () => Promise<Results[K]>) => {
    const known = before[name];
    return parts.has(name) || known === undefined ? measurePart() : (known as Results[K]);
  };
  // The small effect first: what large recordings leave on this process's heap would be the recorder's burden too.
  const recorder = await part('recorder', recorderOverhead);
  const run = await part('run', runOverhead);
  const judging = await part('judging', judgingShare);
  const large = await part('large', scale);
  const results = {
    date: new Date().toISOString(),
    machine: {
      cpu: os.cpus()[0]?.model,
      cores: os.cpus().length,
      node: process.version,
      platform: `${os.platform()} ${os.release()}`,
    },
    recorder,
    run,
    large,
    judging,
  };
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  const arm = (name: string, { bare, other, medianRatio, low, high, level }: ReturnType<typeof ratioOf>) => [
    name,
    ms(bare),
    ms(other),
    `${((medianRatio - 1) * 100).toFixed(1)} % [${(((low ?? Number.NaN) - 1) * 100).toFixed(1)}, ${(((high ?? Number.NaN) - 1) * 100).toFixed(1)}] at ${((level ?? 0) * 100).toFixed(0)} %`,
  ];
  const known = (name: string, ratio: ReturnType<typeof ratioOf> | undefined) => (ratio ? [arm(name, ratio)] : []);
  console.log(`\nRecorder against bare Chrome, ${recorder.loads} interleaved rounds, medians\n`);
  console.log(
    table(
      ['example shop', 'bare Chrome', 'second arm', 'median difference of a round'],
      [
        arm('load event', recorder.load),
        arm('load event, bare against bare', recorder.control.load),
        ...known('load event, with the browser’s reports alone', recorder.reports?.load),
        ...known('load event, traced with coverage (evidence run)', recorder.traced?.load),
        arm('largest contentful paint', recorder.largestContentfulPaint),
        arm('largest contentful paint, bare against bare', recorder.control.largestContentfulPaint),
        ...known(
          'largest contentful paint, with the browser’s reports alone',
          recorder.reports?.largestContentfulPaint,
        ),
        ...known('largest contentful paint, traced with coverage', recorder.traced?.largestContentfulPaint),
      ],
    ),
  );
  const spread = (estimate: ReturnType<typeof estimateMedian>) =>
    estimate
      ? `${ms(estimate.median)} [${ms(estimate.low ?? estimate.median)}, ${ms(estimate.high ?? estimate.median)}]`
      : '–';
  console.log('\nWall time of a run beside page-complete and quiet window\n');
  console.log(
    table(
      ['', 'beside', 'load event'],
      [
        ['new context, warm browser', spread(run.newContext), spread(run.loadEventInNewContext)],
        ['new browser process', spread(run.newBrowser), spread(run.loadEventInNewBrowser)],
      ],
    ),
  );
  console.log('\nLarge recordings, medians\n');
  console.log(
    table(
      ['requests', 'analyse', 'write HAR', 'write report', 'heap kept', 'report', 'open report'],
      large.map((row) => [
        String(row.requests),
        ms(row.analyse),
        ms(row.har),
        ms(row.report),
        `${row.heapMegabytes.toFixed(1)} MB`,
        `${row.reportMegabytes.toFixed(2)} MB`,
        ms(row.open),
      ]),
    ),
  );
  const percent = (value: number | undefined): string => `${((value ?? Number.NaN) * 100).toFixed(2)} %`;
  console.log('\nLive judging: share of the time that a page is watched, CPU time, medians of five loads\n');
  console.log(
    table(
      ['page', 'requests', 'share'],
      [judging.shop, judging.thousand].map(({ requests, share }, i) => [
        i === 0 ? 'example shop' : 'a page of 1,000 requests',
        String(requests),
        `${percent(share?.median)} [${percent(share?.low)}, ${percent(share?.high)}]`,
      ]),
    ),
  );
} finally {
  await server.close();
}
