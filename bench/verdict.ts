/**
 * `npm run bench:verdict`: how long does it take to know?
 *
 * - audits: wall time of `quiesce audit` with five timed runs, beside one run of Lighthouse on the same page, in turns.
 * - loads: how long a timed load lasts beyond page complete, ended early and for the whole window, beside Puppeteer's
 *   `networkidle0`.
 * - pairs: wall time of `quiesce compare` for each pair of loads of a page that is complete after 0.2 s: of a whole comparison
 *   of ten pairs, with its start and the loads that are watched for the whole window; and of two loads that end early.
 *
 * Prints Markdown tables and writes bench/results/verdict.json. `--repeat <n>` sets how often each is done (default 3).
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import puppeteer from 'puppeteer-core';
import { findBrowser } from '../src/browser/install/find.ts';
import { estimateMedian } from '../src/core/median.ts';
import type { CompareResult } from '../src/model/comparison.ts';
import type { AuditResult } from '../src/model/result.ts';
import { seconds } from './seconds.ts';
import { startServerApart } from './server-apart.ts';
import { table } from './table.ts';
import { page, servePages } from './timed-pages.ts';
import { type Comparisons, compareBesideTachometer, comparisonRows } from './verdict-comparisons.ts';

const { values } = parseArgs({
  options: {
    repeat: { type: 'string', default: '3' },
    comparisons: { type: 'string', default: '3' },
    identical: { type: 'string', default: '10' },
  },
});
const REPEAT = times('repeat', 1);
const COMPARISONS = times('comparisons', 0);
const IDENTICAL = times('identical', 0);

function times(name: keyof typeof values, least: number): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < least) throw new Error(`--${name} takes a whole number from ${least} on`);
  return number;
}

const CLI = fileURLToPath(new URL('../bin/quiesce.js', import.meta.url));
const LIGHTHOUSE = fileURLToPath(new URL('../node_modules/lighthouse/cli/index.js', import.meta.url));
const RESULTS = new URL('./results/verdict.json', import.meta.url);
const PAIRS = 10;
const isRoot = process.getuid?.() === 0;
const { path: chrome } = await findBrowser(undefined, process.env);

const server = await servePages({
  '/quiet': page('<img src="/picture?450" width="300" height="200">'),
  '/scripted': page(
    '<main></main><script>fetch("/items?400").then((r) => r.text()).then((t) => { document.querySelector("main").textContent = t; })</script>',
  ),
  '/short': page('<img src="/picture?150" width="300" height="200">'),
});
const { origin } = server;
const fixtures = await startServerApart();
const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-bench-'));

const AUDITED = [
  { name: 'quiet page of 0.5 s', url: `${origin}/quiet` },
  { name: 'the same with a script', url: `${origin}/scripted` },
  { name: 'example shop (stream, long poll, poll)', url: fixtures.url('shop') },
];

const stored = async <R>(out: string): Promise<R> =>
  JSON.parse(await readFile(path.join(folder, out, 'result.json'), 'utf8')) as R;

/** How long each timed run was watched beyond page complete, ms. */
function beyond({ targets }: AuditResult, decidedBy: string): readonly number[] {
  return targets.flatMap(({ runs }) =>
    runs.flatMap(({ role, pageComplete }) =>
      role === 'timed' && pageComplete?.at !== undefined && pageComplete.decidedBy === decidedBy
        ? [pageComplete.observedUntil - pageComplete.at]
        : [],
    ),
  );
}

/** How long two loads of a comparison take from start to start, ms, when they are not watched for the whole window. */
async function furtherPair(out: string): Promise<number> {
  const files = (await readdir(path.join(folder, out))).filter((name) => /-run-\d+\.har$/.test(name));
  const starts = await Promise.all(
    files.map(async (name) => {
      const { log } = JSON.parse(await readFile(path.join(folder, out, name), 'utf8'));
      return Date.parse(log.pages[0].startedDateTime);
    }),
  );
  const pauses = starts.sort((a, b) => a - b).map((at, i) => at - (starts[i - 1] ?? Number.NEGATIVE_INFINITY));
  return 2 * (estimateMedian(pauses.slice(1))?.median ?? Number.NaN);
}

async function puppeteerIdle(url: string): Promise<number> {
  const browser = await puppeteer.launch({ executablePath: chrome, args: isRoot ? ['--no-sandbox'] : [] });
  try {
    const page = await browser.newPage();
    const from = performance.now();
    await page.goto(url, { waitUntil: 'networkidle0' });
    return performance.now() - from;
  } finally {
    await browser.close();
  }
}

const audits = new Map(AUDITED.map(({ name }) => [name, { quiesce: [] as number[], lighthouse: [] as number[] }]));
const early: number[] = [];
const whole: number[] = [];
const idle: number[] = [];
const pairs: number[] = [];
const further: number[] = [];
let comparisons: Comparisons | undefined;
try {
  for (let i = 0; i < REPEAT; i++) {
    for (const { name, url } of AUDITED) {
      const out = path.join(folder, 'audit');
      audits.get(name)?.quiesce.push(await seconds([CLI, 'audit', url, '--out', out, '--quiet']));
      const result = await stored<AuditResult>('audit');
      early.push(...beyond(result, 'expected-content'));
      whole.push(...beyond(result, 'quiet-window'));
      await rm(out, { recursive: true });
      const flags = `--chrome-flags=--headless=new${isRoot ? ' --no-sandbox' : ''}`;
      const args = [
        LIGHTHOUSE,
        url,
        flags,
        '--quiet',
        '--output=json',
        `--output-path=${path.join(folder, 'lh.json')}`,
      ];
      process.env.CHROME_PATH = chrome;
      audits.get(name)?.lighthouse.push(await seconds(args));
    }
    // The picture comes 450 ms after the document.
    idle.push((await puppeteerIdle(`${origin}/quiet`)) - 450);
    const out = path.join(folder, 'compare');
    const limits = ['--max-pairs', String(PAIRS), '--looks', String(PAIRS), '--no-evidence', '--quiet'];
    const took = await seconds([
      CLI,
      'compare',
      `${origin}/short?base`,
      `${origin}/short?candidate`,
      '--out',
      out,
      ...limits,
    ]);
    const { design } = await stored<CompareResult>('compare');
    pairs.push(took / design.pairs);
    further.push((await furtherPair('compare')) / 1000);
    await rm(out, { recursive: true });
  }
  if (COMPARISONS + IDENTICAL > 0) {
    comparisons = await compareBesideTachometer({ folder, chrome, repeat: COMPARISONS, identical: IDENTICAL });
  }
} finally {
  server.close();
  await fixtures.close();
  await rm(folder, { recursive: true, force: true });
}

const inSeconds = (all: readonly number[]): string => `${(estimateMedian(all)?.median ?? Number.NaN).toFixed(1)} s`;
const inMs = (all: readonly number[]): string => `${Math.round(estimateMedian(all)?.median ?? Number.NaN)} ms`;
const rows = [
  ...AUDITED.map(({ name }) => {
    const took = audits.get(name) ?? { quiesce: [], lighthouse: [] };
    return [`audit, 5 runs, ${name}`, inSeconds(took.quiesce), `one Lighthouse run: ${inSeconds(took.lighthouse)}`];
  }),
  ['a timed load beyond page complete, ended early', inMs(early), `Puppeteer networkidle0: ${inMs(idle)}`],
  ['the same for the whole window', inMs(whole), ''],
  [`a pair of a page of 0.2 s, in a comparison of ${PAIRS}`, inSeconds(pairs), ''],
  ['one more pair of it, ended early', inSeconds(further), ''],
  ...(comparisons ? comparisonRows(comparisons) : []),
];
console.log(table(['work', 'Quiesce', 'beside'], rows));
const figures = {
  at: new Date().toISOString(),
  audits: Object.fromEntries(audits),
  early,
  whole,
  idle,
  pairs,
  further,
  comparisons,
};
await writeFile(RESULTS, `${JSON.stringify(figures, undefined, 2)}\n`);
