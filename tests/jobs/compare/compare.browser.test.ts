import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNamingBuild } from '../../../bench/naming/builds.ts';
import { type BuildName, startBuildServer, writeBuild } from '../../../fixtures/builds.ts';
import { readSourceMap, sourceOfFunction } from '../../../src/core/main-thread/source-map.ts';
import { readHar } from '../../../src/core/sources/har.ts';
import type { CompareResult } from '../../../src/model/compare/comparison.ts';
import { type CompareOptions, compare } from '../../support/jobs.ts';
import { sharedLab } from '../../support/lab.ts';
import { IMPATIENT } from '../../support/patience.ts';
import { messagesOf } from '../../support/problems.ts';
import { COMPARING } from '../../support/settings.ts';

let root: string;
const running: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'quiesce-test-'));
});
afterAll(async () => {
  await Promise.all(running.map((each) => each.close()));
  await rm(root, { recursive: true, force: true });
});
/** A folder of its own for each test: they run beside each other, for mostly they wait. */
const newFolder = (): Promise<string> => mkdtemp(path.join(root, 'test-'));

const settings = (targets: readonly string[], out: string, more: Partial<CompareOptions> = {}): CompareOptions => ({
  ...COMPARING,
  quietWindow: 500,
  observation: IMPATIENT,
  targets,
  out,
  sandbox: process.getuid?.() !== 0,
  format: ['html', 'json', 'har', 'md'],
  gate: ['page-complete', 'LCP'],
  maxPairs: 2,
  ...more,
});

/**
 * How busy the machine is does not matter there, nor whose browser it is: the first test and the built command measure the
 * machine and start a Chrome of their own.
 */
const HOOKS = { microBenchmark: () => 10, openLab: sharedLab };

async function served(...builds: readonly BuildName[]): Promise<readonly string[]> {
  const servers = await Promise.all(builds.map((build) => startBuildServer({ build })));
  running.push(...servers);
  return servers.map(({ url }) => url);
}

async function folders(folder: string): Promise<readonly [string, string]> {
  const both = [path.join(folder, 'base'), path.join(folder, 'candidate')] as const;
  await Promise.all(both.map((each) => writeBuild(each)));
  return both;
}

/** What a load asked for, in alphabetical order. */
async function urlsOf(out: string, name: string): Promise<readonly string[]> {
  const { recordings } = readHar(JSON.parse(await readFile(path.join(out, name), 'utf8')));
  const requests = recordings.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'request' ? event.url : [])),
  );
  return requests.toSorted();
}

describe('two builds in Chrome', () => {
  it.concurrent('are served from one address in turn, each load with a HAR of its own', async () => {
    const folder = await newFolder();
    const out = path.join(folder, 'out');
    const [base, candidate] = await folders(folder);
    await rm(path.join(candidate, 'index.html'));
    await writeBuild(candidate, 'rebuilt');
    const { result, exit, problems } = await compare(settings([base, candidate], out));
    expect(messagesOf(problems).filter((line) => !line.includes('host was not fit'))).toEqual([]);
    // Two pairs are too few for an answer.
    expect(exit).toBe(4);
    expect(result.base.url).toBe(result.candidate.url);
    expect(result.design).toMatchObject({ pairs: 2, blocks: 1, stoppedBecause: 'max-pairs' });
    expect(result.changes).toMatchObject({ added: [], removed: [], grown: [], shrunk: [] });
    const files = await readdir(out);
    expect(files).toEqual(expect.arrayContaining(['index.html', 'result.json', 'summary.md']));
    const [theirs, ours] = [await urlsOf(out, 'base-run-1.har'), await urlsOf(out, 'candidate-run-1.har')];
    expect(theirs.length).toBe(ours.length);
    // The same origin, other hashes in the names: each load had its own build.
    expect(theirs).not.toEqual(ours);
    expect(new Set([...theirs, ...ours].map((url) => new URL(url).origin)).size).toBe(1);
  });

  it.concurrent('have source maps of their own, although their scripts have one address', async () => {
    const folder = await newFolder();
    const [base, candidate] = [path.join(folder, 'base'), path.join(folder, 'candidate')];
    await writeNamingBuild(base, { more: 0, minified: true, moved: false });
    await writeNamingBuild(candidate, { more: 0, minified: true, moved: true });
    const { result } = await compare(
      settings([base, candidate], path.join(folder, 'out'), { format: ['json'], evidence: true, trace: true }),
      HOOKS,
    );
    const [theirs, ours] = await Promise.all(
      [base, candidate].map(async (build) => readSourceMap(await readFile(path.join(build, 'app.js.map'), 'utf8'))),
    );
    // Which functions were caught at work is left to chance, where they come from is not.
    for (const [side, own, other] of [
      [result.base, theirs, ours],
      [result.candidate, ours, theirs],
    ] as const) {
      const named = (side.mainThread?.byScript ?? []).flatMap(({ functions }) =>
        functions.filter(({ source }) => source !== undefined),
      );
      expect(named.length).toBeGreaterThan(2);
      const placesBy = (lookup: typeof own) => named.map((each) => sourceOfFunction(lookup, each));
      expect(named.map(({ source }) => source)).toEqual(placesBy(own));
      expect(named.map(({ source }) => source)).not.toEqual(placesBy(other));
    }
  });

  it.concurrent('list background that only one of them has as the only news', async () => {
    const targets = await served('poll', 'sse');
    const { result } = await compare(
      settings(targets, await newFolder(), {
        evidence: true,
        quietWindow: 1_000,
        format: ['json'],
      }),
      HOOKS,
    );
    const news = result.backgroundChanges.map(({ build, kind }) => `${build}: ${kind}`);
    expect(news.toSorted()).toEqual(['base: poll', 'candidate: sse']);
    expect(result.changes).toMatchObject({ added: [], removed: [] });
    expect(result.pageDifferences.map(({ code }) => code)).toEqual(['background']);
    expect(result.comparisons[0]?.base.n).toBe(2);
  });

  it.concurrent('count what one of them shows and the other only asks for', async () => {
    const folder = await newFolder();
    const [base, candidate] = [path.join(folder, 'base'), path.join(folder, 'candidate')];
    const build = async (at: string, use: string): Promise<void> => {
      await mkdir(at);
      await writeFile(path.join(at, 'flags.json'), '{"spring":true}');
      const ask = `setTimeout(async () => { const flags = await (await fetch('flags.json')).json(); ${use} }, 700);`;
      const banner = '<h2 id="banner" style="height: 120px"></h2>';
      await writeFile(path.join(at, 'index.html'), `<!doctype html><h1>Shop</h1>${banner}<script>${ask}</script>`);
    };
    await build(base, '');
    await build(candidate, "if (flags.spring) banner.textContent = 'Our spring collection is here';");
    const { result } = await compare(
      settings([base, candidate], path.join(folder, 'out'), {
        evidence: true,
        ablation: true,
        quietWindow: 1_500,
        gate: ['page-complete'],
        format: ['json'],
      }),
      HOOKS,
    );
    const [completed] = result.comparisons;
    // Not before the timer that asks.
    expect(completed?.candidate.median).toBeGreaterThan(700);
    expect(completed?.base.median).toBeLessThan(completed?.candidate.median ?? 0);
    expect(result.backgroundChanges).toMatchObject([{ build: 'base', kind: 'no-effect', contentInOther: true }]);
  });

  it.concurrent.each([
    ['blank', 'blank'],
    ['redirect', 'final-url'],
  ] as const)('say before any figure that one is %s', async (build, code) => {
    const targets = await served('same', build);
    const { result } = await compare(settings(targets, await newFolder(), { format: ['json'] }), HOOKS);
    expect(result.pageDifferences.map((difference) => difference.code)).toContain(code);
  });

  it.concurrent('are proved at the same time, the second in a browser of its own, at one address all the same', async () => {
    const folder = await newFolder();
    const [base, candidate] = [path.join(folder, 'base'), path.join(folder, 'candidate')];
    for (const at of [base, candidate]) {
      const script = `${path.basename(at)}.js`;
      await mkdir(at);
      await writeFile(path.join(at, script), 'document.body.append("Shop")');
      await writeFile(
        path.join(at, 'index.html'),
        `<!doctype html><title>Shop</title><body><script src="${script}"></script>`,
      );
    }
    const out = path.join(folder, 'out');
    const seen: string[] = [];
    const { result } = await compare(
      settings([base, candidate], out, {
        evidence: true,
        ablation: true,
        // Long enough for the browser to rest also on a busy machine.
        quietWindow: 2_000,
        observation: { ...IMPATIENT, thoroughWatchMs: 6_000 },
        format: ['json', 'har'],
      }),
      {
        microBenchmark: () => 10,
        onProgress(event) {
          if (event.kind === 'run-started') seen.push(`${event.target} ${event.role}`);
          if (event.kind === 'run-finished') seen.push(`${event.target} ${event.run.role} is over`);
        },
      },
    );
    expect(seen.slice(0, 2)).toEqual(['base evidence', 'candidate evidence']);
    // Nothing is timed beside it.
    const timed = seen.findIndex((each) => each.endsWith(' timed'));
    expect(seen.slice(2, timed)).toEqual(
      expect.arrayContaining(['base evidence is over', 'candidate evidence is over']),
    );
    expect(result.base.url).toBe(result.candidate.url);
    expect(await urlsOf(out, 'base-evidence.har')).toContain(`${result.base.url}base.js`);
    expect(await urlsOf(out, 'candidate-evidence.har')).toContain(`${result.base.url}candidate.js`);
  });

  it.concurrent('keep what was measured when one fails half of the time', async () => {
    const targets = await served('same', 'failing');
    const { result } = await compare(settings(targets, await newFolder(), { maxPairs: 4, format: ['json'] }), HOOKS);
    expect(result.base.runs.filter(({ ok, role }) => ok && role === 'timed').length).toBeGreaterThan(2);
    const failed = result.candidate.runs.filter(({ ok, attempts }) => !ok || attempts === 2);
    expect(failed.length).toBeGreaterThan(0);
    for (const { block } of result.design.dropped) {
      const runs = [...result.base.runs, ...result.candidate.runs].filter((run) => run.block === block);
      expect(runs.every(({ excluded }) => excluded !== undefined)).toBe(true);
    }
  });
});

/** The built command, as a user starts it. */
function quiesce(folder: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, ['bin/quiesce.js', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder, FORCE_COLOR: '0' },
  });
}

it.concurrent('is ended by Ctrl-C after a block and goes on with --resume to the same plan', async () => {
  const folder = await newFolder();
  const [base, candidate] = await folders(folder);
  const out = path.join(folder, 'out');
  const quick = ['--no-evidence', '--quiet-window', '500', '--max-pairs', '4', '--out', out, '--format', 'json'];
  const child = quiesce(folder, 'compare', base, candidate, ...quick);
  let text = '';
  for await (const line of createInterface({ input: child.stderr ?? process.stdin })) {
    text += `${line}\n`;
    if (line.startsWith('2 of at most 4 pairs')) child.kill('SIGINT');
  }
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(130);
  expect(text).toContain('--resume');
  const stored = async () => JSON.parse(await readFile(path.join(out, 'result.json'), 'utf8')) as CompareResult;
  const before = await stored();
  expect(before.design).toMatchObject({ stoppedBecause: 'interrupted', pairs: 2 });

  const again = quiesce(folder, 'compare', base, candidate, ...quick, '--resume');
  again.stdout?.resume();
  again.stderr?.resume();
  const [code] = (await once(again, 'exit')) as [number | null];
  expect(code).toBe(4);
  const after = await stored();
  expect(after.design).toMatchObject({ seed: before.design.seed, pairs: 4, stoppedBecause: 'max-pairs' });
  const kept = (result: CompareResult) =>
    result.base.runs.filter(({ block }) => block === 1).map(({ metrics }) => metrics);
  expect(kept(after)).toEqual(kept(before));
  expect(await readdir(out)).toEqual(['result.json']);
});
