/**
 * `npm run bench:cut`: does a load that ends early give the answer that it gives when it is watched to the end?
 *
 * Audits every fixture scenario with `--full-window` and several timed runs, with its delays scaled by seeded random factors
 * that differ from load to load. Each timed run from the second on is judged whole, and once more cut off where a short
 * ending would have cut it, by what the filmed run and the first timed one have taught.
 *
 * Prints how many give the same answer to the millisecond, and each that does not, with what came later. Exit code 1 when
 * fewer than 99.9% do.
 *
 *   --only <names>      scenarios, separated by commas
 *   --runs <n>          timed runs of each (default 7: six are cut)
 *   --seed <n>          what the delays are drawn from (default 1)
 *   --concurrency <n>   audits at a time (default 2)
 *   --from <folder>     load nothing: folders with results of audits that were made with `--full-window` and stored as HAR
 *   --keep <folder>     where the results stay
 *   --out <file>        where the JSON goes; with --only or --from nowhere unless this is given
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { GROUPS, loadScenarios } from '../../fixtures/scenario.ts';
import { readHar } from '../../src/core/sources/har.ts';
import { recordingOfHar } from '../../src/core/sources/har-recording.ts';
import { startServerApart } from '../support/server-apart.ts';
import { table } from '../support/table.ts';
import { type CutLoad, cutShort, type WholeLoad } from './short.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '7' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '2' },
    from: { type: 'string' },
    keep: { type: 'string' },
    out: { type: 'string' },
  },
});
const CLI = fileURLToPath(new URL('../../bin/quiesce.js', import.meta.url));
const RESULTS = fileURLToPath(new URL('../results/cut.json', import.meta.url));
const GOAL = 0.999;

/** A timed load of a page, cut off. */
interface CutOfPage extends CutLoad {
  readonly page: string;
}

/** The loads of one audit, as its HARs hold them. */
async function wholeLoads(folder: string): Promise<readonly WholeLoad[]> {
  const files = (await readdir(folder)).filter((name) => /^run-\d+\.har$/.test(name));
  const all = await Promise.all(
    files.map(async (name): Promise<readonly WholeLoad[]> => {
      const { recordings } = readHar(JSON.parse(await readFile(path.join(folder, name), 'utf8')));
      return recordings.flatMap((read) => {
        const { role, policy } = read;
        if (role === undefined || policy === undefined) return [];
        return [
          { role, index: Number.parseInt(name.slice('run-'.length), 10), recording: recordingOfHar(read), policy },
        ];
      });
    }),
  );
  return all.flat();
}

/** Audits all pages, a few at a time; gives what of a page could not be measured. */
async function auditAll(folder: string): Promise<readonly string[]> {
  const names = (await loadScenarios(...GROUPS)).map(({ name }) => name);
  const only = values.only?.split(',');
  const queue = names.filter((name) => only === undefined || only.includes(name));
  const server = await startServerApart(values.seed);
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const limits = ['--full-window', '--runs', values.runs, '--format', 'json,har', '--quiet'];
      const args = [CLI, 'audit', server.url(name), '--out', path.join(folder, name), ...limits];
      // Budgets and broken pages end it with a code of their own, and are measured all the same.
      await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28 }).catch(
        ({ code, stderr }: { readonly code?: unknown; readonly stderr?: string }) => {
          if (code === 2 || code === 3) failures.push(`${name}: ${stderr?.trim()}`);
        },
      );
      console.error(`${name}, ${queue.length} left`);
    }
  };
  try {
    await Promise.all(Array.from({ length: Number(values.concurrency) }, work));
  } finally {
    await server.close();
  }
  return failures;
}

const began = performance.now();
const folder = values.from ?? values.keep ?? (await mkdtemp(path.join(os.tmpdir(), 'quiesce-bench-')));
const failures = values.from === undefined ? await auditAll(folder) : [];
const cuts: CutOfPage[] = [];
for (const page of await readdir(folder)) {
  cuts.push(...cutShort(await wholeLoads(path.join(folder, page))).map((cut) => ({ page, ...cut })));
}
if (values.from === undefined && values.keep === undefined) await rm(folder, { recursive: true, force: true });

const of = (outcome: CutLoad['outcome']): readonly CutOfPage[] => cuts.filter((cut) => cut.outcome === outcome);
const others = of('other');
const right = cuts.length - others.length;
const rows = [
  ['ended early, the same answer to the millisecond', String(of('same').length)],
  ['watched for the whole window: not as expected', String(of('whole').length)],
  ['ended early, another answer', String(others.length)],
  ['the same answer, of all', `${((100 * right) / cuts.length).toFixed(2)}%`],
];
console.log(table([`${cuts.length} whole recordings, cut off`, ''], rows));
for (const { page, index, at, shortAt = 0, after = [] } of others) {
  const came = after.length > 0 ? after.join(', ') : 'nothing that counts: what was seen of it was judged otherwise';
  console.log(`${page}, run ${index}: ${shortAt.toFixed(1)} instead of ${at.toFixed(1)} ms; after that came: ${came}`);
}
for (const failure of failures) console.log(`not measured: ${failure}`);
console.log(`${((performance.now() - began) / 1000).toFixed(0)} s, seed ${values.seed}`);
const out = values.out ?? (values.only === undefined && values.from === undefined ? RESULTS : undefined);
if (out !== undefined) {
  const figures = {
    at: new Date().toISOString(),
    seed: Number(values.seed),
    runs: Number(values.runs),
    cuts,
    failures,
  };
  await writeFile(out, `${JSON.stringify(figures, undefined, 2)}\n`);
}
if (cuts.length === 0 || right / cuts.length < GOAL) process.exitCode = 1;
