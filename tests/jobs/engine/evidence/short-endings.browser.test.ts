import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeOn, listenOn, portOf } from '../../../../fixtures/listen.ts';
import type { RunResult } from '../../../../src/model/result/result.ts';
import { auditInChrome } from '../../../support/chrome.ts';
import { compare } from '../../../support/jobs.ts';
import { IMPATIENT } from '../../../support/patience.ts';
import { messagesOf } from '../../../support/problems.ts';
import { COMPARING } from '../../../support/settings.ts';

/** A page as its script, and what load `n`, from 0, asks for. */
interface Page {
  readonly script: string;
  asks(n: number): readonly string[];
}

/**
 * Pages that ask for something else from load to load: what ends a load early is what loads before it needed. In their scripts,
 * `n` is the number of the load, and `get` asks for something, shows it, and takes so many ms. Pauses of 900 ms are longer than
 * the shortest window. Other orders, variants and slow answers are scripted (tests/core/completion/expected.test.ts).
 */
const PAGES = {
  'a third has more': {
    script: `await get('list', 150);
      if (n > 0 && n % 3 === 0) { await get('teaser', 100); await pause(900); await get('extra', 100); }`,
    asks: (n) => (n > 0 && n % 3 === 0 ? ['list', 'teaser', 'extra'] : ['list']),
  },
  'one more picture each time': {
    script: `for (let i = 0; i <= n; i += 1) await get('picture', 100);`,
    asks: (n) => Array(n + 1).fill('picture'),
  },
  'the last computes in a worker, and then has more': {
    script: `await get('list', 150); if (n === 6) { await computeInWorker(1200); await get('extra', 100); }`,
    asks: (n) => (n === 6 ? ['list', 'extra'] : ['list']),
  },
  'the build before': { script: `await get('list', 150);`, asks: () => ['list'] },
  'the build after': {
    script: `await get('list', 150); await pause(900); await get('offers', 200);`,
    asks: () => ['list', 'offers'],
  },
} satisfies Record<string, Page>;
type PageName = keyof typeof PAGES;

const html = (
  name: PageName,
  n: number,
): string => `<!doctype html><title>Changes</title><link rel="icon" href="data:,">
<style>h1 { font-size: 80px }</style><h1>What comes after this is never the largest</h1><main></main><script type="module">
  const n = ${n};
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const get = async (what, ms) => {
    const answer = await fetch(what + '?load=' + n + '&ms=' + ms);
    document.querySelector('main').append(await answer.text(), document.createElement('br'));
  };
  const compute = (ms) => { for (const until = Date.now() + ms; Date.now() < until; ); };
  const computeInWorker = (ms) => new Promise((resolve) => {
    const worker = new Worker(URL.createObjectURL(new Blob(['(' + compute + ')(' + ms + '); postMessage(0);'])));
    worker.onmessage = resolve;
  });
  ${PAGES[name].script}
</script>`;

/** One load as the server saw it. */
interface Served {
  /** When the last answer was about to be sent, in milliseconds since the Unix epoch: no page has it before. */
  answeredAt: number;
}

const served = new Map<string, Served[]>();
let origin: string;
let servers: readonly Server[];
const now = (): number => performance.timeOrigin + performance.now();
const addressOf = (name: PageName): string => `${origin}/${encodeURIComponent(name)}/`;

beforeAll(async () => {
  servers = await listenOn(
    () =>
      createServer(async ({ url = '/' }, response) => {
        const { pathname, searchParams } = new URL(url, origin);
        const name = decodeURIComponent(pathname.split('/')[1] ?? '') as PageName;
        const loads = served.get(name) ?? [];
        served.set(name, loads);
        if (pathname.endsWith('/')) {
          loads.push({ answeredAt: now() });
          response.setHeader('content-type', 'text/html').end(html(name, loads.length - 1));
          return;
        }
        await pause(Number(searchParams.get('ms')));
        const load = loads[Number(searchParams.get('load'))];
        if (load) load.answeredAt = now();
        response.end(`What ${pathname} says`);
      }),
    0,
  );
  origin = `http://127.0.0.1:${portOf(servers)}`;
});
afterAll(() => closeOn(servers));

/** Both clocks are the system's; a file keeps milliseconds. */
const CLOCKS_MS = 50;

/** Has a run waited for all that its load asks for, and until the server gave the last of it? */
async function expectWaited(name: PageName, run: RunResult, folder: string): Promise<void> {
  const { log } = JSON.parse(await readFile(path.join(folder, run.har ?? ''), 'utf8'));
  const urls = (log.entries as readonly { request: { url: string } }[]).map(({ request }) => new URL(request.url));
  const asked = urls.filter(({ searchParams }) => searchParams.has('load'));
  const number = Number(asked[0]?.searchParams.get('load'));
  expect(asked.map(({ pathname }) => pathname.split('/').at(-1))).toEqual(PAGES[name].asks(number));
  const answeredAt = served.get(name)?.[number]?.answeredAt ?? Number.NaN;
  const networkAt = run.pageComplete?.networkAt ?? Number.NaN;
  const tooEarlyBy = answeredAt - Date.parse(log.pages[0].startedDateTime) - networkAt;
  expect(tooEarlyBy, `run ${run.index}`).toBeLessThan(CLOCKS_MS);
}

const WINDOW = { quietWindow: 2_500, observation: IMPATIENT, evidence: true, ablation: false } as const;

describe('loads that may end early', () => {
  it.concurrent.each([
    ['a third has more', { early: true }],
    ['one more picture each time', { early: false }],
    ['the last computes in a worker, and then has more', { early: true }],
  ] as const)('are not cut off where %s', async (name, { early }) => {
    const { result } = await auditInChrome({ ...WINDOW, targets: [addressOf(name)], runs: 6 }, {}, async (folder) => {
      const { targets } = JSON.parse(await readFile(path.join(folder, 'result.json'), 'utf8'));
      for (const run of (targets[0].runs as readonly RunResult[]).filter(({ role }) => role === 'timed')) {
        await expectWaited(name, run, folder);
      }
    });
    const timed = result.targets[0]?.runs.filter(({ role }) => role === 'timed') ?? [];
    expect(timed).toHaveLength(6);
    // The one load of ten that is checked may be the one that has more: then all others are loaded again, whole.
    if (timed.some(({ repeatedEnding }) => repeatedEnding === 'ending-missed')) return;
    expect(timed.some(({ pageComplete }) => pageComplete?.decidedBy === 'expected-content')).toBe(early);
  });

  it.concurrent('are not cut off in a build that asks for something new', async () => {
    const out = await mkdtemp(path.join(os.tmpdir(), 'quiesce-test-'));
    try {
      const { result, problems } = await compare({
        ...COMPARING,
        ...WINDOW,
        targets: [addressOf('the build before'), addressOf('the build after')],
        out,
        sandbox: process.getuid?.() !== 0,
        format: ['json', 'har'],
        gate: ['page-complete'],
        maxPairs: 4,
      });
      const timed = result.candidate.runs.filter(({ role }) => role === 'timed');
      expect(timed.length, messagesOf(problems).join('\n')).toBe(4);
      for (const run of timed) {
        await expectWaited('the build after', run, out);
      }
      expect(timed.some(({ pageComplete }) => pageComplete?.decidedBy === 'expected-content')).toBe(true);
    } finally {
      await rm(out, { recursive: true, force: true });
    }
  });
});
