/**
 * How long Lighthouse takes on pages with background traffic, with what Quiesce knows of them and without: the same
 * Lighthouse, conditions and browser; only what it blocks and how long it may wait differ. Interleaved.
 *
 *   node bench/lighthouse/index.ts [rounds] [scenario,scenario …]
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startFixtureServer } from '../../fixtures/server.ts';
import { findBrowser } from '../../src/browser/install/find.ts';
import { openChromeLab } from '../../src/browser/lab.ts';
import { DESKTOP } from '../../src/core/conditions/devices.ts';
import { estimateMedian } from '../../src/core/time/median.ts';
import type { LighthouseOutcome, LighthouseRequest } from '../../src/model/lighthouse/request.ts';
import type { Lab } from '../../src/model/recording/lab.ts';

import { table } from '../support/table.ts';

// The built package: reports are TSX.
const DIST = process.env.QUIESCE_DIST ?? new URL('../../dist/', import.meta.url).href;
const built = async <T>(file: string): Promise<T> => (await import(new URL(file, DIST).href)) as T;
const { audit } = await built<typeof import('../../src/jobs/audit/audit.ts')>('jobs/audit/audit.js');
const { readOptions } = await built<typeof import('../../src/settings/gather.ts')>('settings/gather.js');
const { resolveAudit } = await built<typeof import('../../src/settings/resolve.ts')>('settings/resolve.js');

const ROUNDS = Number(process.argv[2] ?? 1);
/** The quiet page is the control: knowledge must not change it. */
const SCENARIOS = (process.argv[3] ?? 'plain,sse,sse-fetch,hung,long-poll,poll,websocket,shop').split(',');
const RESULTS = new URL('../results/lighthouse.json', import.meta.url);

/** One Lighthouse run. */
interface Taken {
  /** Everything, ms. */
  readonly wallTime: number;
  /** Of it the load with its waiting, ms. */
  readonly waited: number;
  readonly performance: number | undefined;
}

const isRoot = process.getuid?.() === 0;
const auditOf = (url: string, out: string) =>
  resolveAudit(
    readOptions('audit', [url], { out, runs: 2, format: ['json'], lighthouse: 1 }, { env: process.env, isRoot }),
  );

function taken(outcome: LighthouseOutcome): Taken {
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const lhr = outcome.lhr as {
    readonly timing: { readonly entries: readonly { readonly name: string; readonly duration: number }[] };
    readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  };
  return {
    wallTime: outcome.wallTime,
    // The first is to about:blank.
    waited: lhr.timing.entries.findLast(({ name }) => name === 'lh:driver:navigate')?.duration ?? Number.NaN,
    performance: lhr.categories.performance?.score ?? undefined,
  };
}

/** Lighthouse reads most of its own code during the first run of a program: that is nobody's time. */
async function warmUp(lab: Lab): Promise<void> {
  await lab.lighthouse?.(
    {
      url: server.url('plain'),
      conditions: { device: DESKTOP, cpu: 1, view: 'cold' },
      access: { headers: [], cookies: [], block: [], ignoreCertificateErrors: false },
      block: [],
      cap: 3_000,
      firstVisit: 0,
    },
    signal,
  );
}

const server = await startFixtureServer();
const { path: executable } = await findBrowser(undefined, process.env);
const { signal } = new AbortController();
const rows = [];
try {
  for (const scenario of SCENARIOS) {
    const out = await mkdtemp(path.join(os.tmpdir(), 'quiesce-bench-'));
    const lab = await openChromeLab({ sandbox: !isRoot, browserArg: [] }, executable);
    const inspect = (request: LighthouseRequest): Promise<LighthouseOutcome> =>
      lab.lighthouse?.(request, signal) ?? Promise.reject(new Error('the lab has no Lighthouse'));
    const plainly = async (request: LighthouseRequest): Promise<Taken> => {
      const { cap: _cap, ...own } = request;
      return taken(await inspect({ ...own, block: [] }));
    };
    let informed: LighthouseRequest | undefined;
    if (rows.length === 0) await warmUp(lab);
    const known: Taken[] = [];
    const unknown: Taken[] = [];
    const watched: Lab = {
      ...lab,
      // The audit's own Lighthouse run is the first with what it knows; the browser is still needed after it.
      close: async () => undefined,
      async lighthouse(request) {
        informed = request;
        const outcome = await inspect(request);
        known.push(taken(outcome));
        return outcome;
      },
    };
    try {
      const { result } = await audit(auditOf(server.url(scenario), out), { openLab: async () => watched });
      const request = informed;
      if (!request) throw new Error(`${scenario}: Lighthouse was not run`);
      unknown.push(await plainly(request));
      for (let round = 2; round <= ROUNDS; round++) {
        const both = [
          async () => known.push(taken(await inspect(request))),
          async () => unknown.push(await plainly(request)),
        ];
        for (const one of round % 2 === 0 ? both.reverse() : both) await one();
      }
      const [target] = result.targets;
      rows.push({
        scenario,
        strategy: target?.lighthouse?.waited.strategy,
        blocked: request.block,
        cap: request.cap,
        pageComplete: target?.summary.pageComplete?.median,
        known,
        unknown,
      });
      process.stderr.write(`${scenario} done\n`);
    } finally {
      await lab.close();
      await rm(out, { recursive: true, force: true });
    }
  }
} finally {
  await server.close();
}

const seconds = (values: readonly number[]): string => `${((estimateMedian(values)?.median ?? 0) / 1000).toFixed(1)} s`;
process.stdout.write(
  `${table(
    ['page', 'page complete', 'wait: without', 'with', 'all: without', 'with', 'how', 'performance'],
    rows.map(({ scenario, pageComplete, known, unknown, strategy }) => [
      scenario,
      seconds(pageComplete === undefined ? [] : [pageComplete]),
      seconds(unknown.map(({ waited }) => waited)),
      seconds(known.map(({ waited }) => waited)),
      seconds(unknown.map(({ wallTime }) => wallTime)),
      seconds(known.map(({ wallTime }) => wallTime)),
      strategy ?? '',
      `${unknown.map(({ performance }) => performance ?? '–').join(' ')} → ${known.map(({ performance }) => performance ?? '–').join(' ')}`,
    ]),
  )}\n`,
);
await writeFile(
  RESULTS,
  `${JSON.stringify({ version: 1, rounds: ROUNDS, node: process.version, cpus: os.cpus().length, rows }, null, 2)}\n`,
);
