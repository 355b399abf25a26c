/** One scenario at a time: audits it, and asks the other tools, interleaved so that all see the same machine. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import puppeteer, { type Browser } from 'puppeteer-core';
import { loadScenario } from '../../fixtures/scenario.ts';
import { findBrowser } from '../../src/browser/install/find.ts';
import { FINISHED, judgeRaw } from '../../src/core/completion/complete.ts';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { type HarRecording, readHar } from '../../src/core/sources/har.ts';
import { defined } from '../../src/core/text/defined.ts';
import { foldTimeline } from '../../src/core/timeline/fold.ts';
import type { RunResult } from '../../src/model/result/result.ts';

import { type Done, type Guess, type Job, type Measured, RAW_WINDOWS } from './jobs.ts';
import { ask, OTHERS, type Other, type Said } from './others.ts';
import { scoreRun } from './score.ts';
import type { ServedLoad } from './server.ts';

// Modules with TSX come from the build: Node runs TypeScript, but not TSX.
const { audit } = (await import(
  new URL('../../dist/index.js', import.meta.url).href
)) as typeof import('../../src/index.ts');

const executable = (await findBrowser(undefined, process.env)).path;
const isRoot = process.getuid?.() === 0;

process.on('message', (message: Job | { readonly scenario: string; readonly loads: readonly ServedLoad[] }) => {
  if ('loads' in message) return;
  measure(message).then(
    (measured) => process.send?.(measured),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once('disconnect', () => process.exit());

/** The server's log comes by way of the parent, which runs the server. */
function servedLoads(scenario: string): Promise<readonly ServedLoad[]> {
  return new Promise((resolve) => {
    const listen = (message: { readonly loads?: readonly ServedLoad[] }): void => {
      if (!message.loads) return;
      process.off('message', listen);
      resolve(message.loads);
    };
    process.on('message', listen);
    process.send?.({ ask: scenario });
  });
}

async function measure(job: Job): Promise<Done> {
  const began = performance.now();
  const url = `${job.origin}/${job.scenario}/`;
  const others: Partial<Record<Other, { said: Said; guess: Guess }>> = {};
  let audited: Audited | undefined;
  // Every repetition begins with another tool.
  const steps = job.others ? (['quiesce', ...OTHERS] as const) : (['quiesce'] as const);
  const turn = job.repetition % steps.length;
  for (const step of [...steps.slice(turn), ...steps.slice(0, turn)]) {
    if (step === 'quiesce') audited = await auditOnce(job, url);
    else others[step] = await askOnce(step, job, url);
  }
  if (!audited) throw new Error('the audit was left out');
  const { auditTook, loads } = audited;
  return {
    // Network idle and the other tools are asked once an audit.
    loads: loads.map((load, i) => ({
      scenario: job.scenario,
      repetition: job.repetition * job.runs + i,
      ...load,
      ...(i > 0 ? { raw: {}, others: {} } : { raw: audited.raw, others }),
    })),
    auditTook,
    took: performance.now() - began,
  };
}

interface Audited {
  readonly loads: readonly Pick<Measured, 'score' | 'doubt' | 'problems'>[];
  readonly raw: Measured['raw'];
  readonly auditTook: number;
}

async function auditOnce(job: Job, url: string): Promise<Audited> {
  const { expected } = await loadScenario(job.scenario);
  if (!expected) throw new Error(`${job.scenario} does not say what is expected`);
  const out = await folderFor(job);
  const options = {
    out,
    runs: job.runs,
    fullWindow: job.fullWindow,
    evidence: job.evidence,
    ablation: job.evidence,
    sandbox: !isRoot,
    format: ['json', 'har'] as const,
  };
  const began = performance.now();
  try {
    const { result, problems } = await audit(url, options);
    const auditTook = performance.now() - began;
    const loads = await servedLoads(job.scenario);
    const runs = result.targets[0]?.runs ?? [];
    const scored = runs.filter(({ role, excluded }) => role === 'timed' && excluded === undefined).slice(-job.runs);
    return {
      loads: await Promise.all(
        (scored.length === 0 ? [undefined] : scored).map(async (run) => {
          const recorded = run?.har === undefined ? undefined : await recordingIn(path.join(out, run.har));
          const load = recorded && loadOf(recorded.navigation.startedAt, loads);
          const missing = load?.missing ?? [];
          return {
            score: scoreRun(run, runs, expected, truthSince(recorded?.navigation.startedAt, load)),
            ...defined({ doubt: run?.pageComplete?.doubt }),
            problems: [
              ...problems.map(({ message }) => message),
              ...missing.map((name) => `the server never gave ${name}`),
            ],
          };
        }),
      ),
      raw: await rawGuesses(out, runs, loads),
      auditTook,
    };
  } finally {
    if (job.keep === undefined) await rm(out, { recursive: true, force: true });
  }
}

async function folderFor({ keep, scenario, repetition }: Job): Promise<string> {
  if (keep === undefined) return mkdtemp(path.join(os.tmpdir(), 'quiesce-accuracy-'));
  const folder = path.join(keep, repetition === 0 ? scenario : `${scenario}-${repetition + 1}`);
  await mkdir(folder, { recursive: true });
  return folder;
}

async function recordingIn(file: string): Promise<HarRecording | undefined> {
  return readHar(JSON.parse(await readFile(file, 'utf8'))).recordings[0];
}

/** How far apart the clocks of server and browser can be, ms: both read the system's, the file keeps milliseconds. */
const CLOCKS_MS = 50;

/** The load whose first request the server saw first after the navigation began. */
function loadOf(navigationStart: number, loads: readonly ServedLoad[]): ServedLoad | undefined {
  return loads
    .filter(({ startedAt }) => startedAt >= navigationStart - CLOCKS_MS)
    .toSorted((a, b) => a.startedAt - b.startedAt)[0];
}

function truthSince(start: number | undefined, load: ServedLoad | undefined): number | undefined {
  return start === undefined || load?.epoch === undefined ? undefined : load.epoch - start;
}

/** What network idle says of the longest recording, which shows most of what comes late: the evidence run's. */
async function rawGuesses(
  out: string,
  runs: readonly RunResult[],
  loads: readonly ServedLoad[],
): Promise<Readonly<Record<string, Guess>>> {
  // In an ablation run the page did not get all that it asked for.
  const files = runs.flatMap(({ role, har }) => (role === 'ablation' || har === undefined ? [] : har));
  const read = await Promise.all(files.map((name) => recordingIn(path.join(out, name))));
  const recordings = read.filter((each) => each !== undefined);
  const longest = recordings.toSorted((a, b) => b.observedUntil - a.observedUntil)[0];
  if (!longest) return {};
  const timeline = foldTimeline(longest.events, longest.marks, longest.observedUntil);
  const start = longest.navigation.startedAt;
  const truth = truthSince(start, loadOf(start, loads));
  return Object.fromEntries(
    RAW_WINDOWS.map((quietWindow): [string, Guess] => {
      const said = judgeRaw(timeline, { ...DEFAULT_POLICY, quietWindow }, FINISHED);
      // What was never quiet as long as it was watched has no answer; what was quiet at the very end might have one.
      if (said.state === 'unconfirmed' && said.at !== undefined) return [String(quietWindow), 'unconfirmed'];
      if (said.state !== 'complete') return [String(quietWindow), 'never'];
      return [String(quietWindow), truth === undefined ? 'no truth' : said.networkAt - truth];
    }),
  );
}

/** How long a page is kept open after a tool has called it done too early, ms: no scenario needs anything later. */
const PATIENCE_MS = 30_000;

async function askOnce(tool: Other, job: Job, url: string): Promise<{ said: Said; guess: Guess }> {
  const before = (await servedLoads(job.scenario)).length;
  const truth = async (): Promise<number | undefined> => (await servedLoads(job.scenario))[before]?.epoch;
  const browser: Browser = await puppeteer.launch({
    executablePath: executable,
    args: ['--disable-gpu', '--disable-dev-shm-usage', ...(isRoot ? ['--no-sandbox'] : [])],
  });
  try {
    const said = await ask(tool, browser, url, async ({ state }) => {
      const until = performance.now() + PATIENCE_MS;
      while (state === 'idle' && (await truth()) === undefined && performance.now() < until) await pause(200);
    });
    if (said.state !== 'idle') return { said, guess: said.state };
    const epoch = await truth();
    return { said, guess: epoch === undefined ? 'no truth' : said.epoch - epoch };
  } finally {
    await browser.close();
  }
}
