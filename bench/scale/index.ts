/**
 * `npm run bench:scale`: what audits of 1, 10, 100 and 1,000 pages cost in time, memory and disk, and how long joining the
 * shards of such an audit takes. Five timed runs and a warm-up of each page, a hundred requests a page, a poll on every
 * third; recordings are made up (nothing of Chrome is in the figures), everything else is what an audit does.
 *
 * Each job is a process of its own (`bench/scale/job.ts`). Prints Markdown tables and writes bench/results/scale.json.
 * `--pages 1,10,100` measures only these; a thousand take about ten minutes and 2.5 GB of disk for the time being.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import puppeteer from 'puppeteer-core';
import { findBrowser } from '../../src/browser/install/find.ts';
import { median } from '../../src/core/time/median.ts';
import { table } from '../support/table.ts';
import type { Taken } from './job.ts';

const { values } = parseArgs({ options: { pages: { type: 'string', default: '1,10,100,1000' } } });
const SIZES = values.pages.split(',').map(Number);
if (SIZES.some((size) => !Number.isInteger(size) || size < 1)) throw new Error('--pages takes whole numbers from 1 on');

/** Machines that the work is dealt to before it is joined; fewer pages than this are not worth it. */
const SHARDS = 4;
const FEWEST_TO_SHARE = 100;
/** What takes a second is repeated, what takes minutes is not. */
const REPEATED = { upTo: 10, times: 5 };
const OPENED = 5;

const RESULTS = new URL('../results/scale.json', import.meta.url);
const JOB = fileURLToPath(new URL('./job.ts', import.meta.url));
const LONGEST_LINE = 64 * 1024;

const run = promisify(execFile);

async function job(...words: readonly string[]): Promise<Taken> {
  const { stdout } = await run(process.execPath, ['--expose-gc', JOB, ...words], { maxBuffer: LONGEST_LINE });
  return JSON.parse(stdout) as Taken;
}

/** Medians, figure by figure. */
function middle(all: readonly Taken[]): Taken {
  const [first] = all;
  if (first === undefined) throw new Error('there is one');
  const figures = Object.keys(first).map((name) => [name, median(all.map((each) => each[name as keyof Taken]))]);
  return Object.fromEntries(figures) as Taken;
}

/** Until the load event, ms. */
async function timeToOpen(file: string): Promise<number> {
  const { path: executablePath } = await findBrowser(undefined, process.env);
  const chrome = await puppeteer.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  try {
    const opens: number[] = [];
    for (let i = 0; i < OPENED; i += 1) {
      const page = await chrome.newPage();
      await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
      opens.push((await page.evaluate('performance.getEntriesByType("navigation")[0].loadEventEnd')) as number);
      await page.close();
    }
    return median(opens);
  } finally {
    await chrome.close();
  }
}

/** An audit of so many pages. */
interface Row {
  readonly pages: number;
  readonly audit: Taken;
  /** To open index.html, and, where it has one, a page's own file, ms. */
  readonly openIndex: number;
  readonly openPage?: number;
  readonly merge?: Taken;
}

async function measured(pages: number, folder: string): Promise<Row> {
  const out = path.join(folder, 'audit');
  const times = pages <= REPEATED.upTo ? REPEATED.times : 1;
  const audits: Taken[] = [];
  for (let i = 0; i < times; i += 1) {
    await rm(out, { recursive: true, force: true });
    console.error(`${pages} pages, ${i + 1} of ${times}`);
    audits.push(await job('audit', String(pages), out));
  }
  const [own] = await readdir(path.join(out, 'pages')).catch(() => []);
  const openIndex = await timeToOpen(path.join(out, 'index.html'));
  const openPage = own === undefined ? undefined : await timeToOpen(path.join(out, 'pages', own));
  // The shards take as much disk once more.
  await rm(out, { recursive: true });
  return {
    pages,
    audit: middle(audits),
    openIndex,
    ...(openPage !== undefined && { openPage }),
    ...(pages >= FEWEST_TO_SHARE && { merge: await merged(pages, folder) }),
  };
}

async function merged(pages: number, folder: string): Promise<Taken> {
  const dirs: string[] = [];
  for (let shard = 1; shard <= SHARDS; shard += 1) {
    console.error(`${pages} pages, shard ${shard} of ${SHARDS}`);
    const dir = path.join(folder, `shard-${shard}`);
    await job('audit', String(pages), dir, `${shard}/${SHARDS}`);
    dirs.push(dir);
  }
  console.error(`${pages} pages, joining`);
  return job('merge', path.join(folder, 'merged'), ...dirs);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const each = (ms: number, pages: number): string => `${Math.round(ms / pages)} ms`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`;

function show(rows: readonly Row[]): void {
  console.log('\nAudits: times beside the loads themselves\n');
  console.log(
    table(
      ['pages', 'all', 'a page', 'CPU', 'load and store', 'settle', 'report', 'heap', 'buffers', 'resident', 'written'],
      rows.map(({ pages, audit }) => [
        String(pages),
        seconds(audit.wall),
        each(audit.wall, pages),
        each(audit.cpu, pages),
        seconds(audit.loading),
        seconds(audit.settling),
        seconds(audit.reporting),
        megabytes(audit.heap),
        megabytes(audit.beside),
        megabytes(audit.rss),
        megabytes(audit.written),
      ]),
    ),
  );
  console.log('\nReports\n');
  console.log(
    table(
      ['pages', 'index.html', 'opens in', 'a page opens in', 'result.json'],
      rows.map(({ pages, audit, openIndex, openPage }) => [
        String(pages),
        megabytes(audit.index),
        `${Math.round(openIndex)} ms`,
        openPage === undefined ? '–' : `${Math.round(openPage)} ms`,
        megabytes(audit.result),
      ]),
    ),
  );
  console.log(`\nJoining ${SHARDS} shards, reports included\n`);
  console.log(
    table(
      ['pages', 'all', 'a page', 'CPU', 'heap', 'resident'],
      rows.flatMap(({ pages, merge }) =>
        merge === undefined
          ? []
          : [
              [
                String(pages),
                seconds(merge.wall),
                each(merge.wall, pages),
                each(merge.cpu, pages),
                megabytes(merge.heap),
                megabytes(merge.rss),
              ],
            ],
      ),
    ),
  );
}

const rows: Row[] = [];
for (const pages of SIZES) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-scale-'));
  try {
    rows.push(await measured(pages, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
show(rows);
const machine = {
  cpu: os.cpus()[0]?.model.trim(),
  cores: os.availableParallelism(),
  node: process.version,
  platform: `${os.platform()} ${os.release()}`,
};
await writeFile(RESULTS, `${JSON.stringify({ date: new Date().toISOString(), machine, rows }, null, 2)}\n`);
