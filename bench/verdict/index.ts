/**
 * `npm run bench:verdict`: how long does it take to know?
 *
 * - audits: wall time of `quiesce audit` with five timed runs, beside one run of Lighthouse on the same page and five loads
 *   of browsertime with its own idea of when a page is complete, in turns.
 * - loads: how long a timed load lasts beyond page complete, ended early and for the whole window, beside Puppeteer's
 *   `networkidle0`.
 * - pairs: wall time of `quiesce compare` for each pair of loads of a page that is complete after 0.2 s: of a whole comparison
 *   of ten pairs, with its start and the loads that are watched for the whole window; and of two loads that end early.
 * - comparisons: of builds that differ by 5%, and of equal ones, beside tachometer.
 *
 * Prints Markdown tables and writes bench/results/verdict.json.
 *
 *   --repeat <n>        how often audits, loads and pairs are done (default 3)
 *   --comparisons <n>   comparisons of builds that differ, of each kind (default 3)
 *   --differing <kinds> only these kinds, of script,network
 *   --identical <n>     comparisons of equal builds (default 10)
 *   --first <n>         the number of the first audit and comparison (default 1), from which its chances follow; where it is
 *                       more than 1, all figures are added to those of the run before
 *   --earlier <folder>  another checkout of Quiesce, built, that compares the builds that differ in turns with this one
 *   --alone             without Lighthouse, browsertime, and tachometer, which goes on for minutes on equal builds
 *
 * What is done 0 times keeps the figures of the run before.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import puppeteer from 'puppeteer-core';
import { findBrowser } from '../../src/browser/install/find.ts';
import { estimateMedian } from '../../src/core/time/median.ts';
import type { CompareResult } from '../../src/model/compare/comparison.ts';
import type { AuditResult } from '../../src/model/result/result.ts';
import { browsertimeArguments, installBrowsertime } from '../support/browsertime.ts';
import { seconds } from '../support/seconds.ts';
import { startServerApart } from '../support/server-apart.ts';
import { storedLoads } from '../support/stored-loads.ts';
import { table } from '../support/table.ts';
import { page, servePages } from '../support/timed-pages.ts';
import { type Comparisons, compareBesideTachometer, comparisonRows, DIFFERING } from './comparisons.ts';

const { values } = parseArgs({
  options: {
    repeat: { type: 'string', default: '3' },
    comparisons: { type: 'string', default: '3' },
    differing: { type: 'string', default: DIFFERING.join(',') },
    identical: { type: 'string', default: '10' },
    first: { type: 'string', default: '1' },
    earlier: { type: 'string' },
    alone: { type: 'boolean', default: false },
  },
});
const REPEAT = times('repeat');
const COMPARISONS = times('comparisons');
const IDENTICAL = times('identical');
const FIRST = times('first');

function times(name: 'repeat' | 'comparisons' | 'identical' | 'first'): number {
  const number = Number(values[name]);
  const least = name === 'first' ? 1 : 0;
  if (!Number.isInteger(number) || number < least) throw new Error(`--${name} takes a whole number from ${least} on`);
  return number;
}

const CLI = fileURLToPath(new URL('../../bin/quiesce.js', import.meta.url));
const LIGHTHOUSE = fileURLToPath(new URL('../../node_modules/lighthouse/cli/index.js', import.meta.url));
const RESULTS = new URL('../results/verdict.json', import.meta.url);
/** Timed runs of an audit by default. */
const RUNS = 5;
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
  const starts = (await storedLoads(path.join(folder, out))).map(({ startedAt }) => startedAt);
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

/** What was measured of one page: seconds of each tool. */
interface AuditFigures {
  readonly quiesce: number[];
  /** How many loads after the first were watched for the whole window, as one of ten is by chance: of each audit. */
  readonly byChance: number[];
  readonly lighthouse: number[];
  readonly browsertime: number[];
}

/** The file of the results. */
interface Figures {
  readonly at: string;
  readonly audits: Readonly<Record<string, AuditFigures>>;
  /** How long loads were watched beyond page complete, ended early and for the whole window, ms. */
  readonly early: number[];
  readonly whole: number[];
  /** The same of Puppeteer. */
  readonly idle: number[];
  /** Seconds of a pair in a whole comparison, and of one more that ends early. */
  readonly pairs: number[];
  readonly further: number[];
  readonly comparisons?: Partial<Comparisons>;
}

const CHROME_FLAGS = ['--headless=new', ...(isRoot ? ['--no-sandbox'] : [])];

async function lighthouse(url: string): Promise<number> {
  process.env.CHROME_PATH = chrome;
  const out = path.join(folder, 'lh.json');
  const flags = `--chrome-flags=${CHROME_FLAGS.join(' ')}`;
  return seconds([LIGHTHOUSE, url, flags, '--quiet', '--output=json', `--output-path=${out}`]);
}

/** Five loads with browsertime; undefined where it cannot be installed. */
async function createBrowsertime(): Promise<((url: string) => Promise<number>) | undefined> {
  try {
    const { stdout } = await promisify(execFile)('which', ['chromedriver']);
    const bin = await installBrowsertime();
    const chromes = { executable: chrome, chromedriver: stdout.trim() };
    return async (url) => {
      const out = path.join(folder, 'browsertime');
      const args = browsertimeArguments(chromes, RUNS, out, isRoot ? ['no-sandbox'] : []);
      const took = await seconds([bin, ...args, url]);
      await rm(out, { recursive: true, force: true });
      return took;
    };
  } catch (error) {
    console.error(`browsertime is left out: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Audits beside the other tools, and what the loads of all of it tell. */
async function measureAudits(): Promise<Omit<Figures, 'at' | 'comparisons'>> {
  const audits = Object.fromEntries(
    AUDITED.map(({ name }): [string, AuditFigures] => [
      name,
      { quiesce: [], byChance: [], lighthouse: [], browsertime: [] },
    ]),
  );
  const [early, whole, idle, pairs, further]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
  const browsertime = values.alone ? undefined : await createBrowsertime();
  for (let i = FIRST; i < FIRST + REPEAT; i++) {
    for (const { name, url: address } of AUDITED) {
      // Which loads are checked for the whole window follows from the address.
      const url = `${address}?round=${i}`;
      const out = path.join(folder, 'audit');
      audits[name]?.quiesce.push(await seconds([CLI, 'audit', url, '--out', out, '--quiet']));
      const result = await stored<AuditResult>('audit');
      early.push(...beyond(result, 'expected-content'));
      const watched = beyond(result, 'quiet-window');
      whole.push(...watched);
      audits[name]?.byChance.push(watched.length - 1);
      await rm(out, { recursive: true });
      if (!values.alone) audits[name]?.lighthouse.push(await lighthouse(url));
      if (browsertime) audits[name]?.browsertime.push(await browsertime(url));
      console.error(`${name}: ${JSON.stringify(audits[name])}`);
    }
    // The picture comes 450 ms after the document.
    idle.push((await puppeteerIdle(`${origin}/quiet`)) - 450);
    const out = path.join(folder, 'compare');
    const limits = ['--max-pairs', String(PAIRS), '--looks', String(PAIRS), '--no-evidence', '--quiet'];
    const builds = ['base', 'candidate'].map((build) => `${origin}/short?${build}`);
    const took = await seconds([CLI, 'compare', ...builds, '--out', out, ...limits]);
    const { design } = await stored<CompareResult>('compare');
    pairs.push(took / design.pairs);
    further.push((await furtherPair('compare')) / 1000);
    await rm(out, { recursive: true });
  }
  return { audits, early, whole, idle, pairs, further };
}

/** The lists of the run before with what came to them, where this one goes on from it. */
function joined<Lists extends object>(earlier: Lists | undefined, more: Lists): Lists {
  if (FIRST === 1 || earlier === undefined) return more;
  const all = Object.entries(more).map(([name, list]) => {
    const known: unknown = earlier[name as keyof Lists];
    return [name, Array.isArray(list) ? [...((known as unknown[] | undefined) ?? []), ...list] : joined(known, list)];
  });
  return Object.fromEntries(all) as Lists;
}

const before = JSON.parse(await readFile(RESULTS, 'utf8')) as Figures;
let figures: Figures;
try {
  const audits = REPEAT > 0 ? joined(before, await measureAudits()) : before;
  const comparisons = await compareBesideTachometer({
    folder,
    chrome,
    repeat: COMPARISONS,
    differing: DIFFERING.filter((kind) => values.differing.split(',').includes(kind)),
    identical: IDENTICAL,
    first: FIRST,
    alone: values.alone,
    earlier: values.earlier,
  });
  figures = {
    ...before,
    ...audits,
    comparisons: { ...before.comparisons, ...joined(before.comparisons, comparisons) },
    at: new Date().toISOString(),
  };
} finally {
  server.close();
  await fixtures.close();
  await rm(folder, { recursive: true, force: true });
}

const inSeconds = (all: readonly number[]): string => `${(estimateMedian(all)?.median ?? Number.NaN).toFixed(1)} s`;
const inMs = (all: readonly number[]): string => `${Math.round(estimateMedian(all)?.median ?? Number.NaN)} ms`;
const rows = [
  ...AUDITED.map(({ name }) => {
    const { quiesce = [], byChance = [], lighthouse = [], browsertime = [] } = figures.audits[name] ?? {};
    const checked = byChance.filter((loads) => loads > 0).length;
    const unchecked = quiesce.filter((_, i) => byChance[i] === 0);
    const own =
      checked === 0
        ? inSeconds(quiesce)
        : `${inSeconds(quiesce)}; ${checked} of ${quiesce.length} with a whole check by chance, the others ${inSeconds(unchecked)}`;
    const others = [`one Lighthouse run: ${inSeconds(lighthouse)}`];
    if (browsertime.length > 0) others.push(`browsertime, ${RUNS} loads: ${inSeconds(browsertime)}`);
    return [`audit, ${RUNS} runs, ${name}`, own, others.join('; ')];
  }),
  [
    'a timed load beyond page complete, ended early',
    inMs(figures.early),
    `Puppeteer networkidle0: ${inMs(figures.idle)}`,
  ],
  ['the same for the whole window', inMs(figures.whole), ''],
  [`a pair of a page of 0.2 s, in a comparison of ${PAIRS}`, inSeconds(figures.pairs), ''],
  ['one more pair of it, ended early', inSeconds(figures.further), ''],
  ...comparisonRows(figures.comparisons ?? {}),
];
console.log(table(['work', 'Quiesce', 'beside'], rows));
await writeFile(RESULTS, `${JSON.stringify(figures, undefined, 2)}\n`);
