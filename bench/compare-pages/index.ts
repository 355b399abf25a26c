/**
 * `npm run bench:compare-pages`: is `quiesce compare` of several pages right on real applications, and what does it cost?
 *
 * The applications of fixtures/applications, each in a git repository with three branches, are built and served from two work
 * trees by the command line, as a job of a CI system does it:
 *
 * - slower: six pages, one of which waits 60 ms longer for the server, and one runs 40 ms more of script. Both are found, with
 *   that reason, and no other page.
 * - equal: the same six pages of two commits that do not differ. None may be called different.
 * - one: one of these pages alone. Six may take at most three times as long.
 * - journey: the page behind the login, with `--script`, of equal commits.
 * - lighthouse: what is done today. Lighthouse 13 loads each page five times, equal builds one after the other; how often is the
 *   median of a metric worse by more than 5 %, or the score by more than 5 points?
 *
 * Prints Markdown tables and writes bench/results/compare-pages.json after each comparison. `--times <n>` sets how often each is
 * done (once otherwise), `--only express:slower,next:equal` measures only these, `--budget-time` is handed on; what was measured
 * before is kept, `--anew` forgets it, and `--print` only prints it.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import {
  APPLICATIONS,
  type Application,
  type Branch,
  checkOut,
  makeRepository,
} from '../../fixtures/applications/repository.ts';
import { findBrowser } from '../../src/browser/install/find.ts';
import { estimateMedian } from '../../src/core/time/median.ts';
import type { ComparedPage, ComparePagesResult } from '../../src/model/compare/comparison.ts';
import { freePort } from '../../src/shell/servers/free-port.ts';
import { serveCommand } from '../../src/shell/servers/serve-command.ts';
import { table } from '../support/table.ts';

const CLI = process.env.QUIESCE_CLI ?? fileURLToPath(new URL('../../bin/quiesce.js', import.meta.url));
const LIGHTHOUSE = fileURLToPath(new URL('../../node_modules/lighthouse/cli/index.js', import.meta.url));
const JOURNEY = fileURLToPath(new URL('../../fixtures/applications/journey.ts', import.meta.url));
const RESULTS = new URL('../results/compare-pages.json', import.meta.url);
/** As Lighthouse CI does it. */
const LIGHTHOUSE_RUNS = 5;
/** What an assertion allows. */
const ALLOWED = 0.05;
/** What assertions are made of: numeric values of audits, worse when they are larger. */
const ASSERTED = ['first-contentful-paint', 'largest-contentful-paint', 'speed-index', 'interactive'] as const;

const CASES = ['slower', 'equal', 'one', 'journey', 'lighthouse'] as const;
type Case = (typeof CASES)[number];

/** What is compared with main. */
const BRANCHES: Readonly<Record<Exclude<Case, 'lighthouse'>, Branch>> = {
  slower: 'slower',
  equal: 'equal',
  one: 'equal',
  journey: 'equal',
};

/** One comparison, as it is kept. */
interface Answer {
  readonly seconds: number;
  /** How many programs wanted a processor on average in the last minute, before and after; and how many processors there are. */
  readonly load: readonly number[];
  readonly processors: number;
  readonly seed: number;
  /** How long it might take, where that was limited. */
  readonly budget?: string | undefined;
  readonly decision: string;
  readonly pages: readonly {
    readonly path: string;
    readonly decision: string;
    readonly pairs: number;
    readonly difference?: number | undefined;
    /** The first reason. */
    readonly why?: string | undefined;
    readonly leftOut?: string | undefined;
  }[];
}

/** Five runs of each page of one build, medians by page. */
interface Medians {
  readonly seconds: number;
  readonly load: readonly number[];
  readonly pages: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** What was measured of an application. */
interface Stored {
  slower?: readonly Answer[];
  equal?: readonly Answer[];
  one?: readonly Answer[];
  journey?: readonly Answer[];
  lighthouse?: readonly Medians[];
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    times: { type: 'string', default: '1' },
    'budget-time': { type: 'string' },
    anew: { type: 'boolean', default: false },
    print: { type: 'boolean', default: false },
  },
});
const all = APPLICATIONS.flatMap((application) => CASES.map((each) => ({ application, case: each })));
const nameOf = (each: (typeof all)[number]): string => `${each.application.name}:${each.case}`;
const wanted = values.only?.split(',') ?? all.map(nameOf);
for (const name of wanted) {
  if (!all.some((each) => nameOf(each) === name)) {
    throw new Error(`--only takes a list out of ${all.map(nameOf).join(', ')}`);
  }
}
const times = Number(values.times);
if (!Number.isInteger(times) || times < 1) throw new Error('--times takes a whole number from 1 on');

const stored: Record<string, Stored> = values.anew
  ? {}
  : await readFile(RESULTS, 'utf8').then(
      (text) => JSON.parse(text) as Record<string, Stored>,
      () => ({}),
    );

// An ended benchmark ends what it started.
const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());

/** Repositories that are there. */
const made = new Set<string>();
const root = await mkdtemp(path.join(os.tmpdir(), 'quiesce-bench-'));
// --- Measuring ------------------------------------------------------------------------------------------------------

/** Each case once, so that all see the same hours. */
async function measureAll(time: number): Promise<void> {
  for (const each of all) {
    const { application } = each;
    if (!wanted.includes(nameOf(each)) || ended.signal.aborted) continue;
    process.stderr.write(`${nameOf(each)}, ${time} of ${times}\n`);
    const folder = path.join(root, application.name);
    if (!made.has(folder)) await makeRepository(application, folder);
    made.add(folder);
    const own = stored[application.name] ?? {};
    stored[application.name] = own;
    if (each.case === 'lighthouse') {
      const medians = await withLighthouse(application, folder);
      if (medians) own.lighthouse = [...(own.lighthouse ?? []), medians];
    } else {
      const answer = await compareOnce(application, each.case, folder);
      own[each.case] = [...(own[each.case] ?? []), answer];
      process.stderr.write(`  ${answer.decision} after ${answer.seconds} s\n`);
    }
    await writeFile(RESULTS, `${JSON.stringify(stored, null, 2)}\n`);
  }
}

async function compareOnce(
  application: Application,
  which: Exclude<Case, 'lighthouse'>,
  folder: string,
): Promise<Answer> {
  await checkOut(folder, BRANCHES[which]);
  const { build, serveCommand: command, pages } = application;
  const paths = which === 'journey' ? ['/account'] : which === 'one' ? pages.slice(0, 1) : pages;
  const out = await mkdtemp(path.join(os.tmpdir(), 'quiesce-bench-'));
  const seed = Math.floor(Math.random() * 2 ** 32);
  const words = ['compare', '--base-ref', 'main', '--build', build, '--serve-command', command];
  const options = ['--serve-url', 'http://localhost:{port}', '--pages', ...paths, '--seed', String(seed)];
  const output = ['--json', '--quiet', '--format', 'html,json', '--out', out, '--force'];
  const script = which === 'journey' ? ['--script', JOURNEY] : [];
  const { 'budget-time': budget } = values;
  const limit = budget === undefined ? [] : ['--budget-time', budget];
  const load = [os.loadavg()[0] ?? 0];
  const from = performance.now();
  try {
    const result = JSON.parse(
      await said([CLI, ...words, ...options, ...script, ...limit, ...output, ...noSandbox('--no-sandbox')], folder),
    ) as ComparePagesResult;
    return {
      seconds: Math.round((performance.now() - from) / 1000),
      load: [...load, os.loadavg()[0] ?? 0],
      processors: os.availableParallelism(),
      seed,
      budget,
      decision: result.decision,
      pages: result.targets.map(pageOf),
    };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

function pageOf({ path: at, decision, design, comparisons, why, leftOut }: ComparedPage): Answer['pages'][number] {
  const complete = comparisons.find(({ metric }) => metric === 'pageComplete');
  const [first] = why ?? [];
  return {
    path: at,
    decision,
    pairs: design.pairs,
    difference: complete?.difference?.relative,
    why: first && [first.code, first.place?.name].filter((each) => each !== undefined).join(' '),
    leftOut,
  };
}

/** Loads every page of the main branch five times, as Lighthouse CI collects them. */
async function withLighthouse(application: Application, folder: string): Promise<Medians | undefined> {
  const { build, serveCommand: command, pages } = application;
  await checkOut(folder, 'main');
  await promisify(execFile)('sh', ['-c', build], {
    cwd: folder,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const silent = { onOutput: () => undefined, onFailure: () => undefined };
  const limits = { timeout: 60_000, signal: ended.signal, isPortChosen: true };
  const server = await serveCommand({
    ...{ command, folder, url, ...limits, ...silent },
    env: { ...process.env, PORT: String(port) },
  });
  const { path: browser } = await findBrowser(undefined, process.env);
  const load = [os.loadavg()[0] ?? 0];
  const from = performance.now();
  try {
    const medians: Record<string, Record<string, number>> = {};
    for (const page of pages) {
      const runs: Record<string, number>[] = [];
      for (let run = 1; run <= LIGHTHOUSE_RUNS; run += 1) {
        if (ended.signal.aborted) return undefined;
        runs.push(await lighthouseOf(url + page, browser));
      }
      medians[page] = Object.fromEntries(
        ['score', ...ASSERTED].map((name) => [name, medianOf(runs.map((each) => each[name] ?? Number.NaN))]),
      );
    }
    const seconds = Math.round((performance.now() - from) / 1000);
    return { seconds, load: [...load, os.loadavg()[0] ?? 0], pages: medians };
  } finally {
    await server.close();
  }
}

async function lighthouseOf(url: string, browser: string): Promise<Record<string, number>> {
  const flags = `--chrome-flags=${['--headless=new', ...noSandbox('--no-sandbox')].join(' ')}`;
  const options = ['--output=json', '--quiet', '--only-categories=performance', flags];
  const { stdout } = await promisify(execFile)(process.execPath, [LIGHTHOUSE, url, ...options], {
    env: { ...process.env, CHROME_PATH: browser },
    maxBuffer: 2 ** 28,
  });
  const { audits, categories } = JSON.parse(stdout) as {
    readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
    readonly categories: { readonly performance: { readonly score: number | null } };
  };
  return {
    score: categories.performance.score ?? Number.NaN,
    ...Object.fromEntries(ASSERTED.map((name) => [name, audits[name]?.numericValue ?? Number.NaN])),
  };
}

const noSandbox = (flag: string): readonly string[] => (process.getuid?.() === 0 ? [flag] : []);

/** Runs Node, and gives what it printed. Builds are kept in the benchmark's own folder. */
async function said(words: readonly string[], folder: string): Promise<string> {
  const env = { ...process.env, XDG_CACHE_HOME: path.join(root, 'cache'), NEXT_TELEMETRY_DISABLED: '1' };
  const child = spawn(process.execPath, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => void child.kill('SIGINT');
  ended.signal.addEventListener('abort', stop, { once: true });
  let [printed, complained] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained += text;
  });
  const [exit] = await once(child, 'close');
  ended.signal.removeEventListener('abort', stop);
  if (!printed.startsWith('{') || exit === 130) throw new Error(`quiesce exited with ${exit}: ${complained.trim()}`);
  return printed;
}

// --- Tables ---------------------------------------------------------------------------------------------------------

function medianOf(numbers: readonly number[]): number {
  return estimateMedian(numbers)?.median ?? Number.NaN;
}

function print(): void {
  const applications = APPLICATIONS.filter(({ name }) => stored[name] !== undefined);
  const rows = applications.flatMap((application) =>
    (['slower', 'equal', 'one', 'journey'] as const).flatMap((which) => {
      const answers = stored[application.name]?.[which] ?? [];
      return answers.length === 0 ? [] : [rowOf(application, which, answers)];
    }),
  );
  const head = [
    'application',
    'commits',
    'comparisons',
    'right',
    'minutes',
    'pairs of all pages',
    'load of the machine',
  ];
  console.log(table(head, rows));
  const today = applications.flatMap(({ name }) => {
    const medians = stored[name]?.lighthouse ?? [];
    return medians.length < 2 ? [] : [lighthouseRow(name, medians)];
  });
  if (today.length === 0) return;
  const metrics = ['score', ...ASSERTED];
  console.log(`\n${table(['Lighthouse of equal builds', 'comparisons', 'minutes', 'any', ...metrics], today)}`);
}

function rowOf(application: Application, which: Exclude<Case, 'lighthouse'>, answers: readonly Answer[]) {
  const pairs = answers.map(({ pages }) => pages.reduce((sum, page) => sum + page.pairs, 0));
  return [
    application.name,
    which,
    String(answers.length),
    which === 'slower' ? foundIn(application, answers) : notDifferent(answers),
    (medianOf(answers.map(({ seconds }) => seconds)) / 60).toFixed(1),
    String(medianOf(pairs)),
    loadOf(answers),
  ];
}

function notDifferent(answers: readonly Answer[]): string {
  const right = answers.filter(({ decision }) => decision === 'same' || decision === 'unsure').length;
  return `${right} not called different`;
}

/** How often each change was found, with its reason, and the other pages called different. */
function foundIn({ slower }: Application, answers: readonly Answer[]): string {
  const found = (at: string, reason: RegExp): string => {
    const pages = answers.flatMap(({ pages }) =>
      pages.filter((page) => page.path === at && page.decision === 'slower'),
    );
    return `${pages.length} (reason right in ${pages.filter(({ why }) => reason.test(why ?? '')).length})`;
  };
  const others = answers.flatMap(({ pages }) =>
    pages.filter(({ path: at, decision }) => !Object.values(slower).includes(at) && /^(slower|faster)$/.test(decision)),
  );
  const [server, script] = [found(slower.server, /^server/), found(slower.script, /^(function inOrder|script)/)];
  return `server ${server}, script ${script}, others called different: ${others.length}`;
}

function lighthouseRow(name: string, medians: readonly Medians[]): readonly string[] {
  const pairs = medians.slice(1).map((candidate, i) => ({ base: medians[i]?.pages ?? {}, candidate: candidate.pages }));
  const fails = ({ base, candidate }: (typeof pairs)[number], metric: string): boolean =>
    Object.keys(base).some((page) => {
      const [before, after] = [base[page]?.[metric] ?? Number.NaN, candidate[page]?.[metric] ?? Number.NaN];
      return metric === 'score' ? before - after > ALLOWED + 1e-9 : after > (1 + ALLOWED) * before;
    });
  const metrics = ['score', ...ASSERTED];
  return [
    name,
    String(pairs.length),
    ((2 * medianOf(medians.map(({ seconds }) => seconds))) / 60).toFixed(1),
    String(pairs.filter((pair) => metrics.some((metric) => fails(pair, metric))).length),
    ...metrics.map((metric) => String(pairs.filter((pair) => fails(pair, metric)).length)),
  ];
}

function loadOf(answers: readonly Pick<Answer, 'load' | 'processors'>[]): string {
  const [first] = answers;
  return `${medianOf(answers.flatMap(({ load }) => load)).toFixed(0)} on ${first?.processors} processors`;
}

try {
  if (!values.print) for (let time = 1; time <= times; time += 1) await measureAll(time);
} finally {
  await rm(root, { recursive: true, force: true });
}
print();
