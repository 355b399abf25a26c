/**
 * What `analyze` makes of the HARs of other tools: records pages with each of them, asks Quiesce for its live answer, and
 * compares both with what the server knows (and the load event and paints, which it does not know). Tools and
 * applications come into a folder of their own.
 *
 *   node bench/hars/index.ts [--out folder] [--only page,page] [--tools name,name] [--after ms] [--chromedriver path]
 *   node bench/hars/index.ts --read folder     judges what is recorded already
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { findBrowser } from '../../src/browser/install/find.ts';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { measure, visitOf } from '../../src/core/measure.ts';
import { readHar } from '../../src/core/sources/har.ts';
import { gapsOf } from '../../src/core/sources/har-gaps.ts';
import { recordingOfHar } from '../../src/core/sources/har-recording.ts';
import type { RunResult } from '../../src/model/result/result.ts';
import { table } from '../support/table.ts';
import { type RecordedPage, startPages } from './pages.ts';
import { type Recorder, recorders } from './tools.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    read: { type: 'string' },
    only: { type: 'string' },
    tools: { type: 'string' },
    after: { type: 'string', default: '6000' },
    install: { type: 'string' },
    chromedriver: { type: 'string' },
  },
});
const RESULTS = new URL('../results/hars.json', import.meta.url);
/** What counts as right, ms. */
const TOLERANCE_MS = 150;

/** What is known of a recorded load, beside its HAR. */
interface Known {
  readonly page: string;
  readonly tool: string;
  /** When the server had given out all that the page needed, in milliseconds since the Unix epoch. */
  readonly truth?: number;
  /** Quiesce's own answer, in a load of its own, ms since navigation. */
  readonly live?: number;
  /** For how long it was recorded after the load event, ms. */
  readonly after?: number;
}

const folder = path.resolve(values.read ?? values.out ?? (await mkdtemp(path.join(os.tmpdir(), 'quiesce-hars-'))));
if (values.read === undefined) await recordAll();
await judgeAll();

// --- Recording ----------------------------------------------------------------------------------------------------

async function recordAll(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const home = path.resolve(values.install ?? path.join(os.tmpdir(), 'quiesce-har-tools'));
  await mkdir(home, { recursive: true });
  const { path: executable } = await findBrowser(undefined, process.env);
  const tools = (await recorders({ folder: home, executable, chromedriver: values.chromedriver })).filter(
    ({ name }) => values.tools?.split(',').includes(name) ?? true,
  );
  const { pages, close } = await startPages(home);
  try {
    for (const page of pages.filter(({ name }) => values.only?.split(',').includes(name) ?? true)) {
      await recordPage(page, tools);
    }
  } finally {
    await close();
  }
}

async function recordPage(page: RecordedPage, tools: readonly Recorder[]): Promise<void> {
  const names = await readdir(folder);
  const missing = tools.filter(({ name }) => !names.includes(`${page.name}.${name}.json`));
  if (missing.length === 0) return;
  const live = await liveAnswer(page.url);
  for (const { name: tool, record } of missing) {
    const file = path.join(folder, `${page.name}.${tool}`);
    console.error(`${page.name} ${tool}`);
    page.begin();
    try {
      await record(page.url, `${file}.har`, Number(values.after));
    } catch (error) {
      console.error(`${page.name} ${tool}: ${error instanceof Error ? error.message : String(error)}`);
      continue;
    }
    const truth = page.truth();
    const after = Number(values.after);
    const known: Known = { page: page.name, tool, ...(truth !== undefined && { truth }), ...(live && { live }), after };
    await writeFile(`${file}.json`, JSON.stringify(known));
  }
}

/** As `quiesce audit` says it. Modules with TSX come from the build: Node runs TypeScript, but not TSX. */
async function liveAnswer(url: string): Promise<number | undefined> {
  const { audit } = (await import(
    new URL('../../dist/index.js', import.meta.url).href
  )) as typeof import('../../src/index.ts');
  const out = await mkdtemp(path.join(os.tmpdir(), 'quiesce-hars-live-'));
  try {
    const options = { out, runs: 1, evidence: false, ablation: false, format: ['json'] } as const;
    const { result } = await audit(url, { ...options, sandbox: process.getuid?.() !== 0 });
    const run = result.targets[0]?.runs.findLast(({ role }: RunResult) => role === 'timed');
    return run?.pageComplete?.at;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

// --- Judging ------------------------------------------------------------------------------------------------------

interface Judged extends Known {
  readonly state: string;
  /** What the HAR is judged to say, and by how much it misses, ms. */
  readonly at?: number;
  readonly error?: number;
  readonly raw: string;
  readonly requests: number;
  /** Does anything in the file end when the page had all that it needed? */
  readonly held: boolean;
  /** What the findings say is missing. */
  readonly missing: readonly string[];
}

async function judgeAll(): Promise<void> {
  const known = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const judged = await Promise.all(known.map(judgeOne));
  const tools = [...new Set(judged.map(({ tool }) => tool))].sort();
  const shown = (each: Judged | undefined): string => {
    if (each === undefined) return '';
    if (each.at === undefined) return each.state;
    const error = each.error === undefined ? '?' : `${each.error >= 0 ? '+' : '−'}${Math.abs(Math.round(each.error))}`;
    const shownError = each.held ? error : `(${error})`;
    return each.state === 'complete' ? `${shownError} confirmed` : shownError;
  };
  const pages = [...new Set(judged.map(({ page }) => page))];
  console.log(
    table(
      ['page', 'live, ms', ...tools],
      pages.map((page) => {
        const row = judged.filter((each) => each.page === page);
        const live = row.find((each) => each.live !== undefined)?.live;
        return [
          page,
          live === undefined ? '' : String(Math.round(live)),
          ...tools.map((tool) => shown(row.find((each) => each.tool === tool))),
        ];
      }),
    ),
  );
  console.log('\nError in ms. In brackets: nothing in the file ends at that time.\n');
  console.log(
    table(
      ['tool', 'files', 'hold the answer', `within ${TOLERANCE_MS} ms`, 'others', 'with a time', 'confirmed'],
      tools.map((tool) => {
        const own = judged.filter((each) => each.tool === tool);
        const held = own.filter((each) => each.held);
        const isRight = ({ error }: Judged): boolean => error !== undefined && Math.abs(error) <= TOLERANCE_MS;
        const right = held.filter(isRight);
        const others = held.filter((each) => !isRight(each)).map(({ page }) => page);
        const counts = [own, held, right].map(({ length }) => String(length));
        const answered = own.filter(({ at }) => at !== undefined).length;
        const confirmed = own.filter(({ state }) => state === 'complete').length;
        return [tool, ...counts, others.join(', ') || '–', String(answered), String(confirmed)];
      }),
    ),
  );
  if (values.only === undefined && values.tools === undefined) {
    await writeFile(RESULTS, `${JSON.stringify({ tolerance: TOLERANCE_MS, judged }, null, 2)}\n`);
  }
}

async function judgeOne(name: string): Promise<Judged> {
  const known = JSON.parse(await readFile(path.join(folder, name), 'utf8')) as Known;
  const file = path.join(folder, name.replace(/\.json$/, '.har'));
  const text = existsSync(file) ? await readFile(file, 'utf8') : gunzipSync(await readFile(`${file}.gz`)).toString();
  const [read] = readHar(JSON.parse(text)).recordings;
  if (!read) return { ...known, state: 'unreadable', raw: 'unreadable', requests: 0, held: false, missing: [] };
  const visit = visitOf(recordingOfHar(read), DEFAULT_POLICY);
  const { pageComplete } = measure(visit, DEFAULT_POLICY);
  const { state, at, raw } = pageComplete;
  // The server does not know of the page's own work: the load event and paints, where the file has them.
  const milestones = read.marks.map((mark) => mark.at);
  const right =
    known.truth === undefined ? undefined : Math.max(known.truth - read.navigation.startedAt, ...milestones);
  const ends = [...milestones, ...visit.timeline.requests.map(({ endedAt }) => endedAt ?? Number.NaN)];
  const missing = gapsOf(read, visit, DEFAULT_POLICY).map(({ facts }) =>
    'missing' in facts ? facts.missing : 'entries',
  );
  return {
    ...known,
    state,
    raw: raw.state,
    requests: visit.timeline.requests.length,
    held: right !== undefined && ends.some((end) => Math.abs(end - right) <= TOLERANCE_MS),
    missing,
    ...(at !== undefined && { at }),
    ...(at !== undefined && right !== undefined && { error: at - right }),
  };
}
